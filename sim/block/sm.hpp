// SPDX-License-Identifier: MIT
// Streaming multiprocessor: processing blocks side by side with the units that they share.
#pragma once

#include <algorithm>
#include <vector>

#include "block/processing_block.hpp"

namespace smsim {

/// Steps all blocks cycle by cycle, back to front: what ends in a cycle is seen by issue in the
/// same cycle, what issues is seen by the units in the next.
template <SchedulerPolicy Scheduler, typename OperandStage, typename Sink>
class Sm {
 public:
  using Block = ProcessingBlock<Scheduler, OperandStage, Sink>;

  /// `warps_of_block[b]` warps on block b; every warp runs at most `limit` iterations.
  Sm(const CompiledLoop& loop, const Arch& arch, const std::vector<int>& warps_of_block,
     std::uint64_t limit, Sink& sink)
      : unit_(arch), sync_cycles_(arch.scheduler.barrier_sync_cycles), limit_(limit) {
    blocks_.reserve(warps_of_block.size());
    for (std::size_t b = 0; b < warps_of_block.size(); ++b)
      blocks_.emplace_back(loop, arch, static_cast<int>(b), warps_of_block[b], sink);
  }

  /// Runs one cycle; true if any block issued.
  bool tick(Cycle now) {
    bool issued = false;
    for (Block& b : blocks_) b.write_back(now);
    const int n = static_cast<int>(blocks_.size());
    for (int i = 0, first = unit_.first_block(n); i < n; ++i)
      blocks_[static_cast<std::size_t>((first + i) % n)].access_memory(now, unit_);
    for (Block& b : blocks_) issued = b.issue(now, sync_, limit_) || issued;
    if (sync_.complete(running_warps())) sync_.open(now + sync_cycles_);
    return issued;
  }

  /// The earliest cycle after `now` at which anything can change; kNever when nothing ever will.
  Cycle next_event(Cycle now) const {
    Cycle best = kNever;
    for (const Block& b : blocks_) best = std::min(best, b.next_event(now, sync_));
    if (!unit_.free(now + 1)) best = std::min(best, std::max(now + 1, unit_.free_at()));
    return best;
  }

  bool running() const {
    return std::any_of(blocks_.begin(), blocks_.end(), [](const Block& b) { return b.running(); });
  }
  std::vector<Block>& blocks() { return blocks_; }
  const std::vector<Block>& blocks() const { return blocks_; }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    unit_.save(now, out);
    sync_.save(now, out);
    for (const Block& b : blocks_) b.save(now, out);
  }

 private:
  int running_warps() const {
    int n = 0;
    for (const Block& b : blocks_) n += b.running_warps();
    return n;
  }

  std::vector<Block> blocks_;
  SharedUnit unit_;
  SyncBarrier sync_;
  Cycle sync_cycles_;
  std::uint64_t limit_;
};

}  // namespace smsim
