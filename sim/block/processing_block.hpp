// SPDX-License-Identifier: MIT
// Processing block: one quarter of an SM, with its warps, scheduler, operand stage, pipes and
// memory queue.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "block/slot_account.hpp"
#include "core/cycle.hpp"
#include "execute/memory_queue.hpp"
#include "execute/pipes.hpp"
#include "execute/shared_unit.hpp"
#include "isa/static_inst.hpp"
#include "issue/warp.hpp"
#include "issue/warp_scheduler.hpp"
#include "scoreboard/release_queue.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Owns one of each unit and steps them back to front: barrier releases, memory queue, issue. The
/// policies are types, chosen once; the sink sees every issue.
template <SchedulerPolicy Scheduler, typename OperandStage, typename Sink>
class ProcessingBlock {
 public:
  ProcessingBlock(const CompiledLoop& loop, const Arch& arch, int id, int warps, Sink& sink)
      : loop_(loop),
        spec_(arch.scheduler),
        id_(id),
        operands_(arch),
        pipes_(arch),
        memory_(arch),
        account_(loop.code.size()),
        warps_(static_cast<std::size_t>(warps)),
        sink_(sink) {}

  /// Lowers the barriers whose operations are done.
  void write_back(Cycle now) {
    releases_.drain(now, [&](const Release& r) {
      Warp& w = warps_[r.warp];
      w.barriers.lower(r.barrier);
      w.barrier_clear_at = now - frozen_;
      w.barrier_reason = r.reason;
    });
  }

  /// Hands the oldest waiting memory instruction to the shared unit if both are ready.
  void access_memory(Cycle now, SharedUnit& unit) {
    if (!memory_.ready(now) || !unit.free(now)) return;
    const MemoryQueue::Entry e = memory_.pop(now);
    const StaticInst& inst = loop_.code[e.inst];
    unit.accept(now, id_, inst);
    schedule_releases(now, e.warp, inst);
  }

  /// Advances the read pipeline and issues one instruction if a warp is eligible; true if anything
  /// moved.
  bool issue(Cycle now, SyncBarrier& sync, std::uint64_t limit) {
    if (!advance_operands(now)) return true;
    std::uint64_t eligible = 0;
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      if (can_issue(warps_[w], now, sync)) eligible |= 1ULL << w;
    }
    if (eligible == 0) return !operands_.empty();
    const auto w = static_cast<std::size_t>(scheduler_.pick(eligible));
    book(now, warps_[w], sync);
    start(now, w, sync, limit);
    return true;
  }

  /// The earliest cycle after `now` at which something can change here.
  Cycle next_event(Cycle now, const SyncBarrier& sync) const {
    Cycle best = releases_.next();
    for (const Warp& w : warps_) {
      if (w.running && ready_at(w) > now) best = std::min(best, ready_at(w));
    }
    if (!operands_.empty()) return now + 1;
    if (sync.open_at() > now) best = std::min(best, sync.open_at());
    best = memory_.next_after(now, best);
    return std::max(now + 1, pipes_.next_after(now, best));
  }

  bool running() const {
    return std::any_of(warps_.begin(), warps_.end(), [](const Warp& w) { return w.running; });
  }
  int running_warps() const {
    return static_cast<int>(
        std::count_if(warps_.begin(), warps_.end(), [](const Warp& w) { return w.running; }));
  }
  const std::vector<Warp>& warps() const { return warps_; }
  const SlotAccount& account() const { return account_; }
  SlotAccount& account() { return account_; }
  const Pipes& pipes() const { return pipes_; }
  const OperandStage& operands() const { return operands_; }
  void reset_counts() {
    account_.reset_counts();
    pipes_.reset_counts();
    operands_.reset_counts();
  }

  /// Starts the slot account at `now`: cycles before it are not counted.
  void cut(Cycle now) { account_.cut(now - frozen_); }

  /// Ends it at `now`: slots lost since the last issue go to the first running warp's instruction.
  void close(Cycle now) {
    const auto w =
        std::find_if(warps_.begin(), warps_.end(), [](const Warp& x) { return x.running; });
    if (w == warps_.end()) return account_.idle(now - frozen_);
    account_.close(now - frozen_, w->pc, w->ready_at, w->ready_reason);
  }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    out.put(scheduler_.state());
    operands_.save(loop_.code.data(), out);
    pipes_.save(now, out);
    memory_.save(now, out);
    releases_.save(now, out);
    for (const Warp& w : warps_) w.save(now, frozen_, out);
  }

 private:
  bool can_issue(Warp& warp, Cycle now, const SyncBarrier& sync) {
    if (!warp.running || ready_at(warp) > now) return false;
    if (warp.at_sync) {
      if (sync.generation() == warp.sync_generation || sync.open_at() > now) return false;
      warp.at_sync = false;
    }
    const StaticInst& inst = loop_.code[warp.pc];
    if (inst.wait_mask != 0 && warp.barriers.pending(inst.wait_mask, now) != 0) return false;
    return room_at(inst) <= now;
  }

  /// Stall counters stand still while an instruction is held in the dispatch stage, so a warp's are
  /// kept on the front end's own clock, which lags real time by `frozen_` (H200 suite:
  /// `stamps.conf*`, `bankw.*.s4`, `occ.chain`).
  Cycle ready_at(const Warp& warp) const { return warp.ready_at + frozen_; }

 public:
  /// First cycle that is not booked yet.
  Cycle booked_until() const { return account_.from() + frozen_; }
  void finish(Cycle end) { account_.idle(end - frozen_); }

 private:
  /// When a queue in front of the instruction's unit has room; without a queue it issues and waits
  /// in dispatch.
  Cycle room_at(const StaticInst& inst) const {
    switch (inst.route) {
      case Route::memory:
        return memory_.room_at();
      case Route::queue:
        return pipes_.room_at(inst);
      default:
        return 0;
    }
  }

  /// One cycle of the read pipeline; false if it, and the front end with it, stands still.
  bool advance_operands(Cycle now) {
    operands_.serve();
    const auto* leaving = operands_.last();
    if (leaving != nullptr) {
      const StaticInst& inst = *leaving->inst;
      const bool needs_pipe = inst.route == Route::dispatch;
      if (operands_.blocked()) return freeze(StallReason::bank_conflict);
      if (needs_pipe && pipes_.room_at(inst) > now) return freeze(StallReason::math_pipe_throttle);
      if (needs_pipe)
        schedule_releases(pipes_.take(inst, now) - operands_.depth(), leaving->warp, inst);
    }
    operands_.shift();
    return true;
  }

  bool freeze(StallReason reason) {
    ++frozen_;
    account_.freeze(reason);
    return false;
  }

  /// Books the slots lost since the last issue to the warp that issues now. All holds are on the
  /// front end's clock.
  void book(Cycle now, const Warp& warp, const SyncBarrier& sync) {
    const StaticInst& inst = loop_.code[warp.pc];
    using Hold = SlotAccount::Hold;
    const bool synced = warp.sync_generation != 0 && sync.generation() == warp.sync_generation + 1;
    const std::array<Hold, 4> holds{
        Hold{warp.ready_at, warp.ready_reason},
        Hold{synced ? sync.open_at() - frozen_ : 0, StallReason::barrier},
        Hold{inst.wait_mask != 0 ? warp.barrier_clear_at : 0, warp.barrier_reason},
        Hold{room_at(inst) - frozen_, inst.throttle}};
    account_.issue(now - frozen_, warp.pc, holds);
  }

  void start(Cycle now, std::size_t w, SyncBarrier& sync, std::uint64_t limit) {
    Warp& warp = warps_[w];
    const StaticInst& inst = loop_.code[warp.pc];
    const auto id = static_cast<std::uint32_t>(w);
    raise_barriers(now, warp, inst);
    operands_.accept(id, inst);
    if (inst.route == Route::memory) memory_.push(now, warp.pc, id);
    if (inst.route == Route::queue) schedule_releases(pipes_.take(inst, now), id, inst);
    if (inst.route == Route::control) schedule_releases(now, id, inst);
    sink_.issued(now, id_, static_cast<int>(w), warp.pc);
    step_warp(now - frozen_, warp, inst, sync, limit);
  }

  void raise_barriers(Cycle now, Warp& warp, const StaticInst& inst) {
    const Cycle visible = now + spec_.barrier_visible_cycles;
    warp.barriers.raise(inst.write_barrier, visible);
    warp.barriers.raise(inst.read_barrier, visible);
  }

  void schedule_releases(Cycle start, std::uint32_t warp, const StaticInst& inst) {
    if (inst.write_barrier < DependencyBarriers::kCount)
      releases_.add(start + inst.latency, warp, inst.write_barrier, inst.scoreboard);
    if (inst.read_barrier < DependencyBarriers::kCount)
      releases_.add(start + inst.read_release, warp, inst.read_barrier, inst.scoreboard);
  }

  /// Moves the warp on; `now` is on the front end's clock.
  void step_warp(Cycle now, Warp& warp, const StaticInst& inst, SyncBarrier& sync,
                 std::uint64_t limit) {
    warp.ready_at = now + std::max<Cycle>(1, inst.stall);
    warp.ready_reason = StallReason::stall_count;
    if (inst.yield && warp.ready_at < now + 1 + spec_.yield_bubble_cycles) {
      warp.ready_at = now + 1 + spec_.yield_bubble_cycles;
      warp.ready_reason = StallReason::yield;
    }
    if (inst.taken_branch && warp.ready_at < now + spec_.taken_branch_cycles) {
      warp.ready_at = now + spec_.taken_branch_cycles;
      warp.ready_reason = StallReason::branch_resolving;
    }
    if (inst.effect == ControlEffect::barrier_sync) {
      warp.at_sync = true;
      warp.sync_generation = sync.generation();
      sync.arrive();
    }
    if (inst.effect == ControlEffect::exit) warp.running = false;
    if (++warp.pc < loop_.code.size()) return;
    warp.pc = 0;
    ++warp.iterations;
    if (!loop_.is_loop || warp.iterations >= limit) warp.running = false;
  }

  const CompiledLoop& loop_;
  const SchedulerSpec& spec_;
  int id_;
  Scheduler scheduler_;
  OperandStage operands_;
  Pipes pipes_;
  MemoryQueue memory_;
  ReleaseQueue releases_;
  SlotAccount account_;
  std::vector<Warp> warps_;
  Sink& sink_;
  Cycle frozen_ = 0;  ///< cycles that the front end has stood still
};

}  // namespace smsim
