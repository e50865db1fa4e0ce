// SPDX-License-Identifier: MIT
// Fresh results: how an instruction in the read pipeline comes by a result that is not yet in its
// bank.
#pragma once

#include <cstddef>

#include "core/cycle.hpp"
#include "operand/pipelined_op.hpp"
#include "operand/recent_results.hpp"

namespace smsim {

/// A result that left less than kFromBank cycles ago is found on its bypass, in the first cycle of
/// the last stage; whoever stays there longer waits until it is in the bank.
class FreshResults : public RecentResults {
 public:
  static constexpr Cycle kFromBank = 6;
  static constexpr Cycle kAfterStop = 8;  ///< for those that have stayed in the last stage

  using RecentResults::RecentResults;

  /// Notes the producer of each read, and which of them are fresh at `now`.
  void look(PipelinedOp& op, Cycle now) {
    const StaticInst& inst = *op.inst;
    forget(now, kAfterStop);
    for (std::size_t i = 0; i < inst.read_count; ++i) {
      op.producer[i] = writer(op.warp, inst.reads[i].reg);
      if (may_be_younger(op.producer[i]) && age(op.producer[i], now) < kAfterStop)
        op.fresh = static_cast<ReadSet>(op.fresh | read_bit(i));
    }
  }

  /// Results that are in their bank by `begin` are as good as old.
  void forget_old(PipelinedOp& op, Cycle begin) const {
    for (ReadSet fresh = op.fresh; fresh != 0; fresh = without_first(fresh)) {
      const std::size_t i = first_of(fresh);
      if (age(op.producer[i], begin) >= kAfterStop)
        op.fresh = static_cast<ReadSet>(op.fresh & ~read_bit(i));
    }
  }

  /// Whether read i finds its value on the bypass in the first cycle of the last stage. Sooner, the
  /// stall count was too short for this pair of units: the bank's old value is read like any other.
  bool bypassed(const PipelinedOp& op, std::size_t i, Cycle now) const {
    if (!has(op.fresh, i)) return false;
    const Cycle since = age(op.producer[i], now);
    return since >= forwarded_from(op.producer[i], *op.inst) && since < kFromBank;
  }

  bool too_soon(const PipelinedOp& op, std::size_t i) const {
    return age(op.producer[i], op.entered) < forwarded_from(op.producer[i], *op.inst);
  }

  bool readable(const PipelinedOp& op, std::size_t i, bool last_stage, Cycle now) const {
    const Cycle since = age(op.producer[i], now);
    if (since < 0) return true;
    if (!last_stage) return since >= kFromBank;
    return op.entered == now || since >= kAfterStop || too_soon(op, i);
  }

  bool all_in_bank(const PipelinedOp& op, Cycle now) const {
    for (std::size_t i = 0; i < op.inst->read_count; ++i) {
      const Cycle since = age(op.producer[i], now);
      if (since >= 0 && since < kAfterStop) return false;
    }
    return true;
  }
};

}  // namespace smsim
