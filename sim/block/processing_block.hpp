// SPDX-License-Identifier: MIT
// Processing block: one quarter of an SM, with its warps, scheduler, operand stage, pipes and
// memory queue.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "block/lone_run.hpp"
#include "block/slot_account.hpp"
#include "block/slot_holds.hpp"
#include "block/warps_now.hpp"
#include "core/cycle.hpp"
#include "execute/back_end.hpp"
#include "execute/sync_barrier.hpp"
#include "isa/static_inst.hpp"
#include "issue/active_set.hpp"
#include "issue/branch_turns.hpp"
#include "issue/fetch_port.hpp"
#include "issue/front_end_clock.hpp"
#include "issue/warp.hpp"
#include "issue/warp_queue.hpp"
#include "issue/warp_scheduler.hpp"
#include "issue/warp_start.hpp"
#include "scoreboard/register_scoreboard.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Owns one of each unit and steps them back to front: barrier releases, memory queue, issue. The
/// policies are types, chosen once; the sink sees every issue.
template <typename Scheduler, typename OperandStage, typename Sink>
class ProcessingBlock {
  friend class LoneRun<ProcessingBlock>;
  friend class SlotHolds<ProcessingBlock>;
  friend class WarpsNow<ProcessingBlock>;
  /// Policies of the generations before Volta: their units are compiled into no other machine.
  static constexpr bool kActiveSet = std::same_as<Scheduler, GreedyActiveSet>;
  static_assert(kActiveSet || SchedulerPolicy<Scheduler>);
  static constexpr bool kPairs = requires { OperandStage::kPorts; };
  static constexpr bool kWatched = Sink::kWatchesWaits || Sink::kWatchesReads;
  /// Whether instructions may leave the read pipeline without a look at that cycle.
  static constexpr bool kLeavesUnseen = !kWatched && requires(OperandStage operands) {
    operands.next_urgent_turn();
  };

 public:
  using Plans = typename OperandStage::Plans;

  ProcessingBlock(const CompiledLoop& loop, const Arch& arch, int id, int warps, Sink& sink,
                  int first_block, const Plans& plans)
      : loop_(loop),
        prologue_end_(static_cast<std::uint32_t>(loop.prologue_end())),
        spec_(arch.scheduler),
        id_(id),
        scheduler_(arch.scheduler, warps),
        operands_(arch, static_cast<std::size_t>(warps), loop.code, plans),
        back_end_(arch),
        fetch_(arch, static_cast<std::size_t>(warps)),
        l0_refill_cycles_(arch.instruction_cache.l0_refill_cycles),
        account_(loop.length),
        warps_(static_cast<std::size_t>(warps)),
        running_(warps),
        alone_(warps == 1 && !kActiveSet && !kWatched),
        sink_(sink) {
    const WarpStart starts(spec_, loop.has_prologue(), first_block + id, warps);
    for (int w = 0; w < warps; ++w) {
      const auto of_sm = static_cast<std::size_t>(w * arch.processing_blocks + id);
      Warp& warp = warps_[static_cast<std::size_t>(w)];
      warp.ready_at = starts.ready_at(w);
      warp.pc = loop.entry(of_sm);
      warp.thread_block = loop.thread_block(of_sm);
    }
    if constexpr (requires { scheduler_.start_with(0, 0); })
      if (starts.behind_barrier()) scheduler_.start_with(starts.leader(), starts.leader_count());
    turns_.configure(spec_.taken_branch_spread_cycles, warps_.size());
    if constexpr (kPairs)
      if (spec_.dependencies == "scoreboard") scoreboards_.resize(warps_.size());
  }

  /// Whether there is anything to do at `now`.
  bool due(Cycle now) const { return now >= due_; }

  /// The queues' part of a cycle, before anything issues.
  void tick_queues(Cycle now) { back_end_.tick_queues(now, id_, sink_); }

  bool memory_idle() const { return back_end_.memory_idle(); }
  BusRequest memory_wants(Cycle now) const { return back_end_.memory_wants(now); }
  bool serve_memory(Cycle now, LoadStoreUnit& unit) {
    const bool served = back_end_.serve_memory(now, id_, unit, sink_);
    if constexpr (kLeavesUnseen) {
      come_to(now);
      read_operands(now);  // the feed may have taken a port that somebody was to read through
      due_ = std::min({due_, next_turn(now), back_end_.next_own(now - 1)});
    } else {
      due_ = 0;
    }
    return served;
  }
  void add_load(const LoadReturn& load) { back_end_.add_load(load); }
  bool has_loads() const { return back_end_.has_loads(); }
  bool returned_load_is_next() const { return back_end_.returned_load_is_next(); }
  bool write_load(Cycle now) {
    come_to(now + 1);
    const bool wrote = back_end_.write_load(now, sink_);
    due_ = std::min(due_, back_end_.next_own(now));
    return wrote;
  }

  /// What has left the read pipeline before cycle `now`, and nobody needed to see, has left.
  void come_to(Cycle now) {
    if constexpr (kLeavesUnseen)
      while (const auto* leaving = operands_.leaves_before(now)) {
        const Cycle at = leaving->leave_at;
        back_end_.take(at, *leaving->inst, leaving->warp, leaving->held);
        operands_.shift(at);
      }
  }

  WarpQueue& queue() { return queue_; }

  /// Something has changed that a warp may have waited for.
  void wake() { quiet_until_ = due_ = done_until_; }

  /// Advances the read pipeline and issues one instruction if a warp is eligible; true if anything
  /// moved. `skip_ahead`: warps are not asked while it is known that none is eligible.
  bool issue(Cycle now, SyncBarrier& sync, std::uint64_t limit, bool skip_ahead) {
    come_to(now);
    due_ = now + 1;
    lower_barriers(now);
    if (fetch_.is_asked() && fetch_.step(now)) wake();
    if (!advance_operands(now)) return true;
    const bool quiet = skip_ahead && is_quiet(now);
    if (quiet) scheduler_.pass(now);
    const int w = quiet ? -1 : pick(now, sync);
    if (w >= 0) {
      const StaticInst& inst = loop_.code[warps_[static_cast<std::size_t>(w)].pc];
      quiet_until_ = 0;
      book(now, warps_[static_cast<std::size_t>(w)], sync);
      start(now, static_cast<std::size_t>(w), sync, limit);
      if constexpr (kPairs)
        if (inst.dual) start_second(now, static_cast<std::size_t>(w), inst.pipe, sync, limit);
    }
    if constexpr (Sink::kWatchesWaits) WarpsNow(*this, now, sync).tell_waits(w);
    if (w < 0)
      due_ = next_due(now, sync);
    else if (skip_ahead && alone_)
      due_ = due_behind_issue(now, sync);
    return !operands_.empty();
  }

  /// The earliest cycle after `now` at which something can change here.
  Cycle next_event(Cycle now) const {
    return due_ <= now + 1 ? now + 1 : std::max(now + 1, back_end_.next_shared(now, due_));
  }

  bool running() const { return running_ > 0; }
  int running_warps() const { return running_; }
  std::uint64_t iterations() const { return iterations_; }  ///< completed by all of its warps
  const std::vector<Warp>& warps() const { return warps_; }
  std::vector<Warp>& warps() { return warps_; }
  const SlotAccount& account() const { return account_; }
  SlotAccount& account() { return account_; }
  bool operands_empty() const { return operands_.empty(); }
  /// Reads of each bank before cycle `now`, since the last reset.
  auto bank_reads(Cycle now) const { return operands_.reads(now); }
  void reset_counts(Cycle now) {
    account_.reset_counts();
    back_end_.reset_counts();
    operands_.reset_counts(now);
  }

  /// Starts the slot account at `now`: cycles before it are not counted.
  void cut(Cycle now) { account_.cut(clock_.at(now)); }

  /// Ends it at `now`: slots lost since the last issue go to the first running warp's instruction.
  void close(Cycle now) {
    for (const Warp& w : warps_)
      if (w.running) return account_.close(clock_.at(now), w.pc, w.ready_at, w.ready_reason);
    account_.idle(clock_.at(now));
  }

  /// Each warp has done so many iterations more, `times` times. Returns the iterator behind the
  /// last one's.
  template <typename Iterator>
  Iterator add_iterations(Iterator each, std::uint64_t times) {
    for (Warp& w : warps_) {
      w.iterations += times * *each;
      iterations_ += times * *each++;
    }
    return each;
  }
  bool books_nothing_since(Cycle from) const {
    return !running() || account_.from() <= clock_.at(from);
  }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    scheduler_.save(now, out);
    out.put(turns_.state());
    out.put(queue_.waiting);
    fetch_.save(now, out);
    for (const RegisterScoreboard& board : scoreboards_) board.save(out);
    operands_.save(loop_.code.data(), clock_.at(now), now, out);
    back_end_.save(loop_.code.data(), now, clock_.at(now), out);
    for (const Warp& w : warps_) w.save(clock_.at(now), now, loop_.touch_period, out);
  }

  /// What the state does not tell of the slots before `now` that are not booked yet.
  template <typename Writer>
  void save_unbooked(Cycle now, const SyncBarrier& sync, Writer& out) const {
    SlotHolds(*this, now, sync).save(out);
  }

  std::uint64_t pipe_busy(std::size_t pipe) const { return back_end_.pipe_busy(pipe); }

  /// First cycle that is not booked yet.
  Cycle booked_until() const { return clock_.real(account_.from()); }
  void finish(Cycle end) { account_.idle(clock_.at(end)); }

 private:
  std::size_t index_of(const Warp& warp) const {
    return static_cast<std::size_t>(&warp - warps_.data());
  }

  /// The warp that issues; -1: none.
  int pick(Cycle now, const SyncBarrier& sync) {
    WarpsNow warps(*this, now, sync);
    const int w = scheduler_.pick(now, warps);
    if (w < 0) {
      quiet_until_ = warps.next_chance();
      rooms_ = back_end_.queue_rooms();
    }
    return w;
  }

  /// No warp issues at `now`: the next cycle in which something is to be done here, as long as the
  /// SM's units do nothing for the block.
  Cycle next_due(Cycle now, const SyncBarrier& sync) {
    if (kWatched && !operands_.empty()) return now + 1;
    Cycle best = std::min(next_turn(now), back_end_.next_own(now));
    if (fetch_.is_asked()) best = std::min(best, fetch_.next_event(now));
    if constexpr (kActiveSet) {
      best = std::min({best, WarpsNow(*this, now, sync).next_chance(), sync.next_opening(now)});
      best = scheduler_.next_after(now, back_end_.next_pipe(now, clock_.frozen(), best));
    } else {
      best = std::min(best, quiet_until_);
    }
    return std::max(now + 1, best);
  }

  /// The next cycle in which somebody has to be seen in the last read stage.
  Cycle next_turn(Cycle now) const {
    if constexpr (kLeavesUnseen)
      if (back_end_.lets_pass(now)) return operands_.next_urgent_turn();
    return operands_.next_turn();
  }

  /// The same behind an issue of the block's only warp: of several another one may be next.
  Cycle due_behind_issue(Cycle now, const SyncBarrier& sync) {
    quiet_until_ = WarpsNow(*this, now, sync).next_chance();
    if (quiet_until_ <= now + 1) return now + 1;
    rooms_ = back_end_.queue_rooms();
    return next_due(now, sync);
  }

  /// Whether it is known that no warp is eligible. An active set changes even then.
  bool is_quiet(Cycle now) const {
    return !kActiveSet && now < quiet_until_ && back_end_.queue_rooms() == rooms_;
  }

  /// When the warp's next instruction has been fetched.
  Cycle here_at(const Warp& warp, const StaticInst& inst) const {
    return fetch_.here_at(index_of(warp), inst);
  }

  /// Everything but the warp's own stall count, branch and yield.
  bool could_issue(Warp& warp, Cycle now, const SyncBarrier& sync) {
    const StaticInst& inst = loop_.code[warp.pc];
    if (held_at_sync(warp, inst, now, sync)) return false;
    if (warp.at_sync) warp.at_sync = sync.closed(warp.thread_block, warp.sync_generation, now);
    if (inst.wait_mask != 0 && warp.barriers.pending(inst.wait_mask, now) != 0) return false;
    if (here_at(warp, inst) > now) return false;
    if constexpr (kActiveSet)
      if (scheduler_.keeps_off(inst, now)) return false;
    if constexpr (kPairs)
      if (waits_for_register(warp, inst)) return false;
    if (warp.pipe < 0 || inst.overflows) warp.pipe = back_end_.choose_pipe(inst, clock_.at(now));
    return back_end_.has_room(inst, static_cast<std::uint16_t>(warp.pipe), now, clock_.at(now));
  }

  /// Whether the warp waits at a BAR.SYNC that it has passed: for anything but arithmetic, and not
  /// yet in the first cycles.
  bool held_at_sync(const Warp& warp, const StaticInst& inst, Cycle now,
                    const SyncBarrier& sync) const {
    return warp.at_sync && inst.waits_for_sync && clock_.at(now) >= warp.sync_from &&
           sync.closed(warp.thread_block, warp.sync_generation, now);
  }

  bool waits_for_register(const Warp& warp, const StaticInst& inst) const {
    return !scoreboards_.empty() && scoreboards_[index_of(warp)].holds(inst);
  }

  /// The warp's next instruction issues in the same cycle as the one that asked for it, if nothing
  /// but that one is in its way and it takes another pipe.
  void start_second(Cycle now, std::size_t w, std::uint16_t first_pipe, SyncBarrier& sync,
                    std::uint64_t limit) {
    Warp& warp = warps_[w];
    if (!warp.running || !could_issue(warp, now, sync)) return;
    const StaticInst& inst = loop_.code[warp.pc];
    if (warp.pipe == first_pipe && inst.route != Route::control) return;
    if (warp.pc < loop_.length) account_.pair(warp.pc);
    start(now, w, sync, limit);
  }

  Cycle ready_at(const Warp& warp) const { return clock_.real(warp.ready_at); }

  void lower_barriers(Cycle now) {
    back_end_.drain_releases(now, [&](const Release& r) {
      wake();
      Warp& w = warps_[r.warp];
      const bool of_registers = kPairs && r.barrier >= kFirstRegisterToken;
      if (r.of_load && !of_registers && w.has_just_come_to(loop_.code, r.barrier, clock_.at(now)))
        return back_end_.release_later(r);
      w.cleared(clock_.at(now), r.reason);
      if (of_registers) return scoreboards_[r.warp].lower(pending_registers(r.barrier));
      w.barriers.lower(r.barrier);
      sink_.lowered(now, id_, r.warp, static_cast<std::uint8_t>(r.barrier));
    });
  }

  /// One cycle of the read pipeline; false if it, and the front end with it, stands still.
  bool advance_operands(Cycle now) {
    read_operands(now);
    const auto* leaving = operands_.last(now);
    if (back_end_.load_stops(now)) return freeze(now, StallReason::write_port);
    if (operands_.blocked(now)) return freeze(now, StallReason::bank_conflict);
    if (leaving != nullptr && leaving->inst->route == Route::dispatch) {
      if (back_end_.closed(now, *leaving->inst))
        return freeze(now, StallReason::math_pipe_throttle);
      if (operands_.holds(now)) return freeze(now, StallReason::math_pipe_throttle, true);
      if (back_end_.write_port_clash(now, *leaving->inst))
        return freeze(now, StallReason::write_port);
    }
    back_end_.begin_special(now, id_, leaving != nullptr ? leaving->inst : nullptr, sink_);
    if (leaving != nullptr) {
      back_end_.take(now, *leaving->inst, leaving->warp, leaving->held_before(now));
      sink_.left(now, id_, leaving->warp, *leaving->inst);
    }
    if constexpr (kPairs)
      if (const auto& second = operands_.leaving()[1]; second.inst != nullptr) {
        back_end_.take(now, *second.inst, second.warp, 0);
        sink_.left(now, id_, second.warp, *second.inst);
      }
    operands_.shift(now);
    return true;
  }

  void read_operands(Cycle now) {
    const auto serve = [&](auto&& seen) {
      operands_.serve(now, clock_.at(now), back_end_.feed_ports(), seen);
    };
    if constexpr (Sink::kWatchesReads)
      serve([&](const auto& op, std::size_t index) {
        sink_.read(now, id_, op.warp, *op.inst, index);
      });
    else
      serve(NobodySees{});
  }

  /// `own`: for the sake of the instruction in the last read stage.
  bool freeze(Cycle now, StallReason reason, bool own = false) {
    sink_.stopped(now, id_, reason);
    clock_.freeze();
    account_.freeze(reason);
    operands_.stop(now, clock_.at(now + 1), own);
    back_end_.begin_special(now, id_, nullptr, sink_);
    return false;
  }

  /// Books the slots lost since the last issue to the warp that issues now.
  void book(Cycle now, const Warp& warp, const SyncBarrier& sync) {
    const Cycle time = clock_.at(now);
    if (warp.pc >= loop_.length) return account_.prologue(time);
    if (account_.from() == time) return account_.issue_at_once(time, warp.pc);
    const SlotAccount::Hold stall{warp.ready_at, warp.ready_reason};
    if (stall.until == time)  // nothing is left for another constraint
      return account_.issue(time, warp.pc, std::array{stall});
    account_.issue(time, warp.pc, SlotHolds(*this, now, sync).of(warp));
  }

  void start(Cycle now, std::size_t w, SyncBarrier& sync, std::uint64_t limit) {
    Warp& warp = warps_[w];
    const StaticInst& inst = loop_.code[warp.pc];
    const auto id = static_cast<std::uint32_t>(w);
    raise_barriers(now, warp, inst);
    operands_.accept(id, inst, now, clock_.at(now));
    const Cycle turn = inst.taken_branch ? turns_.next() : 0;
    if constexpr (kActiveSet)
      scheduler_.issued(static_cast<int>(w), inst, now, turn);
    else
      scheduler_.issued(now, inst.asks_to_yield());
    back_end_.issue(inst, static_cast<std::uint16_t>(warp.pipe), id, now, clock_.at(now),
                    {inst.memory.shared ? warp.shared_not_before(sync, now) : 0,
                     loop_.misses(inst, warp.iterations)});
    if (warp.pc < loop_.length || warp.pc >= prologue_end_)
      sink_.issued(now, id_, static_cast<int>(w), warp.pc);
    if (inst.yield && inst.stall <= 1) warp.not_before = now + 1 + spec_.yield_bubble_cycles;
    fetch_.issued(w, inst, now);
    step_warp(clock_.at(now), warp, inst, turn - turns_.mean(), sync, limit);
    if constexpr (kActiveSet)
      if (inst.unyielding != 0) delay_unyielding(now, warp, inst);
    if (warp.running) return;
    --running_;
    warp.finished_at = now;
  }

  void delay_unyielding(Cycle now, Warp& warp, const StaticInst& inst) {
    const auto delay = scheduler_.delay(inst, now);
    warp.ready_at = clock_.at(now) + delay.stall;
    warp.not_before = std::max(warp.not_before, delay.not_before);
  }

  void raise_barriers(Cycle now, Warp& warp, const StaticInst& inst) {
    if constexpr (kPairs) {
      if (inst.write_barrier >= kFirstRegisterToken)
        return scoreboards_[index_of(warp)].raise(pending_registers(inst.write_barrier));
    }
    const auto visible = now + spec_.barrier_visible_cycles;
    warp.barriers.raise(inst.write_barrier, visible);
    warp.barriers.raise(inst.read_barrier, visible);
  }

  /// Moves the warp on; `now` is on the front end's clock. A taken branch is `late` cycles longer.
  void step_warp(Cycle now, Warp& warp, const StaticInst& inst, Cycle late, SyncBarrier& sync,
                 std::uint64_t limit) {
    warp.ready_at = now + std::max<Cycle>(1, inst.stall);
    warp.ready_reason = StallReason::stall_count;
    const Cycle branch =
        spec_.taken_branch_cycles + late + (inst.slow_fetch ? l0_refill_cycles_ : 0);
    if (inst.taken_branch && warp.ready_at < now + branch) {
      warp.ready_at = now + branch;
      warp.ready_reason = StallReason::branch_resolving;
    }
    if (inst.effect == ControlEffect::barrier_sync) {
      warp.arrive(now + SyncBarrier::kHeldAfter, sync.generation(warp.thread_block));
      sync.arrive(warp.thread_block, clock_.real(now));
    }
    if (inst.effect == ControlEffect::exit) warp.running = false;
    warp.pipe = -1;
    const bool in_iteration = warp.pc < loop_.length;
    const bool goes_on = ++warp.pc != loop_.length && warp.pc != prologue_end_;
    if (!goes_on) begin_iteration(now, warp, in_iteration, limit);
    comes_to_meeting_ = comes_to_meeting_ || !warp.running || loop_.code[warp.pc].may_meet_others();
  }

  /// Behind the prologue, or an iteration `done`.
  void begin_iteration(Cycle now, Warp& warp, bool done, std::uint64_t limit) {
    warp.pc = 0;
    if (done) {
      ++warp.iterations;
      ++iterations_;
      if (!loop_.is_loop || (warp.iterations >= limit && warp.iterations % limit == 0))
        warp.running = queue_.next_takes_place_of(warp, now);
    }
    if (loop_.last_pass != 0 && warp.iterations + 1 == limit)
      warp.pc = static_cast<std::uint32_t>(loop_.last_pass);
  }

  const CompiledLoop& loop_;
  std::uint32_t prologue_end_;
  SchedulerSpec spec_;
  int id_;
  Scheduler scheduler_;
  OperandStage operands_;
  BackEnd back_end_;
  FetchPort fetch_;
  Cycle l0_refill_cycles_;
  SlotAccount account_;
  std::vector<Warp> warps_;
  int running_;  ///< warps that have not ended
  bool alone_;   ///< there is but one warp
  WarpQueue queue_;
  std::uint64_t iterations_ = 0;   ///< completed by all of them
  Cycle due_ = 0;                  ///< before this cycle there is nothing to do
  bool comes_to_meeting_ = false;  ///< a warp has come to where others may have to do with it
  Cycle done_until_ = 0;           ///< before this cycle all has been done, as far as it ran alone
  Cycle quiet_until_ = 0;          ///< before this cycle no warp is eligible, if the queues'
  BackEnd::Rooms rooms_{};         ///< rooms are still these
  Sink& sink_;
  FrontEndClock clock_;
  BranchTurns turns_;
  std::vector<RegisterScoreboard> scoreboards_;  ///< of each warp; empty: wait masks do it
};

}  // namespace smsim
