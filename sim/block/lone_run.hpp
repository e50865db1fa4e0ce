// SPDX-License-Identifier: MIT
// Lone run: a processing block runs ahead of the SM for as long as nothing outside can reach it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/cycle.hpp"
#include "execute/sync_barrier.hpp"
#include "isa/static_inst.hpp"
#include "issue/warp.hpp"

namespace smsim {

/// Of a block that the SM's units owe nothing. One block's cycles in a row cost less than those of
/// all blocks in turn: 0.34 ms for 0.40 a prediction (bench/python).
template <typename Block>
class LoneRun {
 public:
  /// `watched`: others have to do with it when a warp ends an iteration, not only when one joins
  /// others or does the last of `limit` iterations.
  LoneRun(Block& block, bool watched, std::uint64_t limit)
      : block_(block), watched_(watched), limit_(limit) {}

  /// Runs it from cycle `from` on, before `end`, until it asks something of the units or a warp
  /// comes to where others have to do with it. Returns the cycle before which all has been done.
  Cycle run(Cycle from, Cycle end, SyncBarrier& sync) {
    Cycle now = std::max(from, block_.due_);
    if (now >= end || meets_others()) return std::min(now, end);
    while (now < end) {
      block_.tick_queues(now);
      block_.issue(now, sync, limit_, true);
      block_.done_until_ = now + 1;
      block_.due_ = std::max(block_.due_, now + 1);
      if (!block_.memory_idle()) return now + 1;
      now = block_.due_;
      if (block_.comes_to_meeting_ && meets_others()) break;
    }
    return std::min(now, end);
  }

  /// In how many cycles at least a warp ends an iteration.
  Cycle to_iteration_end() const {
    const std::size_t length = block_.loop_.length;
    std::size_t issues = length;
    for (const Warp& w : block_.warps_)
      if (w.running && w.pc < length) issues = std::min(issues, length - w.pc);
    return static_cast<Cycle>(issues - 1) / (Block::kPairs ? 2 : 1);
  }

 private:
  bool meets_others() {
    block_.comes_to_meeting_ = false;
    return !block_.running() ||
           std::any_of(block_.warps_.begin(), block_.warps_.end(), [&](const Warp& w) {
             if (!w.running) return false;
             const StaticInst& next = block_.loop_.code[w.pc];
             const bool ends = next.ends_iteration && (watched_ || w.iterations + 1 >= limit_);
             return w.at_sync || next.meets_others || ends;
           });
  }

  Block& block_;
  bool watched_;
  std::uint64_t limit_;
};

}  // namespace smsim
