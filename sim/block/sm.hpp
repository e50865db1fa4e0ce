// SPDX-License-Identifier: MIT
// Streaming multiprocessor: processing blocks side by side with the units that they share.
#pragma once

#include <algorithm>
#include <array>
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
      : code_(loop.code.data()),
        unit_(arch),
        sync_cycles_(arch.scheduler.barrier_sync_cycles),
        arrival_cycles_(arch.scheduler.barrier_arrival_cycles),
        limit_(limit),
        sink_(sink) {
    blocks_.reserve(warps_of_block.size());
    for (std::size_t b = 0; b < warps_of_block.size(); ++b)
      blocks_.emplace_back(loop, arch, static_cast<int>(b), warps_of_block[b], sink);
  }

  /// Runs one cycle; true if anything moved.
  bool tick(Cycle now) {
    for (Block& b : blocks_) b.tick_queues(now);
    grant(now);
    bool moved = false;
    for (Block& b : blocks_) moved = b.issue(now, sync_, limit_) || moved;
    unit_.tick(now, sink_);
    for (const LoadReturn& load : unit_.done())
      blocks_[static_cast<std::size_t>(load.block)].add_load(load);
    unit_.done().clear();
    for (Block& b : blocks_) b.write_loads(now);
    const int running = running_warps();
    if (sync_.complete(running)) sync_.open(now + sync_cycles_ + arrival_cycles_ * (running - 1));
    return moved;
  }

  /// The earliest cycle after `now` at which anything can change; kNever when nothing ever will.
  Cycle next_event(Cycle now) const {
    Cycle best = kNever;
    for (const Block& b : blocks_) best = std::min(best, b.next_event(now, sync_));
    return std::min(best, unit_.next_after(now, best));
  }

  bool running() const {
    return std::any_of(blocks_.begin(), blocks_.end(), [](const Block& b) { return b.running(); });
  }
  std::vector<Block>& blocks() { return blocks_; }
  const std::vector<Block>& blocks() const { return blocks_; }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    unit_.save(code_, now, out);
    sync_.save(now, out);
    for (const Block& b : blocks_) b.save(now, out);
  }

 private:
  /// The SM grants one data register and one address a cycle, each going round the blocks.
  void grant(Cycle now) {
    const auto n = static_cast<int>(blocks_.size());
    std::array<MemoryGrant, LoadStoreUnit::kMaxBlocks> wants{};
    bool any = false;
    for (int b = 0; b < n; ++b) {
      wants[static_cast<std::size_t>(b)] = blocks_[static_cast<std::size_t>(b)].memory_wants(now);
      any = any || wants[static_cast<std::size_t>(b)] != MemoryGrant::none;
    }
    if (!any) return;
    const int data = unit_.first_for_data();
    const int address = unit_.first_for_address();
    for (int k = 0; k < n; ++k) serve(now, (data + k) % n, wants, MemoryGrant::data);
    for (int k = 0; k < n; ++k) serve(now, (address + k) % n, wants, MemoryGrant::address);
  }

  void serve(Cycle now, int block, const std::array<MemoryGrant, LoadStoreUnit::kMaxBlocks>& wants,
             MemoryGrant what) {
    const auto b = static_cast<std::size_t>(block);
    if (wants[b] == what) blocks_[b].serve_memory(now, unit_);
  }

  int running_warps() const {
    int n = 0;
    for (const Block& b : blocks_) n += b.running_warps();
    return n;
  }

  std::vector<Block> blocks_;
  const StaticInst* code_;
  LoadStoreUnit unit_;
  SyncBarrier sync_;
  Cycle sync_cycles_;
  Cycle arrival_cycles_;
  std::uint64_t limit_;
  Sink& sink_;
};

}  // namespace smsim
