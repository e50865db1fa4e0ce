// SPDX-License-Identifier: MIT
// Run alone: a processing block runs ahead of the SM for as long as nothing outside can reach it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cycle.hpp"
#include "execute/sync_barrier.hpp"

namespace smsim {

/// Runs a block that the SM's units owe nothing from cycle `from` on, before `end`: until it asks
/// something of them, or a warp comes to a BAR.SYNC, to its end or to that of an iteration. Returns
/// the cycle before which all has been done. One block's cycles in a row cost less than those of
/// all blocks in turn: 0.34 ms for 0.40 a prediction (bench/python).
template <typename Block>
Cycle run_alone(Block& block, Cycle from, Cycle end, SyncBarrier& sync, std::uint64_t limit) {
  Cycle now = std::max(from, block.due_at());
  while (now < end && !block.meets_others()) {
    block.tick_queues(now);
    block.issue(now, sync, limit, true);
    block.has_run_to(now + 1);
    if (!block.memory_idle()) return now + 1;
    now = std::max(now + 1, block.due_at());
  }
  return std::min(now, end);
}

}  // namespace smsim
