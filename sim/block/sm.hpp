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
template <typename Scheduler, typename OperandStage, typename Sink>
class Sm {
 public:
  using Block = ProcessingBlock<Scheduler, OperandStage, Sink>;

  /// `warps_of_block[b]` warps on block b; every warp runs at most `limit` iterations.
  Sm(const CompiledLoop& loop, const Arch& arch, const std::vector<int>& warps_of_block,
     std::uint64_t limit, Sink& sink)
      : code_(loop.code.data()),
        buses_(arch),
        unit_(arch),
        sync_(arch.scheduler),
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
    write_loads(now);
    sync_.settle(running_warps());
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
    buses_.save(now, out);
    out.put(next_write_);
    unit_.save(code_, now, out);
    sync_.save(now, out);
    for (const Block& b : blocks_) b.save(now, out);
  }

 private:
  /// Each register bus serves one block; instructions without registers need none.
  void grant(Cycle now) {
    const auto n = static_cast<int>(blocks_.size());
    RegisterBuses::Requests requests{};
    bool any = false;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      requests[b] = blocks_[b].memory_wants(now);
      any = any || requests[b].asks;
    }
    if (!any) return;
    for (const Bus bus : {Bus::operands, Bus::last}) {
      for (int b = buses_.next(bus, requests, n, now); b >= 0;
           b = buses_.next(bus, requests, n, now)) {
        const auto at = static_cast<std::size_t>(b);
        requests[at].asks = false;
        if (!blocks_[at].serve_memory(now, unit_)) continue;
        buses_.served(bus, b, now);
        break;
      }
    }
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      if (requests[b].asks && requests[b].bus == Bus::none) blocks_[b].serve_memory(now, unit_);
  }

  /// The return bus brings one write of a load a cycle, of the blocks whose next one is due and
  /// finds its port free, going round. A write that found it taken makes all behind it later.
  void write_loads(Cycle now) {
    const std::size_t n = blocks_.size();
    const std::size_t first = next_write_;
    bool bus_taken = false;
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t b = (first + k) % n;
      const bool over_bus = blocks_[b].returned_load_is_next();
      if ((over_bus && bus_taken) || !blocks_[b].write_load(now) || !over_bus) continue;
      bus_taken = true;
      next_write_ = (b + 1) % n;
    }
  }

  int running_warps() const {
    int n = 0;
    for (const Block& b : blocks_) n += b.running_warps();
    return n;
  }

  std::vector<Block> blocks_;
  const StaticInst* code_;
  RegisterBuses buses_;
  LoadStoreUnit unit_;
  SyncBarrier sync_;
  std::size_t next_write_ = 0;  ///< block that is first asked for a load's write
  std::uint64_t limit_;
  Sink& sink_;
};

}  // namespace smsim
