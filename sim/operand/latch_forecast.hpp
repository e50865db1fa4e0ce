// SPDX-License-Identifier: MIT
// Latch forecast: what the operand latches will hold behind each instruction in the read pipeline.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "operand/operand_latches.hpp"
#include "operand/pipelined_op.hpp"
#include "operand/read_plan.hpp"

namespace smsim {

/// The operand latches as they are, and as they will be when all that are in the pipeline have
/// left: those who come behind find them so. FP64 and HFMA2.MMA have latches of their own, which
/// are the second kind.
class LatchForecast {
 public:
  LatchForecast(int usable_slots, int banks)
      : left_behind_{OperandLatches(usable_slots, banks), OperandLatches(usable_slots, banks)},
        will_be_left_(left_behind_) {
    forget_users();
  }

  /// Whether any of the instruction's latches may hold something when all have left.
  bool may_hold_any(const ReadPlan& plan) const { return (plan.owns & filled_[plan.kind]) != 0; }

  /// Whether the last older user of the latch, in the pipeline or gone, may leave the operand.
  bool may_be_left(const PipelinedOp& op, std::size_t i) const {
    const std::size_t kind = op.plan->kind;
    if ((op.plan->latch(i) & filled_[kind]) == 0) return false;
    const RegisterRead& read = op.inst->reads[i];
    const User& user = users_[kind][4U * read.bank + read.slot];
    if (user.number > left_) return leaves(user, op.warp, read);
    return left_behind_[kind].holds(op.warp, read.bank, read.slot, read.reg);
  }

  /// What the latches will hold when this instruction has left, for those that come behind it.
  void enter(const PipelinedOp& op) {
    ++entered_;
    const ReadPlan& plan = *op.plan;
    if ((plan.keeps | plan.ends) == 0 && !plan.ends_all) return;
    LatchSet& filled = filled_[plan.kind];
    filled = (filled & ~plan.ends) | plan.keeps;
    for (LatchSet left = plan.keeps; left != 0; left &= left - 1)
      users_[plan.kind][static_cast<std::size_t>(std::countr_zero(left))] = {entered_, op.inst,
                                                                             op.warp};
    if (plan.ends_all) filled_ = {};
  }

  /// The last cycle in which an older instruction of the kind owns the latch.
  Cycle owned_until(const ReadPlan& plan, std::size_t i) const {
    return owned_until_[plan.kind][plan.latch_at[i]];
  }
  /// Whether one owns any of these at `at`.
  bool owned(const ReadPlan& plan, LatchSet latches, Cycle at) const {
    for (; latches != 0; latches &= latches - 1)
      if (owned_until_[plan.kind][static_cast<std::size_t>(std::countr_zero(latches))] >= at)
        return true;
    return false;
  }

  /// Whether the latch of read i holds its operand at `at`, when its last user has left.
  bool will_hold(const PipelinedOp& op, std::size_t i, Cycle at) const {
    const RegisterRead& r = op.inst->reads[i];
    if (!will_be_left_[op.plan->kind].holds(op.warp, r.bank, r.slot, r.reg)) return false;
    return op.plan->kind == 0 || at <= spoilt_from_[op.plan->latch_at[i]];
  }

  /// What latches a leaving instruction ends a cycle late.
  struct Spoilt {
    LatchSet latches = 0;
    Cycle turn = -2;
    Cycle at = 0;  ///< its last cycle
  };

  /// By the instruction right in front of this one, the youngest that is settled.
  Spoilt spoilt_before(const PipelinedOp& op) const {
    return spoilt_.turn + 1 == op.turn ? spoilt_ : Spoilt{};
  }

  /// What it will leave in the latches. A value that it takes from the bypass goes past the latch.
  /// A slot of FP64 and HFMA2.MMA is one 64-bit latch: a use in one bank ends the other's.
  template <typename Bypassed>
  void settle(PipelinedOp& op, LatchSet spoilt, Bypassed bypassed) {
    const ReadPlan& plan = *op.plan;
    op.stays = 0;
    op.spoils = 0;
    for (ReadSet reads = plan.reads; reads != 0; reads = without_first(reads))
      owned_until_[plan.kind][plan.latch_at[first_of(reads)]] = op.leave_at;
    owned_until_[plan.kind][ReadPlan::kLatches] = -1;
    for (ReadSet reads = plan.kept; reads != 0; reads = without_first(reads)) {
      const std::size_t i = first_of(reads);
      if (!op.inst->own_latches && bypassed(i))
        op.spoils |= plan.latch(i);
      else if ((spoilt & plan.latch(i)) == 0)
        op.stays = static_cast<ReadSet>(op.stays | read_bit(i));
    }
    leave_latches(op, will_be_left_);
    if ((op.spoils | spoilt_.latches) != 0) spoilt_ = {op.spoils, op.turn, op.leave_at};
    for (LatchSet left = op.spoils; left != 0; left &= left - 1) {
      Cycle& from = spoilt_from_[static_cast<std::size_t>(std::countr_zero(left))];
      from = std::min(from, op.leave_at);
    }
    if (plan.kind == 1)
      for (ReadSet left = op.stays; left != 0; left = without_first(left))
        spoilt_from_[plan.latch_at[first_of(left)]] = kNever;
  }

  /// It leaves at the end of cycle `now`.
  void leave(const PipelinedOp& op, Cycle now) {
    ++left_;
    leave_latches(op, left_behind_);
    if ((op.spoils | spoilt_last_.latches) == 0) return;
    left_behind_[1].clear(op.spoils);
    spoilt_last_ = {op.spoils, op.turn, now};
  }

  /// Those in the pipeline are settled anew.
  void settle_again() {
    will_be_left_ = left_behind_;
    spoilt_ = spoilt_last_;
    forget_users();
  }

  template <typename Writer>
  void save(Cycle time, Writer& out) const {
    for (const OperandLatches& latches : left_behind_) latches.save(out);
    out.put(spoilt_last_.turn + 1 == time ? spoilt_last_.latches : 0);
  }

 private:
  using Latches = std::array<OperandLatches, 2>;

  /// The last instruction that leaves something in a latch, and the how-many'th it was: those
  /// behind the left_'th are in the pipeline.
  struct User {
    std::int64_t number = -1;
    const StaticInst* inst = nullptr;
    std::uint32_t warp = 0;
  };

  static bool leaves(const User& user, std::uint32_t warp, const RegisterRead& read) {
    if (user.warp != warp) return false;
    const auto end = user.inst->reads.begin() + user.inst->read_count;
    return std::any_of(user.inst->reads.begin(), end, [&](const RegisterRead& r) {
      return r.slot == read.slot && r.reg == read.reg;
    });
  }

  static void leave_latches(const PipelinedOp& op, Latches& latches) {
    OperandLatches& own = latches[op.plan->kind];
    own.clear(op.plan->ends);
    for (ReadSet left = op.stays; left != 0; left = without_first(left)) {
      const RegisterRead& r = op.inst->reads[first_of(left)];
      own.keep(op.warp, r.bank, r.slot, r.reg);
    }
    if (!op.plan->ends_all) return;
    for (OperandLatches& each : latches) each.clear(each.filled());
  }

  void forget_users() {
    for (auto& each : owned_until_) each.fill(-1);
    spoilt_from_.fill(kNever);
  }

  std::array<std::array<Cycle, ReadPlan::kLatches + 1>, 2>
      owned_until_;       ///< by kind and latch: the last cycle of the youngest that uses it
  Latches left_behind_;   ///< by kind
  Latches will_be_left_;  ///< the same when all that are in the pipeline have left
  std::array<Cycle, ReadPlan::kLatches> spoilt_from_;  ///< behind this cycle its own latch is empty
  Spoilt spoilt_;                                      ///< by the youngest instruction
  Spoilt spoilt_last_;                                 ///< by the one that left last
  std::array<LatchSet, 2> filled_{};  ///< latches that may hold something when all have left
  std::array<std::array<User, ReadPlan::kLatches>, 2> users_{};  ///< of those, by kind and latch
  std::int64_t entered_ = 0;                                     ///< instructions that have come
  std::int64_t left_ = 0;                                        ///< and that have left
};

}  // namespace smsim
