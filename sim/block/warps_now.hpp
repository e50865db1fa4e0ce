// SPDX-License-Identifier: MIT
// Warps now: which warps of a processing block may issue in a cycle, what holds the others, and
// when that may end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/cycle.hpp"
#include "execute/sync_barrier.hpp"
#include "isa/static_inst.hpp"
#include "issue/warp.hpp"
#include "smsim/stall_reason.hpp"

namespace smsim {

/// What a scheduler may ask of a block's warps.
template <typename Block>
class WarpsNow {
 public:
  WarpsNow(Block& block, Cycle now, const SyncBarrier& sync)
      : block_(block), now_(now), sync_(sync) {}

  /// Whether neither stall count, branch nor yield holds it.
  bool awake(int w) const {
    const Warp& warp = at(w);
    return warp.running && block_.ready_at(warp) <= now_ && warp.not_before <= now_;
  }
  bool eligible(int w) const { return awake(w) && can_issue(w); }
  bool can_issue(int w) const { return block_.could_issue(at(w), now_, sync_); }
  bool waits_for_barrier(int w) const {
    const bool may = next_of(at(w)).wait_mask != 0 || !block_.scoreboards_.empty();
    return may && why(at(w)) == StallReason::short_scoreboard;
  }
  bool waits_for_queue(int w) const {
    const StaticInst& inst = next_of(at(w));
    return inst.route == Route::special && why(at(w)) == inst.throttle;
  }

  /// Whether it waits for something other than its stall count, its branch or a pipe.
  bool parked(int w) const {
    const Warp& warp = at(w);
    if (!warp.running) return true;
    if (block_.ready_at(warp) > now_) return false;
    return block_.held_at_sync(warp, next_of(warp), now_, sync_) || pending(warp) != 0;
  }

  /// The first of its constraints, in the order in which slots are booked, that holds it;
  /// selected: none, another warp was.
  StallReason why(const Warp& warp) const {
    const StaticInst& inst = next_of(warp);
    const Cycle time = block_.clock_.at(now_);
    if (block_.ready_at(warp) > now_) return warp.ready_reason;
    if (warp.not_before > now_) return StallReason::yield;
    if (block_.here_at(warp, inst) > now_) return StallReason::no_instruction;
    if (block_.held_at_sync(warp, inst, now_, sync_)) return StallReason::barrier;
    if (pending(warp) != 0 || waits_for_register(warp)) return StallReason::short_scoreboard;
    const std::uint16_t pipe = warp.pipe >= 0 ? static_cast<std::uint16_t>(warp.pipe)
                                              : block_.back_end_.choose_pipe(inst, time);
    return block_.back_end_.has_room(inst, pipe, now_, time) ? StallReason::selected
                                                             : inst.throttle;
  }

  /// The barriers of its wait mask that are still up.
  std::uint8_t pending(const Warp& warp) const {
    const std::uint8_t mask = next_of(warp).wait_mask;
    return mask != 0 ? warp.barriers.pending(mask, now_) : std::uint8_t{0};
  }

  /// None is eligible: the next cycle in which one may be, if nothing wakes the block.
  Cycle next_chance() const {
    Cycle best = kNever;
    for (const Warp& warp : block_.warps_) {
      if (warp.running) best = std::min(best, next_chance(warp));
      if (best <= now_ + 1) break;
    }
    return best;
  }

  /// Tells the block's sink why each warp but `issued` does not issue.
  void tell_waits(int issued) const {
    for (std::size_t w = 0; w < block_.warps_.size(); ++w) {
      const Warp& warp = block_.warps_[w];
      if (!warp.running || static_cast<int>(w) == issued) continue;
      block_.sink_.waits(now_, block_.id_, static_cast<int>(w), why(warp), pending(warp));
    }
  }

 private:
  Warp& at(int w) const { return block_.warps_[static_cast<std::size_t>(w)]; }
  const StaticInst& next_of(const Warp& warp) const { return block_.loop_.code[warp.pc]; }
  bool waits_for_register(const Warp& warp) const {
    if constexpr (Block::kPairs)
      return block_.waits_for_register(warp, next_of(warp));
    else
      return false;
  }

  /// The end of the first constraint that holds the warp; kNever where another unit ends it.
  Cycle next_chance(const Warp& warp) const {
    const StaticInst& inst = next_of(warp);
    const Cycle at = std::max({block_.ready_at(warp), warp.not_before, block_.here_at(warp, inst)});
    if (at > now_) return at;
    if (block_.held_at_sync(warp, inst, now_, sync_)) return sync_.opening(warp.thread_block, now_);
    if (pending(warp) != 0 || waits_for_register(warp)) return kNever;
    if (warp.pipe < 0 || inst.overflows) return now_ + 1;
    const auto pipe = static_cast<std::uint16_t>(warp.pipe);
    return std::max(now_ + 1, block_.back_end_.next_room(inst, pipe, block_.clock_.frozen()));
  }

  Block& block_;
  Cycle now_;
  const SyncBarrier& sync_;
};

}  // namespace smsim
