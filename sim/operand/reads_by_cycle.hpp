// SPDX-License-Identifier: MIT
// Reads by cycle: the reads of one instruction, gone through cycle by cycle where they meet each
// other, fresh results or latches that are lost.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "operand/fresh_results.hpp"
#include "operand/latch_forecast.hpp"
#include "operand/pipelined_op.hpp"
#include "operand/read_calendar.hpp"
#include "operand/read_plan.hpp"
#include "smsim/arch.hpp"

namespace smsim {

class ReadsByCycle {
 public:
  ReadsByCycle(const RegisterFileSpec& file, PipelinedOp& op, ReadsTodo todo,
               const FreshResults& results, const LatchForecast& latches, ReadCalendar& calendar)
      : banks_(static_cast<std::size_t>(file.banks)),
        ports_(static_cast<std::size_t>(file.read_ports_per_bank)),
        op_(op),
        rest_(todo),
        results_(results),
        forecast_(latches),
        calendar_(calendar) {
    for (std::size_t i = 0; i < op.inst->read_count; ++i) {
      latches_[i] = op.plan->latch(i);
      if (has(todo.left, i)) op.done_at[i] = kNever;
      if (has(todo.expected, i)) op.settled_at[i] = kNever;
    }
    if (!op.inst->repeats_register) return;
    for (std::size_t i = 0; i < op.inst->read_count; ++i)
      if (has(op.plan->reads, i) && !has(todo.left, i) &&
          op.merged_into[i] != PipelinedOp::kNotMerged)
        latches_[op.merged_into[i]] |= latches_[i];
  }

  /// From cycle `begin` on each cycle serves what it can. What was found in `spoilt` latches is
  /// lost behind cycle `spoilt_at`.
  void settle(Cycle begin, LatchSet spoilt, Cycle spoilt_at) {
    for (Cycle at = begin;; ++at) {
      if (spoilt != 0 && at > spoilt_at) {
        lose_found(spoilt, spoilt_at);
        spoilt = 0;
      }
      if (rest_.left == 0 && spoilt == 0) return;
      if (rest_.left == 0) continue;
      serve(at);
      op_.read_by = std::max(op_.read_by, at);
    }
  }

 private:
  /// One read of each free bank, by each port.
  void serve(Cycle at) {
    for (std::size_t port = 0; port < ports_ && rest_.left != 0; ++port) {
      if (rest_.expected != 0) find_in_latches(at);
      const BankSet taken = calendar_.taken(at, port);
      for (std::size_t b = 0; b < banks_; ++b) {
        if ((op_.plan->need[b] & rest_.left) == 0 || (taken >> b & 1U) != 0) continue;
        const int chosen = choose(b, at);
        if (chosen < 0) continue;
        const auto i = static_cast<std::size_t>(chosen);
        calendar_.take(b, at, port);
        op_.read_from_bank(i, at);
        rest_.left = static_cast<ReadSet>(rest_.left & ~read_bit(i));
      }
    }
    if (op_.entered == at) keep_bypass(calendar_.fed(at), at);
  }

  bool owned(std::size_t i, Cycle at) const { return forecast_.owned(*op_.plan, latches_[i], at); }

  /// Latches whose last user has left: does it hold what this one needs?
  void find_in_latches(Cycle at) {
    for (ReadSet open = rest_.expected; open != 0; open = without_first(open)) {
      const std::size_t i = first_of(open);
      if (owned(i, at)) continue;
      rest_.expected = static_cast<ReadSet>(rest_.expected & ~read_bit(i));
      op_.settled_at[i] = at;
      if (forecast_.will_hold(op_, i, at)) {
        op_.done_at[i] = at;
        rest_.left = static_cast<ReadSet>(rest_.left & ~read_bit(i));
      } else if (op_.merge(rest_, i, op_.inst->read_count, at)) {
        latches_[op_.merged_into[i]] |= latches_[i];
      }
    }
  }

  /// The source with the youngest forwarded result, then in slot order; -1: none can be read.
  int choose(std::size_t bank, Cycle at) const {
    constexpr Cycle kOld = FreshResults::kAfterStop;
    const bool last_stage = at >= op_.last_from;
    int best = -1;
    Cycle best_age = kOld;
    for (auto need = static_cast<ReadSet>(op_.plan->need[bank] & rest_.left & ~rest_.expected);
         need != 0; need = without_first(need)) {
      const std::size_t i = first_of(need);
      if (owned(i, at)) continue;
      const bool fresh = has(op_.fresh, i);
      if (fresh && !results_.readable(op_, i, last_stage, at)) continue;
      const bool forwarded = fresh && !(last_stage && results_.too_soon(op_, i));
      const Cycle age = forwarded ? results_.age(op_.producer[i], at) : kOld;
      if (best >= 0 && age >= best_age) continue;
      best = static_cast<int>(i);
      best_age = std::min(age, kOld);
    }
    return best;
  }

  /// A bank that the feed took does not end the first cycle of the last stage for what waits there
  /// for its bypass (H200, `m2.sfu*`: 10 of 1200 loops).
  void keep_bypass(BankSet fed, Cycle at) {
    for (std::size_t i = 0; i < op_.inst->read_count; ++i)
      if (has(rest_.left, i) && (fed >> op_.inst->reads[i].bank & 1U) != 0 &&
          results_.bypassed(op_, i, at))
        op_.entered = at + 1;
  }

  /// A flagged value from the bypass ends the latch a cycle late: what the next instruction leaves
  /// there is lost, and what it found there if it has latches of its own (H200, `m2.hrr`,
  /// `m2.arr`).
  void lose_found(LatchSet spoilt, Cycle at) {
    for (std::size_t i = 0; i < op_.inst->read_count; ++i) {
      if ((op_.plan->latch(i) & spoilt) == 0 || has(rest_.left, i) ||
          !forecast_.will_hold(op_, i, at))
        continue;
      op_.fresh = static_cast<ReadSet>(op_.fresh & ~read_bit(i));
      rest_.left = static_cast<ReadSet>(rest_.left | read_bit(i));
    }
  }

  std::size_t banks_;
  std::size_t ports_;
  PipelinedOp& op_;
  ReadsTodo rest_;
  std::array<LatchSet, kMaxReads> latches_;  ///< that each read fills
  const FreshResults& results_;
  const LatchForecast& forecast_;
  ReadCalendar& calendar_;
};

}  // namespace smsim
