// SPDX-License-Identifier: MIT
// Run alone: a processing block runs ahead of the SM for as long as nothing outside can reach it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cycle.hpp"
#include "execute/sync_barrier.hpp"

namespace smsim {

/// Runs a block that the SM's units owe nothing from cycle `from` on, before `end`: until it asks
/// something of them, or a warp comes to a BAR.SYNC or to its end, or to that of an iteration if
/// those are `watched`. Returns the cycle before which all has been done. One block's cycles in a
/// row cost less than those of all blocks in turn: 0.34 ms for 0.40 a prediction (bench/python).
template <typename Block>
Cycle run_alone(Block& block, Cycle from, Cycle end, bool watched, SyncBarrier& sync,
                std::uint64_t limit) {
  Cycle now = std::max(from, block.due_at());
  if (now >= end || block.meets_others(watched, limit)) return std::min(now, end);
  while (now < end) {
    block.tick_queues(now);
    block.issue(now, sync, limit, true);
    block.has_run_to(now + 1);
    if (!block.memory_idle()) return now + 1;
    now = std::max(now + 1, block.due_at());
    if (block.comes_to_meeting() && block.meets_others(watched, limit)) break;
  }
  return std::min(now, end);
}

}  // namespace smsim
