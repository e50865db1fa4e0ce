// SPDX-License-Identifier: MIT
// Steady state: run until the machine's relative state at an iteration's end has been seen before.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "block/run_outcome.hpp"
#include "block/sm.hpp"
#include "core/state_writer.hpp"

namespace smsim {

/// Drives one Sm. A repeat of the state proves the period: cycles per iteration is then an exact
/// fraction.
template <typename Machine>
class SteadyStateRunner {
 public:
  SteadyStateRunner(Machine& sm, bool skip_ahead) : sm_(sm), skip_ahead_(skip_ahead) {}

  /// Goes on with `copy`, a copy of the other one's machine.
  SteadyStateRunner(Machine& copy, const SteadyStateRunner& at)
      : sm_(copy),
        skip_ahead_(at.skip_ahead_),
        stuck_(at.stuck_),
        idle_cycles_(at.idle_cycles_),
        now_(at.now_),
        iterations_seen_(at.iterations_seen_) {}

  struct Repeat {
    bool found = false;
    bool uneven = false;  ///< the state repeats, but some warps did more iterations than others
    Cycle begin = 0;
    Cycle end = 0;
    std::uint64_t iterations = 0;
    std::size_t look = 0;             ///< the one at `begin`, counted from 0
    std::vector<std::uint64_t> each;  ///< iterations of each warp in the period
  };

  /// Runs until the state repeats, or until the warps of the first block have done `max_iterations`
  /// on average. The state is looked at whenever a warp of the first block ends an iteration: any
  /// warp, since a scheduler may starve one. `each` is called then.
  template <typename Each>
  Repeat find(std::uint64_t max_iterations, Each&& each) {
    struct Seen {
      Cycle at;
      std::vector<std::uint64_t> iterations;
      std::size_t look;
    };
    std::unordered_map<std::string, Seen> seen;
    const std::uint64_t limit = max_iterations * sm_.blocks().front().warps().size();
    while (iterations_seen_ < limit && run_iteration()) {
      sm_.come_to(now_);
      each();
      const std::size_t looks = seen.size();
      auto [it, fresh] = seen.try_emplace(state(), Seen{now_, iterations(), looks});
      if (!fresh) return compare(it->second.at, it->second.iterations, it->second.look);
    }
    return {};
  }

  /// Runs until a warp of the first block has ended an iteration; false if nothing runs any more or
  /// the machine is stuck.
  bool run_iteration() {
    while (sm_.running()) {
      if (!step(kNever, true)) return false;
      const std::uint64_t done = sm_.blocks().front().iterations();
      if (done == iterations_seen_) continue;
      iterations_seen_ = done;
      return true;
    }
    return false;
  }

  /// The machine state, relative to now.
  std::string state() const {
    StateWriter state;
    sm_.save(now_, state);
    return state.bytes();
  }

  /// Runs up to and excluding `end`, or until no warp runs. False if the machine is stuck.
  bool run_until(Cycle end) {
    while (now_ < end && sm_.running()) {
      if (!step(end, false)) return false;
    }
    return true;
  }

  const Machine& machine() const { return sm_; }
  Cycle now() const { return now_; }
  bool stuck() const { return stuck_; }

  /// Of the warp that has done most.
  std::uint64_t most_iterations() const {
    std::uint64_t most = 0;
    for (const auto& b : sm_.blocks())
      for (const auto& w : b.warps()) most = std::max(most, w.iterations);
    return most;
  }

  std::vector<std::uint64_t> iterations() const {
    std::vector<std::uint64_t> n;
    for (const auto& b : sm_.blocks())
      for (const auto& w : b.warps()) n.push_back(w.iterations);
    return n;
  }

 private:
  /// One cycle in which something may happen; then on to the next such cycle, before `end`.
  /// `looks`: the state is looked at when the first block ends an iteration.
  bool step(Cycle end, bool looks) {
    const bool moved = sm_.tick(now_, skip_ahead_);
    if (skip_ahead_) {
      // behind the end of an iteration the state is looked at, in the same cycle as a plain run
      // does
      const bool looked_at = sm_.blocks().front().iterations() != iterations_seen_;
      const bool at_once = (looks && looked_at) || !sm_.running();
      // who watches wants to see all blocks side by side
      if constexpr (Machine::kMayRunAlone)
        if (!at_once) sm_.run_alone(now_ + 1, end, looks);
      const Cycle next = at_once ? now_ + 1 : sm_.next_event(now_);
      if (next >= kNever) return !(stuck_ = true);
      sm_.go_to(now_ = std::min(next, end));
      return true;
    }
    ++now_;
    // a plain-ticking run has no next event to ask: long silence means stuck
    idle_cycles_ = moved ? 0 : idle_cycles_ + 1;
    return idle_cycles_ <= kSilence || !(stuck_ = true);
  }

  Repeat compare(Cycle begin, const std::vector<std::uint64_t>& before, std::size_t look) const {
    Repeat r{true, false, begin, now_, 0, look, iterations()};
    for (std::size_t w = 0; w < r.each.size(); ++w) r.each[w] -= before[w];
    r.iterations = r.each.front();
    r.uneven = std::any_of(r.each.begin(), r.each.end(),
                           [&](std::uint64_t each) { return each != r.iterations; });
    return r;
  }

  static constexpr int kSilence = 1 << 20;
  Machine& sm_;
  bool skip_ahead_;
  bool stuck_ = false;
  int idle_cycles_ = 0;
  Cycle now_ = 0;
  std::uint64_t iterations_seen_ = 0;  ///< of the first block's warps, when last looked at
};

}  // namespace smsim
