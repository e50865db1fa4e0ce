// SPDX-License-Identifier: MIT
// Pipelined operation: an instruction in the read pipeline, with the cycles in which it will do
// what it does there.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "operand/read_plan.hpp"
#include "operand/recent_results.hpp"

namespace smsim {

/// What an instruction in the read pipeline has not done yet.
struct ReadsTodo {
  ReadSet left;      ///< reads that may need a bank
  ReadSet expected;  ///< of these, what may be found in a latch
};

struct PipelinedOp {
  static constexpr std::uint8_t kNotMerged = 255;

  const StaticInst* inst = nullptr;
  const ReadPlan* plan = nullptr;
  std::uint32_t warp = 0;
  std::uint8_t held = 0;       ///< cycles that it has stayed in the last stage for its own sake
  bool read_again = false;     ///< its second reads are done
  std::uint8_t will_hold = 0;  ///< cycles that it will stay, from hold_from on
  RecentResults::Id result = 0;
  Cycle turn = 0;       ///< when it is in the last stage, on the front end's clock
  Cycle last_from = 0;  ///< its first cycle in the last stage
  Cycle entered = 0;    ///< the same, or later if that cycle does not count as the first
  Cycle read_by = 0;    ///< from then on it waits for no bank in the last stage
  Cycle hold_from = 0;
  Cycle leave_at = 0;    ///< its last cycle in the pipeline
  ReadSet fresh = 0;     ///< what may not be in its bank yet
  ReadSet expected = 0;  ///< what an older instruction may leave in a latch
  ReadSet banked = 0;    ///< what it reads from a bank; the rest it finds somewhere else
  ReadSet stays = 0;     ///< reads that leave their operand in its latch
  LatchSet spoils = 0;   ///< latches that it ends a cycle late
  std::array<RecentResults::Id, kMaxReads> producer;
  std::array<Cycle, kMaxReads> done_at;     ///< when each read is done; -1: it was never needed
  std::array<Cycle, kMaxReads> settled_at;  ///< when it turns out whether what it expects is there
  std::array<std::uint8_t, kMaxReads> merged_into;  ///< another read that fills both latches

  /// A register that is named twice is read once and fills both latches: read i and the first of
  /// `others` that still needs it.
  bool merge(ReadsTodo& todo, std::size_t i, std::size_t others, Cycle at) {
    if (!inst->repeats_register) return false;
    for (std::size_t j = 0; j < others; ++j) {
      if (j == i || inst->reads[j].reg != inst->reads[i].reg) continue;
      if (!has(static_cast<ReadSet>(todo.left & ~todo.expected), j)) continue;
      merged_into[i] = static_cast<std::uint8_t>(j);
      done_at[i] = at;
      todo.left = static_cast<ReadSet>(todo.left & ~read_bit(i));
      return true;
    }
    return false;
  }

  /// Read i comes from its bank in cycle `at`.
  void read_from_bank(std::size_t i, Cycle at) {
    banked = static_cast<ReadSet>(banked | read_bit(i));
    done_at[i] = at;
  }

  /// Reads that are not done before cycle `now`.
  ReadSet left(Cycle now) const {
    ReadSet left = 0;
    for (std::size_t i = 0; i < inst->read_count; ++i)
      if (has(plan->reads, i) && done_at[i] >= now) left = static_cast<ReadSet>(left | read_bit(i));
    return left;
  }

  /// Of what it expects, that which has not turned out before cycle `now`.
  ReadSet unsettled(Cycle now) const {
    ReadSet open = expected;
    for (std::size_t i = 0; i < inst->read_count && open != 0; ++i)
      if (settled_at[i] < now) open = static_cast<ReadSet>(open & ~read_bit(i));
    return open;
  }

  /// Adds, `times` times, the reads of banks before cycle `now`.
  void count_reads(Cycle now, std::array<std::uint64_t, ReadPlan::kMaxBanks>& sum,
                   std::uint64_t times) const {
    for (ReadSet reads = banked; reads != 0; reads = without_first(reads))
      if (done_at[first_of(reads)] < now) sum[inst->reads[first_of(reads)].bank] += times;
  }

  /// Whether it does more in the last stage than to leave for a pipe of fixed latency.
  bool is_urgent() const {
    const bool to_queue = inst->route == Route::memory || inst->route == Route::special;
    return to_queue || inst->closes_after > 0 || last_from != leave_at;
  }

  /// Cycles before `now` that it has stayed in the last stage for its own sake.
  int held_before(Cycle now) const {
    if (will_hold == 0 || now <= hold_from) return held;
    return held + static_cast<int>(std::min<Cycle>(now - hold_from, will_hold));
  }
  bool has_read_again(Cycle now) const {
    return read_again || (will_hold > 0 && now >= hold_from + will_hold);
  }
};

}  // namespace smsim
