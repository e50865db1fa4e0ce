// SPDX-License-Identifier: MIT
// Read pipeline: the stages behind issue in which an instruction fetches its registers (Volta and
// later).
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "operand/bank_ports.hpp"
#include "operand/pipelined_op.hpp"
#include "operand/read_plan.hpp"
#include "operand/read_planner.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Instructions move one stage a cycle: `read_delay_cycles` stages of control and allocation, then
/// `read_window_cycles` in which registers are read. In each cycle each bank serves one read
/// (`read_ports_per_bank`), of the oldest instruction first. Every bank has an operand latch a
/// source slot; a read waits while an older instruction in the read stages owns the latch of the
/// same bank and slot, filled or not, and needs no bank if that one leaves the operand behind. FP64
/// and HFMA2.MMA have latches of their own. An instruction in the last stage with reads left stops
/// the whole pipeline and the front end with it; the banks go on serving. A result that left less
/// than kFromBank cycles ago is found on its bypass, in the first cycle of the last stage; whoever
/// stays there longer waits until it is in the bank. Source: H200, 2167 loops of operand pairs,
/// triples, reuse and pipe mixes, 1432 windows of random loops, 9460 loops of fresh results, 7900
/// of flags, all exact; suite `bank.*`, `bankmix.*`, `bankwin.*`, `stamps.conf*`.
///
/// Nothing that issues later changes what an instruction does here. So when it comes, its reads are
/// entered in the banks' calendar and its last cycle is settled; a cycle in which nobody is in the
/// last stage costs nothing. What can come in between, a bank that the register feed takes or a
/// standstill from behind, has the rest of all plans made anew.
class ReadPipeline {
 public:
  static constexpr std::size_t kMaxBanks = ReadPlan::kMaxBanks;
  static constexpr std::size_t kMaxStages = 16;

  /// By instruction of the code: the same for all blocks.
  using Plans = std::shared_ptr<const std::vector<ReadPlan>>;
  static Plans plans_of(const Arch& arch, const std::vector<StaticInst>& code) {
    const auto usable = OperandLatches(arch.reuse_cache.slots, arch.register_file.banks).usable();
    auto plans = std::make_shared<std::vector<ReadPlan>>();
    plans->reserve(code.size());
    for (const StaticInst& inst : code)
      plans->emplace_back(inst, static_cast<std::size_t>(arch.register_file.banks), usable);
    return plans;
  }

  ReadPipeline(const Arch& arch, std::size_t warps, const std::vector<StaticInst>& code,
               Plans plans)
      : banks_(static_cast<std::size_t>(arch.register_file.banks)),
        stages_(arch.register_file.read_delay_cycles + arch.register_file.read_window_cycles),
        planner_(arch, warps),
        code_(code.data()),
        plans_(std::move(plans)) {}

  using Op = PipelinedOp;

  /// The reads of one cycle, of which `seen` hears as (operation, index of the read). `ports` are
  /// those that others take: plans that meet them are made anew. `time` is the front end's.
  template <typename Seen>
  void serve(Cycle now, Cycle time, const BankPorts& ports, Seen&& seen) {
    if (ports.takes() != takes_seen_) {
      takes_seen_ = ports.takes();
      if (planner_.feed(ports, now)) plan_again(now, now, time);
    }
    if constexpr (!std::same_as<std::remove_cvref_t<Seen>, NobodySees>)
      for (std::size_t k = 0; k < count_; ++k) tell_reads(op(k), now, seen);
  }

  /// The instruction in the last stage; null if the stage is empty.
  const Op* last(Cycle now) const { return next_turn_ <= now ? &op(0) : nullptr; }

  /// Whether the last stage's instruction still waits for a bank.
  bool blocked(Cycle now) const { return next_turn_ <= now && now < op(0).read_by; }

  /// Whether the last stage's instruction stays for its own sake. IMAD.WIDE and IMAD.HI read their
  /// sources a second time, from the bank alone (H200: 305 of 306 loops).
  bool holds(Cycle now) const { return next_turn_ <= now && now < op(0).leave_at; }

  /// The pipeline stands still in this cycle: what it holds stays where it is. `own`: for the sake
  /// of the instruction in the last stage, as was planned. `time` is the front end's.
  void stop(Cycle now, Cycle time, bool own) {
    if (!own && !blocked(now)) plan_again(now, now + 1, time);
  }

  /// Moves every instruction one stage on; the last one leaves.
  void shift(Cycle now) {
    if (next_turn_ > now) return;
    planner_.leave(op(0), now);
    op(0).count_reads(kNever, left_with_, 1);
    first_ = (first_ + 1) % kMaxStages;
    --count_;
    next_turn_ = count_ > 0 ? op(0).last_from : kNever;
    if (next_urgent_turn_ <= now) look_for_urgent();
  }

  /// Takes the instruction that a warp issues at `now`, the front end's `time`, into the first
  /// stage.
  void accept(std::uint32_t warp, const StaticInst& inst, Cycle now, Cycle time) {
    if (count_ == 0) planner_.begin_at(now + 1, time + 1);
    Op& op = this->op(count_++);
    op.inst = &inst;
    op.plan = &(*plans_)[static_cast<std::size_t>(&inst - code_)];
    op.warp = warp;
    op.held = 0;
    op.read_again = false;
    op.turn = time + stages_;
    op.last_from = kNever;
    op.expected = op.fresh = op.banked = 0;
    planner_.take(op, now, time);
    if (count_ == 1) next_turn_ = op.last_from;
    if (next_urgent_turn_ == kNever && op.is_urgent()) next_urgent_turn_ = op.last_from;
  }

  bool empty() const { return count_ == 0; }

  /// The next cycle in which somebody is in the last stage; kNever: none is on his way.
  Cycle next_turn() const { return next_turn_; }
  /// The same of those that have to be seen there: they go to a queue, stay, or stop others.
  Cycle next_urgent_turn() const { return next_urgent_turn_; }
  /// The oldest instruction, if it leaves before cycle `now`; null: it does not.
  const Op* leaves_before(Cycle now) const {
    return count_ > 0 && op(0).leave_at < now ? &op(0) : nullptr;
  }

  /// Reads of each bank before cycle `now`, since the last reset.
  std::array<std::uint64_t, kMaxBanks> reads(Cycle now) const {
    std::array<std::uint64_t, kMaxBanks> done = left_with_;
    for (std::size_t k = 0; k < count_; ++k) op(k).count_reads(now, done, 1);
    return done;
  }
  void reset_counts(Cycle now) {
    left_with_ = {};
    for (std::size_t k = 0; k < count_; ++k)
      op(k).count_reads(now, left_with_, 0 - std::uint64_t{1});
  }

  template <typename Writer>
  void save(const StaticInst* code, Cycle time, Cycle now, Writer& out) const {
    std::size_t k = count_;
    for (Cycle turn = time + stages_ - 1; turn >= time; --turn) {
      const bool here = k > 0 && op(k - 1).turn == turn;
      out.put(here ? op(k - 1).inst - code + 1 : 0);
      if (here) save_op(op(--k), turn == time, now, out);
    }
    planner_.results().save(code, time, now, out);
    planner_.latches().save(time, out);
  }

 private:
  /// The k-th oldest instruction.
  Op& op(std::size_t k) { return ops_[(first_ + k) % kMaxStages]; }
  const Op& op(std::size_t k) const { return ops_[(first_ + k) % kMaxStages]; }

  void look_for_urgent() {
    next_urgent_turn_ = kNever;
    for (std::size_t k = 0; k < count_ && next_urgent_turn_ == kNever; ++k)
      if (op(k).is_urgent()) next_urgent_turn_ = op(k).last_from;
  }

  /// Plans what comes from cycle `from` on, which is the front end's `time`. The instruction in the
  /// last stage has stayed there for its own sake in what was planned so before `now`.
  void plan_again(Cycle now, Cycle from, Cycle time) {
    planner_.settle_again(from, time);
    for (std::size_t k = 0; k < count_; ++k) {
      Op& op = this->op(k);
      op.read_again = op.has_read_again(now);
      op.held = static_cast<std::uint8_t>(op.held_before(now));
      const ReadsTodo todo{op.left(from), op.unsettled(from)};
      op.banked = static_cast<ReadSet>(op.banked & ~todo.left);
      if (op.inst->repeats_register)
        for (ReadSet left = todo.left; left != 0; left = without_first(left))
          op.merged_into[first_of(left)] = Op::kNotMerged;
      planner_.settle(op, todo, from);
    }
    next_turn_ = count_ > 0 ? op(0).last_from : kNever;
    look_for_urgent();
  }

  template <typename Seen>
  void tell_reads(const Op& op, Cycle now, Seen& seen) const {
    for (std::size_t b = 0; b < banks_; ++b)
      for (std::size_t i = 0; i < op.inst->read_count; ++i)
        if (has(op.banked, i) && op.done_at[i] == now && op.inst->reads[i].bank == b) seen(op, i);
  }

  template <typename Writer>
  void save_op(const Op& op, bool last_stage, Cycle now, Writer& out) const {
    out.put(op.warp);
    out.put(op.held_before(now) * 2 + (op.has_read_again(now) ? 1 : 0));
    const ReadSet left = op.plan->reads != 0 ? op.left(now) : ReadSet{0};
    for (std::size_t b = 0; b < banks_; ++b) out.put(op.plan->need[b] & left);
    out.put(op.unsettled(now));
    if (last_stage) out.put(std::min(now - std::min(op.entered, now), FreshResults::kAfterStop));
  }

  std::size_t banks_;
  Cycle stages_;
  ReadPlanner planner_;
  const StaticInst* code_;
  Plans plans_;
  std::array<Op, kMaxStages> ops_;  ///< a ring, the oldest at first_
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  Cycle next_turn_ = kNever;         ///< of the oldest
  Cycle next_urgent_turn_ = kNever;  ///< of the oldest that is urgent
  std::uint64_t takes_seen_ = 0;
  std::array<std::uint64_t, kMaxBanks> left_with_{};  ///< bank reads of those that have left
};

}  // namespace smsim
