// SPDX-License-Identifier: MIT
// Warp scheduler: which of the eligible warps of a processing block issues.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cycle.hpp"
#include "core/ring.hpp"
#include "issue/warp_set.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// No warp of a block is eligible; what a policy asks of the warps in a cycle.
struct NoWarps {
  /// Whether nothing but a barrier or a unit can hold it; others need not be asked.
  bool awake(int /*warp*/) const { return false; }
  bool eligible(int /*warp*/) { return false; }
  bool can_issue(int /*warp*/) { return false; }  ///< whether an awake one is eligible
  bool waits_for_barrier(int /*warp*/) const { return false; }
  bool waits_for_queue(int /*warp*/) { return false; }  ///< for room in one
};

/// A policy asks warps, in its order of preference, until one is eligible; -1 if none is. Warps
/// behind it are not asked: the FMA half that an instruction will take is settled when its warp is
/// first considered. `pass` is a cycle in which it is known that none is eligible. Times are real
/// cycles.
template <typename T>
concept SchedulerPolicy = requires(T policy, NoWarps warps) {
  T(SchedulerSpec{}, 1);
  { policy.pick(Cycle{}, warps) } -> std::same_as<int>;
  policy.pass(Cycle{});
  policy.issued(Cycle{}, true);
};

/// How often each warp issued of late: counters that see an issue some cycles later, and that are
/// all halved when one would pass its limit. They go on while the read pipeline stands still.
/// Source: H200, own loops `issue.*`: every one of 36,893 choices among three and four warps. That
/// a standstill does not hold them: straight beginnings of `random` loops of fixed latency, the
/// clock read behind each: three warps a block 9,487 of 18,833 runs with one count at the start for
/// all, 7,770 if it did; two warps 16,188 of 16,564 and 16,040.
class RecentIssues {
 public:
  RecentIssues(const SchedulerSpec& spec, int warps)
      : delay_(spec.issue_count_delay_cycles),
        limit_(spec.issue_count_limit),
        counts_(static_cast<std::size_t>(warps)) {}

  int of(int warp) const { return counts_[static_cast<std::size_t>(warp)]; }
  int warps() const { return static_cast<int>(counts_.size()); }

  /// A warp alone is not counted: nothing depends on it, and its state repeats sooner.
  void issued(Cycle now, int warp) {
    if (warps() > 1) unseen_.push_back({now + delay_, warp});
  }

  void start_at(int warp, int issues) { counts_[static_cast<std::size_t>(warp)] = issues; }

  /// Counts what is due at `now`.
  void see(Cycle now) {
    for (; !unseen_.empty() && unseen_.front().due <= now; unseen_.pop_front())
      count(unseen_.front().warp);
  }

  /// As if all that was due before `now` had been counted.
  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    RecentIssues seen = *this;
    seen.see(now - 1);
    for (const int n : seen.counts_) out.put(n);
    out.put(seen.unseen_.size());
    for (const Issue& issue : seen.unseen_) {
      out.time(issue.due, now);
      out.put(issue.warp);
    }
  }

 private:
  struct Issue {
    Cycle due;
    int warp;
  };

  void count(int warp) {
    int& n = counts_[static_cast<std::size_t>(warp)];
    if (n < limit_) {
      ++n;
      return;
    }
    for (int& each : counts_) each /= 2;
  }

  Cycle delay_;
  int limit_;
  std::vector<int> counts_;
  Ring<Issue> unseen_;
};

/// Stay on the warp that issued last while it is eligible, also over cycles in which nobody issues,
/// unless it asked to yield; else the one that issued least of late, of equals the youngest. Warps
/// whose last instruction asked to yield go behind all others.
/// A warp that finds no room in the special functions' queue is no longer the one that issued last,
/// nor one that yielded; one that finds a barrier up is no longer the one that issued last.
/// Source: H200, own loops `issue.*`, and the straight beginnings of 257 `random` loops, the clock
/// read behind each: with two warps a block 2 % of the runs of fixed-latency code are wrong, and
/// 27 % if a yield counts as one issue. Of those with MUFU and POPC 16 % are wrong, 21 % if a yield
/// outlasts the wait for the queue, 31 % if having issued last does, too. What tells the last
/// instruction's yield from the next one's is straight code behind one that does not yield: 86 of
/// 89 runs with three warps, 74 with the next's.
class GreedyThenLeastIssued {
 public:
  GreedyThenLeastIssued(const SchedulerSpec& spec, int warps)
      : recent_(spec, warps), have_yielded_(warps) {}

  template <typename Warps>
  int pick(Cycle now, Warps& warps) {
    if (recent_.warps() == 1) return warps.eligible(0) ? last_ = 0 : -1;
    recent_.see(now);
    forget_who_waits(warps);
    if (last_ >= 0 && !yielded_ && warps.eligible(last_)) return last_;
    WarpSet asked = awake(warps);
    for (int w = first_in_line(asked); w >= 0; w = first_in_line(asked)) {
      if (warps.can_issue(w)) return last_ = w;
      asked.remove(w);
    }
    return -1;
  }
  /// Begins as if `warp` had issued last, and so often of late; the others have not.
  void start_with(int warp, int issues) {
    if (recent_.warps() < 2) return;
    recent_.start_at(warp, issues);
    last_ = warp;
  }
  void pass(Cycle now) { recent_.see(now); }
  void issued(Cycle now, bool yielded) {
    if (recent_.warps() == 1) return;
    yielded_ = yielded;
    if (yielded)
      have_yielded_.add(last_);
    else
      have_yielded_.remove(last_);
    recent_.issued(now, last_);
  }
  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    out.put(last_ * 2 + (yielded_ ? 1 : 0));
    if (recent_.warps() > 1)
      for (int w = 0; w < recent_.warps(); ++w) out.put(have_yielded_.has(w) ? 1 : 0);
    recent_.save(now, out);
  }

 private:
  /// More than a warp can have issued of late.
  static constexpr int kBehindAll = 1 << 20;

  /// A warp that finds no room in a queue is no more the one that issued last, nor one that asked
  /// to yield; one that finds a barrier up is no more the one that issued last.
  template <typename Warps>
  void forget_who_waits(Warps& warps) {
    if (last_ >= 0 && warps.awake(last_)) {
      const bool queue = warps.waits_for_queue(last_);
      if (queue) have_yielded_.remove(last_);
      if (queue || warps.waits_for_barrier(last_)) last_ = -1;
    }
    have_yielded_.for_each([&](int w) {
      if (warps.awake(w) && warps.waits_for_queue(w)) have_yielded_.remove(w);
    });
  }

  template <typename Warps>
  WarpSet awake(const Warps& warps) const {
    WarpSet awake(recent_.warps());
    for (int w = 0; w < recent_.warps(); ++w)
      if (warps.awake(w)) awake.add(w);
    return awake;
  }

  /// Of a set of warps: of those with the fewest issues of late the youngest; -1: it is empty.
  int first_in_line(const WarpSet& of) const {
    int best = -1;
    int fewest = 0;
    of.for_each([&](int w) {
      const int issues = recent_.of(w) + (have_yielded_.has(w) ? kBehindAll : 0);
      if (best >= 0 && issues > fewest) return;
      best = w;
      fewest = issues;
    });
    return best;
  }

  RecentIssues recent_;
  WarpSet have_yielded_;  ///< with their last instruction
  int last_ = -1;
  bool yielded_ = false;
};

/// Warps by age: stay on the warp that issued last while it is eligible, else the youngest
/// (`greedy_then_youngest`: Huerta et al., MICRO 2025, sec. 5, of Ampere, and RTX 3060,
/// amp86-stall-*, 0.34 % off with no number fitted) or the oldest
/// (`greedy_then_oldest`); or always the next eligible one behind it (`loose_round_robin`).
class ByAge {
 public:
  ByAge(const SchedulerSpec& spec, int warps)
      : warps_(warps),
        greedy_(spec.policy != "loose_round_robin"),
        step_(spec.policy == "greedy_then_oldest" || !greedy_ ? 1 : -1) {}

  template <typename Warps>
  int pick(Cycle /*now*/, Warps& warps) {
    if (greedy_ && last_ >= 0 && warps.eligible(last_)) return last_;
    int w = greedy_ ? (step_ > 0 ? 0 : warps_ - 1) : (last_ + 1) % warps_;
    for (int i = 0; i < warps_; ++i, w = (w + step_ + warps_) % warps_) {
      if (greedy_ && w == last_) continue;
      if (warps.eligible(w)) return last_ = w;
    }
    return -1;
  }
  void pass(Cycle /*now*/) {}
  void issued(Cycle /*now*/, bool /*yielded*/) {}
  template <typename Writer>
  void save(Cycle /*now*/, Writer& out) const {
    out.put(last_);
  }

 private:
  int warps_;
  bool greedy_;
  int step_;
  int last_ = -1;
};

}  // namespace smsim
