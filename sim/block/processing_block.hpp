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
#include "issue/front_end_clock.hpp"
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
        account_(loop.length),
        warps_(static_cast<std::size_t>(warps)),
        sink_(sink) {
    for (std::size_t w = 0; w < warps_.size(); ++w)
      warps_[w].ready_at = static_cast<Cycle>(w) * spec_.start_skew_cycles;
    for (Warp& w : warps_) w.pc = static_cast<std::uint32_t>(loop.first());
  }

  /// Lowers the barriers whose operations are done.
  void write_back(Cycle now) {
    releases_.drain(clock_.seen(now), [&](const Release& r) {
      Warp& w = warps_[r.warp];
      w.barriers.lower(r.barrier);
      w.barrier_clear_at = clock_.at(now);
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
    const int w = scheduler_.pick(static_cast<int>(warps_.size()), [&](int candidate) {
      return can_issue(warps_[static_cast<std::size_t>(candidate)], now, sync);
    });
    if (w < 0) return !operands_.empty();
    book(now, warps_[static_cast<std::size_t>(w)], sync);
    start(now, static_cast<std::size_t>(w), sync, limit);
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
    return std::max(now + 1,
                    clock_.real(pipes_.next_after(clock_.at(now), best - clock_.frozen())));
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
  void cut(Cycle now) { account_.cut(clock_.at(now)); }

  /// Ends it at `now`: slots lost since the last issue go to the first running warp's instruction.
  void close(Cycle now) {
    const auto w =
        std::find_if(warps_.begin(), warps_.end(), [](const Warp& x) { return x.running; });
    if (w == warps_.end()) return account_.idle(clock_.at(now));
    account_.close(clock_.at(now), w->pc, w->ready_at, w->ready_reason);
  }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    out.put(scheduler_.state());
    operands_.save(loop_.code.data(), out);
    pipes_.save(clock_.at(now), out);
    clock_.save(now, out);
    memory_.save(now, out);
    releases_.save(now, out);
    for (const Warp& w : warps_) w.save(clock_.at(now), now, out);
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
    return has_room(warp, inst, now);
  }

  /// Whether the instruction's pipe, or the queue in front of its unit, takes it now.
  bool has_room(Warp& warp, const StaticInst& inst, Cycle now) {
    switch (inst.route) {
      case Route::memory:
        return memory_.room_at() <= now;
      case Route::queue:
        return pipes_.room_at(inst.pipe) <= clock_.at(now);
      case Route::dispatch:
        if (warp.pipe < 0) warp.pipe = pipes_.choose(inst, clock_.at(now));
        return pipes_.can_take(inst, static_cast<std::uint16_t>(warp.pipe), clock_.at(now));
      default:
        return true;
    }
  }

  Cycle ready_at(const Warp& warp) const { return clock_.real(warp.ready_at); }

  /// When the instruction's pipe or queue had room, on the front end's clock.
  Cycle room_at(const Warp& warp, const StaticInst& inst) const {
    if (inst.route == Route::memory) return clock_.at(memory_.room_at());
    if (inst.route == Route::control) return 0;
    return pipes_.room_at(warp.pipe >= 0 ? static_cast<std::uint16_t>(warp.pipe) : inst.pipe);
  }

 public:
  /// First cycle that is not booked yet.
  Cycle booked_until() const { return clock_.real(account_.from()); }
  void finish(Cycle end) { account_.idle(clock_.at(end)); }

 private:
  /// When a queue in front of the instruction's unit has room; without a queue it issues and waits
  /// in dispatch.
  Cycle room_at(const StaticInst& inst) const {
    switch (inst.route) {
      case Route::memory:
        return memory_.room_at();
      case Route::queue:
        return pipes_.room_at(inst.pipe);
      default:
        return 0;
    }
  }

  /// One cycle of the read pipeline; false if it, and the front end with it, stands still.
  bool advance_operands(Cycle now) {
    operands_.serve();
    if (operands_.blocked()) {
      clock_.freeze(now);
      account_.freeze(StallReason::bank_conflict);
      return false;
    }
    clock_.move(now);
    operands_.shift();
    return true;
  }

  /// Books the slots lost since the last issue to the warp that issues now. All holds are on the
  /// front end's clock.
  void book(Cycle now, const Warp& warp, const SyncBarrier& sync) {
    const StaticInst& inst = loop_.code[warp.pc];
    using Hold = SlotAccount::Hold;
    const bool synced = warp.sync_generation != 0 && sync.generation() == warp.sync_generation + 1;
    const std::array<Hold, 4> holds{
        Hold{warp.ready_at, warp.ready_reason},
        Hold{synced ? clock_.at(sync.open_at()) : 0, StallReason::barrier},
        Hold{inst.wait_mask != 0 ? warp.barrier_clear_at : 0, warp.barrier_reason},
        Hold{room_at(warp, inst), inst.throttle}};
    if (warp.pc >= loop_.length) return account_.prologue(clock_.at(now));
    account_.issue(clock_.at(now), warp.pc, holds);
  }

  void start(Cycle now, std::size_t w, SyncBarrier& sync, std::uint64_t limit) {
    Warp& warp = warps_[w];
    const StaticInst& inst = loop_.code[warp.pc];
    const auto id = static_cast<std::uint32_t>(w);
    raise_barriers(now, warp, inst);
    operands_.accept(id, inst);
    switch (inst.route) {
      case Route::memory:
        memory_.push(now, warp.pc, id);
        break;
      case Route::queue:
        schedule_releases(clock_.real(pipes_.take(inst, inst.pipe, clock_.at(now))), id, inst);
        break;
      case Route::dispatch:
        pipes_.take(inst, static_cast<std::uint16_t>(warp.pipe), clock_.at(now));
        [[fallthrough]];
      case Route::control:
        schedule_releases(now, id, inst);
        break;
    }
    if (warp.pc < loop_.length) sink_.issued(now, id_, static_cast<int>(w), warp.pc);
    step_warp(clock_.at(now), warp, inst, sync, limit);
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
    warp.pipe = -1;
    const bool in_prologue = warp.pc >= loop_.length;
    if (++warp.pc != loop_.length && warp.pc < loop_.code.size()) return;
    warp.pc = 0;
    if (in_prologue) return;
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
  FrontEndClock clock_;
};

}  // namespace smsim
