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
#include "execute/load_write_back.hpp"
#include "execute/memory_queue.hpp"
#include "execute/pipes.hpp"
#include "execute/special_functions.hpp"
#include "execute/sync_barrier.hpp"
#include "isa/static_inst.hpp"
#include "issue/front_end_clock.hpp"
#include "issue/warp.hpp"
#include "issue/warp_scheduler.hpp"
#include "operand/register_feed.hpp"
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
        operands_(arch, static_cast<std::size_t>(warps)),
        pipes_(arch),
        feed_(arch),
        memory_(arch),
        special_(queue_entries(arch)),
        special_pipe_(special_pipe(arch)),
        banks_(static_cast<std::size_t>(arch.register_file.banks)),
        l0_refill_cycles_(arch.instruction_cache.l0_refill_cycles),
        account_(loop.length),
        warps_(static_cast<std::size_t>(warps)),
        sink_(sink) {
    for (std::size_t w = 0; w < warps_.size(); ++w)
      warps_[w].ready_at = static_cast<Cycle>(w) * spec_.start_skew_cycles;
    for (Warp& w : warps_) w.pc = static_cast<std::uint32_t>(loop.first());
  }

  /// One cycle of the special-function queue, and of the memory queue's entries.
  void tick_queues(Cycle now) {
    const auto* leaving = operands_.last();
    special_.tick(now, memory_.in_data(), leaving != nullptr ? leaving->inst : nullptr, feed_,
                  releases_, special_writes_);
    memory_.tick(now);
  }

  /// What the memory queue's head asks of the SM in this cycle.
  MemoryGrant memory_wants(Cycle now) const { return memory_.wants(now); }
  void serve_memory(Cycle now, LoadStoreUnit& unit) {
    memory_.serve(now, id_, feed_, unit, releases_);
  }

  void add_load(const LoadReturn& load) { loads_.add(load); }
  void write_loads(Cycle now) { loads_.tick(now, fixed_writes_, special_writes_, releases_); }

  /// Advances the read pipeline and issues one instruction if a warp is eligible; true if anything
  /// moved.
  bool issue(Cycle now, SyncBarrier& sync, std::uint64_t limit) {
    lower_barriers(now);
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
    if (!operands_.empty()) return now + 1;
    Cycle best = releases_.next();
    for (const Warp& w : warps_) {
      for (const Cycle at : {ready_at(w), w.not_before, w.line_at})
        if (w.running && at > now) best = std::min(best, at);
    }
    if (sync.open_at() > now) best = std::min(best, sync.open_at());
    best = memory_.next_after(now, best);
    best = special_.next_after(now, best);
    best = loads_.next_after(now, best);
    best = clock_.real(pipes_.next_after(clock_.at(now), best - clock_.frozen()));
    return std::max(now + 1, best);
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
  const OperandStage& operands() const { return operands_; }
  void reset_counts() {
    account_.reset_counts();
    pipes_.reset_counts();
    special_.reset_counts();
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
    operands_.save(loop_.code.data(), clock_.at(now), now, out);
    pipes_.save(clock_.at(now), out);
    out.time(closed_at_, now);
    out.put(closed_at_ >= now ? closed_by_ : 0);
    const StaticInst* code = loop_.code.data();
    feed_.save(banks_, now, out);
    memory_.save(code, now, out);
    special_.save(code, now, out);
    loads_.save(code, now, out);
    fixed_writes_.save(banks_, now, out);
    special_writes_.save(banks_, now, out);
    out.put(latch_ != nullptr ? latch_ - code + 1 : 0);
    releases_.save(now, out);
    for (const Warp& w : warps_) w.save(clock_.at(now), now, out);
  }

  /// Cycles for which a pipe was busy since the last reset.
  std::uint64_t pipe_busy(std::size_t pipe) const {
    return pipes_.busy(pipe) + (pipe == special_pipe_ ? special_.busy() : 0);
  }

 private:
  static std::size_t special_pipe(const Arch& arch) {
    const auto it = std::find_if(arch.pipes.begin(), arch.pipes.end(),
                                 [](const Pipe& p) { return p.queue_entries > 0; });
    return static_cast<std::size_t>(it - arch.pipes.begin());
  }
  static int queue_entries(const Arch& arch) {
    const std::size_t p = special_pipe(arch);
    return p < arch.pipes.size() ? arch.pipes[p].queue_entries : 1;
  }

  bool can_issue(Warp& warp, Cycle now, const SyncBarrier& sync) {
    if (!warp.running || ready_at(warp) > now || warp.not_before > now) return false;
    if (warp.at_sync) {
      if (sync.generation() == warp.sync_generation || sync.open_at() > now) return false;
      warp.at_sync = false;
    }
    const StaticInst& inst = loop_.code[warp.pc];
    if (inst.wait_mask != 0 && warp.barriers.pending(inst.wait_mask, now) != 0) return false;
    if (inst.next_line && warp.line_at > now) return false;
    return has_room(warp, inst, now);
  }

  /// Whether the instruction's pipe, or the queue in front of its unit, takes it now.
  bool has_room(Warp& warp, const StaticInst& inst, Cycle now) {
    switch (inst.route) {
      case Route::memory:
        return memory_.room_at() <= now;
      case Route::special:
        return special_.room_at() <= now;
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
    if (inst.route == Route::special) return clock_.at(special_.room_at());
    if (inst.route == Route::control) return 0;
    return pipes_.room_at(warp.pipe >= 0 ? static_cast<std::uint16_t>(warp.pipe) : inst.pipe);
  }

 public:
  /// First cycle that is not booked yet.
  Cycle booked_until() const { return clock_.real(account_.from()); }
  void finish(Cycle end) { account_.idle(clock_.at(end)); }

 private:
  void lower_barriers(Cycle now) {
    releases_.drain(now, [&](const Release& r) {
      Warp& w = warps_[r.warp];
      w.barriers.lower(r.barrier);
      w.barrier_clear_at = clock_.at(now);
      w.barrier_reason = r.reason;
    });
  }

  /// One cycle of the read pipeline; false if it, and the front end with it, stands still.
  bool advance_operands(Cycle now) {
    operands_.serve(now, feed_.ports());
    const auto* leaving = operands_.last();
    if (operands_.blocked()) return freeze(StallReason::bank_conflict);
    if (leaving != nullptr && leaving->inst->route == Route::dispatch) {
      const StaticInst& inst = *leaving->inst;
      if (now == closed_at_ && inst.pipe != closed_by_ && !inst.reads_apart)
        return freeze(StallReason::math_pipe_throttle);
      close_dispatch(now, inst);
      if (operands_.holds(now)) return freeze(StallReason::math_pipe_throttle);
      if (write_port_clash(now, inst)) return freeze(StallReason::write_port);
    }
    latch_ = leaving != nullptr ? leaving->inst : nullptr;
    if (leaving != nullptr) leave(now, *leaving);
    operands_.shift(now);
    return true;
  }

  /// HFMA2.MMA and FP64 keep the other pipes from taking an instruction two cycles later (H200: all
  /// triples of seven opcodes).
  void close_dispatch(Cycle now, const StaticInst& inst) {
    if (inst.closes_after == 0) return;
    closed_at_ = now + inst.closes_after;
    closed_by_ = inst.pipe;
  }

  bool freeze(StallReason reason) {
    clock_.freeze();
    account_.freeze(reason);
    operands_.stop();
    latch_ = nullptr;
    return false;
  }

  /// A special function's result takes its bank's write port. The fixed-latency result that would
  /// meet it waits in the dispatch latch, and if the next one writes the same bank, the pipeline
  /// waits with it.
  bool write_port_clash(Cycle now, const StaticInst& leaving) const {
    if (latch_ == nullptr || latch_->route != Route::dispatch || leaving.route != Route::dispatch)
      return false;
    for (std::size_t i = 0; i < latch_->write_count; ++i) {
      const auto bank = latch_->write_banks[i];
      if (!special_writes_.taken(bank, now)) continue;
      for (std::size_t j = 0; j < leaving.write_count; ++j)
        if (leaving.write_banks[j] == bank) return true;
    }
    return false;
  }

  /// An instruction leaves the last read stage: to its queue, or to its pipe and later a write
  /// port.
  void leave(Cycle now, const typename OperandStage::Op& op) {
    const StaticInst& inst = *op.inst;
    if (inst.route == Route::memory) return memory_.enter(inst, op.warp, now + 1);
    if (inst.route == Route::special) return special_.enter(inst, op.warp, now + 1);
    if (inst.route != Route::dispatch) return;
    const Cycle at = now - op.held + inst.write_delay;
    for (std::size_t i = 0; i < inst.write_count; ++i) fixed_writes_.take(inst.write_banks[i], at);
  }

  /// Books the slots lost since the last issue to the warp that issues now. All holds are on the
  /// front end's clock.
  void book(Cycle now, const Warp& warp, const SyncBarrier& sync) {
    const StaticInst& inst = loop_.code[warp.pc];
    using Hold = SlotAccount::Hold;
    const bool synced = warp.sync_generation != 0 && sync.generation() == warp.sync_generation + 1;
    const std::array<Hold, 6> holds{
        Hold{warp.ready_at, warp.ready_reason},
        Hold{clock_.at(warp.not_before), StallReason::yield},
        Hold{inst.next_line ? clock_.at(warp.line_at) : 0, StallReason::no_instruction},
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
    operands_.accept(id, inst, clock_.at(now));
    scheduler_.issued(inst.yield && !inst.taken_branch);
    switch (inst.route) {
      case Route::memory:
        memory_.reserve();
        break;
      case Route::special:
        special_.reserve();
        break;
      case Route::dispatch:
        pipes_.take(inst, static_cast<std::uint16_t>(warp.pipe), clock_.at(now));
        [[fallthrough]];
      case Route::control:
        releases_.add(now + inst.latency, id, inst.write_barrier, inst.scoreboard);
        releases_.add(now + inst.read_release, id, inst.read_barrier, inst.scoreboard);
        break;
    }
    if (warp.pc < loop_.length) sink_.issued(now, id_, static_cast<int>(w), warp.pc);
    if (inst.yield && inst.stall <= 1) warp.not_before = now + 1 + spec_.yield_bubble_cycles;
    if (inst.taken_branch) warp.line_at = now + spec_.next_line_cycles;
    step_warp(clock_.at(now), warp, inst, sync, limit);
    if (!warp.running) warp.finished_at = now;
  }

  void raise_barriers(Cycle now, Warp& warp, const StaticInst& inst) {
    const Cycle visible = now + spec_.barrier_visible_cycles;
    warp.barriers.raise(inst.write_barrier, visible);
    warp.barriers.raise(inst.read_barrier, visible);
  }

  /// Moves the warp on; `now` is on the front end's clock.
  void step_warp(Cycle now, Warp& warp, const StaticInst& inst, SyncBarrier& sync,
                 std::uint64_t limit) {
    warp.ready_at = now + std::max<Cycle>(1, inst.stall);
    warp.ready_reason = StallReason::stall_count;
    const Cycle branch = spec_.taken_branch_cycles + (inst.slow_fetch ? l0_refill_cycles_ : 0);
    if (inst.taken_branch && warp.ready_at < now + branch) {
      warp.ready_at = now + branch;
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
  RegisterFeed feed_;
  MemoryQueue memory_;
  SpecialFunctions special_;
  std::size_t
      special_pipe_;  ///< where the queue's work is counted; the number of pipes if there is none
  std::size_t banks_;
  LoadWriteBack loads_;
  BankPorts fixed_writes_;    ///< write ports taken by fixed-latency results
  BankPorts special_writes_;  ///< and by special functions
  Cycle l0_refill_cycles_;
  Cycle closed_at_ = -1;  ///< in this cycle only pipe closed_by_ takes instructions
  std::uint16_t closed_by_ = 0;
  const StaticInst* latch_ = nullptr;  ///< left the last read stage in the cycle before
  ReleaseQueue releases_;
  SlotAccount account_;
  std::vector<Warp> warps_;
  Sink& sink_;
  FrontEndClock clock_;
};

}  // namespace smsim
