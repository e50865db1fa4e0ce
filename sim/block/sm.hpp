// SPDX-License-Identifier: MIT
// Streaming multiprocessor: processing blocks side by side with the units that they share.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <concepts>
#include <vector>

#include "block/event_sink.hpp"
#include "block/processing_block.hpp"

namespace smsim {

/// Steps all blocks cycle by cycle, back to front: what ends in a cycle is seen by issue in the
/// same cycle, what issues is seen by the units in the next.
template <typename Scheduler, typename OperandStage, typename Sink>
class Sm {
 public:
  using Block = ProcessingBlock<Scheduler, OperandStage, Sink>;
  static constexpr bool kMayRunAlone = std::same_as<Sink, NoEvents>;

  /// `warps_of_block[b]` warps on block b; every warp runs at most `limit` iterations. Where a part
  /// of the SM is run alone, `first_block` is the first of its blocks.
  Sm(const CompiledLoop& loop, const Arch& arch, const std::vector<int>& warps_of_block,
     std::uint64_t limit, Sink& sink, int first_block = 0)
      : code_(loop.code.data()),
        buses_(arch),
        unit_(arch),
        sync_(arch.scheduler, loop.count_thread_blocks()),
        requests_(warps_of_block.size()),
        limit_(limit),
        sink_(sink) {
    blocks_.reserve(warps_of_block.size());
    const auto plans = OperandStage::plans_of(arch, loop.code);
    for (std::size_t b = 0; b < warps_of_block.size(); ++b)
      blocks_.emplace_back(loop, arch, static_cast<int>(b), warps_of_block[b], sink, first_block,
                           plans);
  }

  /// Runs one cycle; true if anything moved. `skip_ahead`: blocks in which nothing is due are not
  /// looked at.
  bool tick(Cycle now, bool skip_ahead) {
    next_ = now + 1;
    for (Block& b : blocks_)
      if (!skip_ahead || b.due(now)) b.tick_queues(now);
    grant(now);
    bool moved = false;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (skip_ahead && !blocks_[b].due(now)) continue;
      moved = blocks_[b].issue(now, sync_, limit_, skip_ahead) || moved;
      memory_busy_[b] = !blocks_[b].memory_idle();
    }
    if (!unit_.idle()) take_returns(now);
    if (have_loads_.any()) write_loads(now);
    if (sync_.settle([this](std::size_t b) { return running_warps(b); }))
      for (Block& b : blocks_) b.wake();
    return moved;
  }

  /// Cycle `from` is next: blocks that the units have nothing to do with run on by themselves,
  /// before `end`. If it is `watched` when the first one ends an iteration, since the state is
  /// looked at there, none passes the cycle in which it may next do so.
  void run_alone(Cycle from, Cycle end, bool watched) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      LoneRun run(blocks_[b], watched && b == 0, limit_);
      Cycle to = from;
      if (!memory_busy_[b] && !have_loads_[b] && !unit_.owes(b)) {
        to = run.run(from, end, sync_);
        memory_busy_[b] = !blocks_[b].memory_idle();
      }
      if (watched && b == 0) end = std::min(end, to + run.to_iteration_end());
    }
  }

  /// The earliest cycle after `now` at which anything can change; kNever when nothing ever will.
  Cycle next_event(Cycle now) const {
    Cycle best = kNever;
    for (const Block& b : blocks_) {
      best = std::min(best, b.next_event(now));
      if (best <= now + 1) return best;
    }
    return std::min(best, unit_.next_after(now, best));
  }

  /// Every warp will run at most so many iterations; none may have done as many.
  void set_limit(std::uint64_t limit) { limit_ = limit; }

  bool running() const {
    return std::any_of(blocks_.begin(), blocks_.end(), [](const Block& b) { return b.running(); });
  }
  /// The cycle before which all has been done, and which is run next.
  Cycle next() const { return next_; }
  void go_to(Cycle next) { next_ = next; }
  /// Makes the state that of cycle `now`, before which all has been done.
  void come_to(Cycle now) {
    for (Block& b : blocks_) b.come_to(now);
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

  /// What the state does not tell of the slots before `now` that are not booked yet.
  template <typename Writer>
  void save_unbooked(Cycle now, Writer& out) const {
    for (const Block& b : blocks_) b.save_unbooked(now, sync_, out);
  }

 private:
  /// Each register bus serves one block; instructions without registers need none.
  void grant(Cycle now) {
    if (memory_busy_.none()) return;
    std::array<bool, 3> asked{};
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      requests_[b].asks = false;
      if (!memory_busy_[b]) continue;
      requests_[b] = blocks_[b].memory_wants(now);
      if (requests_[b].asks) asked[static_cast<std::size_t>(requests_[b].bus)] = true;
    }
    for (const Bus bus : {Bus::operands, Bus::last})
      if (asked[static_cast<std::size_t>(bus)]) grant_bus(bus, now);
    if (!asked[static_cast<std::size_t>(Bus::none)]) return;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      if (requests_[b].asks && requests_[b].bus == Bus::none) blocks_[b].serve_memory(now, unit_);
  }

  /// To the first block in line that can use it.
  void grant_bus(Bus bus, Cycle now) {
    for (int b = buses_.next(bus, requests_, now); b >= 0; b = buses_.next(bus, requests_, now)) {
      const auto at = static_cast<std::size_t>(b);
      requests_[at].asks = false;
      if (blocks_[at].serve_memory(now, unit_)) return buses_.served(bus, b, now);
    }
  }

  /// The load/store unit's cycle: what it gives back goes to the blocks.
  void take_returns(Cycle now) {
    unit_.tick(now, sink_);
    for (const LoadReturn& load : unit_.done()) {
      blocks_[static_cast<std::size_t>(load.block)].add_load(load);
      have_loads_[static_cast<std::size_t>(load.block)] = true;
    }
    unit_.done().clear();
  }

  /// The return bus brings one write of a load a cycle, of the blocks whose next one is due and
  /// finds its port free, going round. A write that found it taken makes all behind it later.
  void write_loads(Cycle now) {
    const std::size_t n = blocks_.size();
    bool bus_taken = false;
    std::size_t b = next_write_;
    for (std::size_t k = 0; k < n; ++k, b = b + 1 < n ? b + 1 : 0) {
      if (!have_loads_[b]) continue;
      const bool over_bus = blocks_[b].returned_load_is_next();
      if ((over_bus && bus_taken) || !blocks_[b].write_load(now)) continue;
      have_loads_[b] = blocks_[b].has_loads();
      if (!over_bus) continue;
      bus_taken = true;
      next_write_ = b + 1 < n ? b + 1 : 0;
    }
  }

  int running_warps(std::size_t thread_block) const {
    std::ptrdiff_t n = 0;
    for (const Block& b : blocks_) {
      n += sync_.thread_blocks() == 1
               ? b.running_warps()
               : std::count_if(b.warps().begin(), b.warps().end(), [&](const Warp& warp) {
                   return warp.running && warp.thread_block == thread_block;
                 });
    }
    return static_cast<int>(n);
  }

  std::vector<Block> blocks_;
  const StaticInst* code_;
  RegisterBuses buses_;
  LoadStoreUnit unit_;
  SyncBarrier sync_;
  std::vector<BusRequest> requests_;                    ///< of each block, in this cycle
  std::bitset<LoadStoreUnit::kMaxBlocks> memory_busy_;  ///< blocks whose memory queue is not idle
  std::bitset<LoadStoreUnit::kMaxBlocks> have_loads_;   ///< blocks with loads that have returned
  std::size_t next_write_ = 0;  ///< block that is first asked for a load's write
  std::uint64_t limit_;
  Cycle next_ = 0;
  Sink& sink_;
};

}  // namespace smsim
