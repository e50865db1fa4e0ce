// SPDX-License-Identifier: MIT
// Slot holds: what has kept a warp of a processing block from issuing, and until when.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "block/slot_account.hpp"
#include "core/cycle.hpp"
#include "execute/sync_barrier.hpp"
#include "isa/static_inst.hpp"
#include "issue/warp.hpp"

namespace smsim {

/// All holds are on the front end's clock.
template <typename Block>
class SlotHolds {
 public:
  using Hold = SlotAccount::Hold;

  SlotHolds(const Block& block, Cycle now, const SyncBarrier& sync)
      : block_(block), now_(now), sync_(sync) {}

  /// Those of a warp that issues now, in the order in which slots are booked to them.
  std::array<Hold, 7> of(const Warp& warp) const {
    const StaticInst& inst = block_.loop_.code[warp.pc];
    const auto pipe = static_cast<std::uint16_t>(warp.pipe);
    return all(warp, block_.back_end_.room_at(inst, pipe, block_.clock_.frozen()));
  }

  /// All that the booking of slots before now can depend on and that lies behind, so that the
  /// block's state does not tell it.
  template <typename Writer>
  void save(Writer& out) const {
    const Cycle time = block_.clock_.at(now_);
    const Cycle from = block_.account_.from();
    block_.account_.save_unbooked(time, out);
    if (from >= time) return;
    const auto put = [&](Cycle until) { out.put(std::clamp(until, from, time) - from); };
    block_.back_end_.for_each_room(block_.clock_.frozen(), put);
    for (const Warp& warp : block_.warps_) {
      if (!warp.running) continue;
      // its pipe may not be chosen yet: the rooms of all have been told
      for (const Hold& hold : all(warp, 0)) {
        put(hold.until);
        out.put(static_cast<int>(hold.reason));
      }
    }
  }

 private:
  std::array<Hold, 7> all(const Warp& warp, Cycle room_at) const {
    const StaticInst& inst = block_.loop_.code[warp.pc];
    return {Hold{warp.ready_at, warp.ready_reason},
            entry_to_active_set(warp),
            Hold{block_.clock_.at(warp.not_before), StallReason::yield},
            Hold{block_.clock_.at(block_.here_at(warp, inst)), StallReason::no_instruction},
            Hold{opening(warp, inst), StallReason::barrier},
            cleared(warp, inst),
            Hold{room_at, inst.throttle}};
  }

  Cycle opening(const Warp& warp, const StaticInst& inst) const {
    const Cycle open = sync_.open_at(warp.thread_block);
    const bool synced = inst.waits_for_sync && open <= now_ &&
                        sync_.generation(warp.thread_block) == warp.sync_generation + 1;
    return synced ? block_.clock_.at(open) : 0;
  }

  Hold cleared(const Warp& warp, const StaticInst& inst) const {
    const bool waits = inst.wait_mask != 0 || !block_.scoreboards_.empty();
    return {waits ? warp.barrier_clear_at : 0, warp.barrier_reason};
  }

  Hold entry_to_active_set(const Warp& warp) const {
    if constexpr (Block::kActiveSet) {
      const auto entry = block_.scheduler_.entry(static_cast<int>(block_.index_of(warp)));
      return {block_.clock_.at(entry.at), entry.reason};
    }
    return {0, StallReason::misc};
  }

  const Block& block_;
  Cycle now_;
  const SyncBarrier& sync_;
};

}  // namespace smsim
