// SPDX-License-Identifier: MIT
// Read planner: settles in which cycles an instruction that comes into the read pipeline reads its
// registers, and when it leaves.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "operand/bank_ports.hpp"
#include "operand/fresh_results.hpp"
#include "operand/front_end_cycles.hpp"
#include "operand/latch_forecast.hpp"
#include "operand/pipelined_op.hpp"
#include "operand/read_calendar.hpp"
#include "operand/read_plan.hpp"
#include "operand/reads_by_cycle.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Instructions come in order, and each is settled when all older ones are. The rules are those of
/// the read pipeline.
class ReadPlanner {
 public:
  ReadPlanner(const Arch& arch, std::size_t warps)
      : file_(arch.register_file),
        banks_(static_cast<std::size_t>(file_.banks)),
        results_(warps),
        latches_(arch.reuse_cache.slots, file_.banks),
        calendar_(file_.read_ports_per_bank) {}

  const FreshResults& results() const { return results_; }
  const LatchForecast& latches() const { return latches_; }

  /// Nobody is in the pipeline when the front end's `time` begins with cycle `at`.
  void begin_at(Cycle at, Cycle time) { cycles_.begin_at(at, time); }

  /// An instruction issues at `now`, the front end's `time`.
  void take(PipelinedOp& op, Cycle now, Cycle time) {
    ReadsTodo todo{op.plan->reads, 0};
    if (todo.left != 0) look_for_operands(op, todo, now);
    latches_.enter(op);
    const StaticInst& inst = *op.inst;
    const bool gives = inst.write_count > 0 && inst.route == Route::dispatch && !inst.reads_apart;
    op.result = gives ? results_.issue(op.warp, inst, time) : 0;
    settle(op, todo, now + 1);
  }

  /// Settles what the instruction does from cycle `from` on.
  void settle(PipelinedOp& op, ReadsTodo todo, Cycle from) {
    const Cycle turn_at = cycles_.start_of(op.turn);
    if (op.last_from >= from)
      op.last_from = op.entered = turn_at;
    else
      op.entered = std::min(op.entered, from);
    op.read_by = op.last_from;
    const LatchForecast::Spoilt spoilt = latches_.spoilt_before(op);
    if (op.plan->reads != 0) settle_reads(op, todo, from, spoilt);
    op.will_hold = 0;
    op.leave_at = op.hold_from = std::max(op.read_by, from);
    if (op.inst->hold > 0) settle_hold(op);
    cycles_.end_at(op.leave_at, op.turn);
    if (op.result != 0) results_.leaves(op.result, op.leave_at, op.inst->write_delay);
    latches_.settle(op, spoilt.latches,
                    [&](std::size_t i) { return results_.bypassed(op, i, op.leave_at); });
  }

  /// It leaves at the end of cycle `now`.
  void leave(const PipelinedOp& op, Cycle now) { latches_.leave(op, now); }

  /// Others take the banks' ports; true if somebody was to read through them.
  bool feed(const BankPorts& ports, Cycle now) {
    bool meets = false;
    for (Cycle at = now; at <= ports.last(); ++at)
      if (const BankSet fed = ports.taken(at); fed != 0) meets = calendar_.feed(fed, at) || meets;
    return meets;
  }

  /// All in the pipeline are to be settled again from cycle `from` on, the front end's `time`.
  void settle_again(Cycle from, Cycle time) {
    calendar_.clear_from(from);
    latches_.settle_again();
    cycles_.begin_at(from, time);
  }

 private:
  /// Which reads find their operand in a latch, perhaps, and which do so on a bypass.
  void look_for_operands(PipelinedOp& op, ReadsTodo& todo, Cycle now) {
    const StaticInst& inst = *op.inst;
    results_.look(op, now);
    if (latches_.may_hold_any(*op.plan))
      for (std::size_t i = 0; i < inst.read_count; ++i)
        if (latches_.may_be_left(op, i))
          op.expected = static_cast<ReadSet>(op.expected | read_bit(i));
    todo.expected = op.expected;
    if (!inst.repeats_register) return;
    op.merged_into.fill(PipelinedOp::kNotMerged);
    for (std::size_t i = 1; i < inst.read_count; ++i)
      if (!has(op.expected, i)) op.merge(todo, i, i, -1);
  }

  /// Reads that can meet no other one of their instruction at their bank, but in a known order, are
  /// settled each by itself; the others cycle by cycle.
  void settle_reads(PipelinedOp& op, ReadsTodo todo, Cycle from,
                    const LatchForecast::Spoilt& spoilt) {
    const Cycle begin = std::max(from, cycles_.start_of(op.turn - file_.read_window_cycles + 1));
    const bool loses = spoilt.latches != 0 && op.plan->kind == 1 && spoilt.at >= from;
    if (op.fresh != 0) results_.forget_old(op, begin);
    const bool may_merge = op.inst->repeats_register && todo.expected != 0;
    if (file_.read_ports_per_bank == 1 && !may_merge && !loses) {
      if (op.fresh == 0)
        settle_apart(op, todo, todo.left, begin);
      else
        settle_banks(op, todo, begin);
      if (todo.left == 0) return;
    }
    ReadsByCycle(file_, op, todo, results_, latches_, calendar_)
        .settle(begin, loses ? spoilt.latches : 0, spoilt.at);
  }

  /// Settles the reads of each bank with at most one fresh one, which finds its bypass.
  void settle_banks(PipelinedOp& op, ReadsTodo& todo, Cycle begin) {
    for (std::size_t b = 0; b < banks_; ++b) {
      const auto need = static_cast<ReadSet>(op.plan->need[b] & todo.left);
      const auto fresh = static_cast<ReadSet>(need & op.fresh);
      if (need == 0 || (fresh != 0 && !settle_fresh(op, todo, fresh, b, begin))) continue;
      settle_apart(op, todo, static_cast<ReadSet>(need & ~fresh), begin);
    }
  }

  /// A fresh result goes ahead of the other reads of its bank from the first cycle on in which it
  /// can be read. False, and nothing settled, if that is not as simple.
  bool settle_fresh(PipelinedOp& op, ReadsTodo& todo, ReadSet fresh, std::size_t bank,
                    Cycle begin) {
    const std::size_t i = first_of(fresh);
    if (fresh != read_bit(i) || has(todo.expected, i)) return false;
    const Cycle age = results_.age(op.producer[i], op.last_from);
    const bool on_its_way = results_.age(op.producer[i], begin) < 0;
    if (on_its_way || op.entered != op.last_from || begin > op.last_from ||
        age < results_.forwarded_from(op.producer[i], *op.inst))
      return false;
    const Cycle in_bank = op.last_from - age + FreshResults::kFromBank;
    const Cycle from = std::max(std::min(in_bank, op.last_from), begin);
    const Cycle at = calendar_.first_free(bank, std::max(from, owned_until(op, i) + 1));
    if (at > op.last_from) return false;
    read_at(op, i, bank, at);
    todo.left = static_cast<ReadSet>(todo.left & ~fresh);
    return true;
  }

  /// The last cycle in which an older instruction owns a latch that read i fills.
  Cycle owned_until(const PipelinedOp& op, std::size_t i) const {
    Cycle until = latches_.owned_until(*op.plan, i);
    if (op.inst->repeats_register)
      for (std::size_t j = 0; j < op.inst->read_count; ++j)
        if (op.merged_into[j] == i) until = std::max(until, latches_.owned_until(*op.plan, j));
    return until;
  }

  /// Each of these reads comes as soon as nobody older owns its latch: from there, or when its bank
  /// is free.
  void settle_apart(PipelinedOp& op, ReadsTodo& todo, ReadSet reads, Cycle begin) {
    todo.left = static_cast<ReadSet>(todo.left & ~reads);
    for (; reads != 0; reads = without_first(reads)) {
      const std::size_t i = first_of(reads);
      const Cycle at = std::max(begin, owned_until(op, i) + 1);
      if (has(todo.expected, i) && settle_expected(op, todo, i, at)) continue;
      const std::size_t bank = op.inst->reads[i].bank;
      read_at(op, i, bank, calendar_.first_free(bank, at));
    }
  }

  /// Whether the operand is found in its latch, at `at`.
  bool settle_expected(PipelinedOp& op, ReadsTodo& todo, std::size_t i, Cycle at) const {
    todo.expected = static_cast<ReadSet>(todo.expected & ~read_bit(i));
    op.settled_at[i] = at;
    if (!latches_.will_hold(op, i, at)) return false;
    op.done_at[i] = at;
    op.read_by = std::max(op.read_by, at);
    return true;
  }

  void read_at(PipelinedOp& op, std::size_t i, std::size_t bank, Cycle at) {
    calendar_.take(bank, at);
    op.read_from_bank(i, at);
    op.read_by = std::max(op.read_by, at);
  }

  /// The cycles that it stays in the last stage for its own sake.
  void settle_hold(PipelinedOp& op) const {
    if (op.read_again || op.inst->route != Route::dispatch) return;
    do {
      ++op.will_hold;
    } while (op.held + op.will_hold < op.inst->hold ||
             !results_.all_in_bank(op, op.hold_from + op.will_hold - 1));
    op.leave_at += op.will_hold;
  }

  RegisterFileSpec file_;
  std::size_t banks_;
  FreshResults results_;
  LatchForecast latches_;
  ReadCalendar calendar_;
  FrontEndCycles cycles_;
};

}  // namespace smsim
