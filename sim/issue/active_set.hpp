// SPDX-License-Identifier: MIT
// Active set: a warp scheduler that chooses among a few warps of its block, whose places the others
// take in turn (Maxwell, Pascal).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"
#include "smsim/stall_reason.hpp"

namespace smsim {

/// At most `active_warps` warps of a block may issue: the one that issued last while it is
/// eligible, else the one that is in the set for longest. A warp leaves the set when it takes a
/// branch or waits for a barrier, and the one that waits for longest takes its place.
/// Source: published grids of a GM107. With sixteen warps and a stall count of S, instructions are
/// S / 4 cycles apart (`mxw-stall-all-*`, 4 to 15; sets of 3, 5 and 6 miss them by 15, 8 and 12 %).
/// All warps of five or more advance alike, so they must take turns. Two warps at stall 2 keep
/// their reuse entries against any number of others, so the order inside is fixed.
///
/// Stall counts of 12 to 15 without a yield request mean something else there (StaticInst::
/// unyielding): 12 is longer and keeps others of its kind off; after 13 to 15 the warp gives its
/// place away. The numbers are fitted to `mxw-reusestall-*` and `mxw-stall-*-noyield-*`.
class GreedyActiveSet {
 public:
  static constexpr std::size_t kMaxWarps = 256;  ///< the most that a config may hold

  GreedyActiveSet(const SchedulerSpec& spec, int warps)
      : spec_(spec), count_(static_cast<std::size_t>(warps)) {
    active_ = spec.active_warps > 0 ? std::min(count_, static_cast<std::size_t>(spec.active_warps))
                                    : count_;
    for (std::size_t i = 0; i < count_; ++i) order_[i] = static_cast<std::uint8_t>(i);
  }

  /// `warps.parked(w)`: it waits for something that is not its stall count. -1: none is eligible.
  template <typename Warps>
  int pick(Cycle now, Warps& warps) {
    if (active_ < count_) replace_parked([&](int w) { return warps.parked(w); });
    const auto can = [&](int w) {
      return entry_[static_cast<std::size_t>(w)].at <= now && warps.eligible(w);
    };
    if (last_ >= 0 && is_active(last_) && can(last_)) return last_;
    for (std::size_t i = 0; i < active_; ++i) {
      const int w = order_[i];
      if (w != last_ && can(w)) return last_ = w;
    }
    return -1;
  }

  void pass(Cycle /*now*/) {}

  /// Whether the instruction has to wait for another one of its kind.
  bool keeps_off(const StaticInst& inst, Cycle now) const {
    return inst.unyielding == 12 && now < apart_until_;
  }

  struct Delay {
    Cycle stall;       ///< on the front end's clock
    Cycle not_before;  ///< real cycle
  };

  /// What the stall count of an unyielding instruction that issues at `now` comes to.
  Delay delay(const StaticInst& inst, Cycle now) {
    if (inst.unyielding == 12) {
      apart_until_ = now + spec_.unyielding_12_apart_cycles;
      return {1, now + spec_.unyielding_12_cycles};
    }
    if (inst.unyielding == 13) return {spec_.unyielding_13_cycles, 0};
    return {inst.unyielding == 14 ? spec_.unyielding_14_cycles : spec_.unyielding_15_cycles, 0};
  }

  /// The warp has issued the instruction; `turn`: by how much a branch's target came late.
  void issued(int w, const StaticInst& inst, Cycle now, Cycle turn) {
    if (inst.taken_branch) give_place(w, {now + turn, StallReason::branch_resolving});
    if (inst.unyielding > 12 && active_ < count_)
      give_place(w, {now + spec_.unyielding_handover_cycles, StallReason::stall_count});
  }

  /// From when a warp may issue, and what in the warp whose place it took makes it wait until then.
  struct Entry {
    Cycle at = 0;  ///< real cycle
    StallReason reason = StallReason::stall_count;
  };
  Entry entry(int w) const { return entry_[static_cast<std::size_t>(w)]; }

  Cycle next_after(Cycle now, Cycle best) const {
    for (std::size_t i = 0; i < active_; ++i)
      if (entry_[order_[i]].at > now) best = std::min(best, entry_[order_[i]].at);
    return apart_until_ > now ? std::min(best, apart_until_) : best;
  }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    out.put(last_ + 1);
    for (std::size_t i = 0; i < count_; ++i) {
      out.put(order_[i]);
      out.time(entry_[order_[i]].at, now);
      out.put(static_cast<int>(entry_[order_[i]].reason));
    }
    out.time(apart_until_, now);
  }

 private:
  bool is_active(int w) const {
    const auto* end = order_.data() + active_;
    return std::find(order_.data(), end, static_cast<std::uint8_t>(w)) != end;
  }

  /// Moves the warp at `from` to the end of the order.
  void to_end(std::size_t from) {
    const auto at = order_.begin() + static_cast<std::ptrdiff_t>(from);
    std::rotate(at, at + 1, order_.begin() + static_cast<std::ptrdiff_t>(count_));
  }

  /// Puts the warp behind all others. If that lets another one into the set, this is its entry.
  void give_place(int w, Entry entry) {
    const auto* begin = order_.data();
    to_end(static_cast<std::size_t>(std::find(begin, begin + count_, static_cast<std::uint8_t>(w)) -
                                    begin));
    if (active_ < count_) entry_[order_[active_ - 1]] = entry;
  }

  /// Warps that wait for a barrier make room for those that do not.
  template <typename Parked>
  void replace_parked(Parked parked) {
    for (std::size_t i = 0; i < active_; ++i) {
      if (!parked(order_[i])) continue;
      std::size_t next = active_;
      while (next < count_ && parked(order_[next])) ++next;
      if (next == count_) return;
      const std::uint8_t enters = order_[next];
      const auto at = [&](std::size_t k) {
        return order_.begin() + static_cast<std::ptrdiff_t>(k);
      };
      std::rotate(at(active_), at(next), at(next + 1));  // it is the first of the waiting ones
      to_end(i);                                         // the last place of the set is its now
      entry_[enters] = {};
      --i;
    }
  }

  SchedulerSpec spec_;
  std::array<std::uint8_t, kMaxWarps> order_{};  ///< the set, longest in it first, then the waiting
  std::array<Entry, kMaxWarps> entry_{};
  std::size_t count_ = 0;
  std::size_t active_ = 0;
  Cycle apart_until_ = 0;
  int last_ = -1;
};

}  // namespace smsim
