// SPDX-License-Identifier: MIT
// An instruction of the loop as the cycle loop sees it: small integers, compiled once from program
// and architecture.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "smsim/stall_reason.hpp"

namespace smsim {

/// A register that an instruction reads through a bank: 32 bits of each lane.
struct RegisterRead {
  std::uint8_t bank = 0;
  std::uint8_t slot = 0;  ///< source slot 0..2 (a, b, c); 3 and more: not reusable
  std::uint8_t reg = 0;
};

inline constexpr std::size_t kMaxReads = 16;

/// How an instruction leaves the block's issue stage.
enum class Route : std::uint8_t {
  dispatch,  ///< register read window, then its pipe; waits for both in the dispatch stage
  special,   ///< the queue in front of the block's special-function pipe
  memory,    ///< the block's memory queue, then the SM's load/store unit
  control    ///< nothing to execute: branches, barriers, NOP
};

/// What a control instruction does to its warp.
enum class ControlEffect : std::uint8_t { none, barrier_sync, exit };

/// What a memory instruction asks of the register feed and the load/store unit.
struct MemoryOp {
  std::uint8_t data_count = 0;           ///< registers of data to read, ascending
  std::uint8_t address_count = 0;        ///< then of the address, the high word first
  std::array<std::uint8_t, 12> banks{};  ///< their banks, in this order
  std::int16_t read_to_unit = 4;         ///< cycles from the last register's read to the unit
  std::int16_t read_release_extra =
      0;  ///< the read barrier's release, relative to the arrival at the unit
  std::int16_t return_extra = 0;  ///< cycles on top of the shared-memory path (L1 tags, shuffles)
  std::uint8_t wavefronts = 1;    ///< 0: a special register, not the load/store unit
  std::uint8_t passes = 1;        ///< of the result's return
  std::uint8_t tag_cycles = 0;    ///< L1 lines, in cycles of the tag stage
  std::uint16_t touches = 0;      ///< 1 + index into CompiledLoop::touches; 0: it hits L1
  bool global = false;
  bool shared = false;
  bool returns = false;  ///< a result comes back
};

struct StaticInst {
  std::uint32_t path_step = 0;  ///< position in the iteration
  std::uint16_t pipe = 0;
  std::int16_t second_pipe = -1;  ///< see InstructionTiming
  bool needs_both = false;
  bool variable_latency = false;  ///< its result is waited for, not counted for
  bool overflows = false;         ///< takes the second pipe when the first is busy
  bool dual = false;              ///< the warp's next instruction may issue in the same cycle
  std::uint8_t unyielding = 0;    ///< stall count 12 to 15 without a yield request, where that
                                  ///< means something else; 0: no
  std::uint16_t second_interval = 1;
  bool own_latches = false;        ///< operand latches apart from the others'
  std::uint8_t result_unit = 0;    ///< where its result is forwarded soonest
  std::uint8_t reader_unit = 0;    ///< whose results reach it soonest
  bool line_first = false;         ///< first instruction of a code line that follows in sequence
  bool line_last = false;          ///< last one of a code line
  bool next_line = false;          ///< first instruction of the code line behind a branch target's
  bool ends_iteration = false;     ///< it, or the one that may issue with it
  bool meets_others = false;       ///< the same of a BAR.SYNC or the end of a warp
  bool slow_fetch = false;         ///< a taken branch whose target has left the instruction cache
  bool reads_apart = false;        ///< its registers do not come through the read pipeline
  std::uint16_t interval = 1;      ///< pipe occupancy in cycles
  std::uint16_t latency = 0;       ///< cycles, issue to result
  std::uint16_t read_release = 0;  ///< cycles, issue (or acceptance) to the read barrier's release
  std::uint8_t stall = 1;
  bool yield = false;
  bool taken_branch = false;
  bool waits_for_sync = true;  ///< held by a BAR.SYNC that has not opened yet
  Route route = Route::dispatch;
  ControlEffect effect = ControlEffect::none;
  std::uint16_t write_barrier = 7;  ///< or a register token, see scoreboard/release_queue.hpp
  std::uint16_t read_barrier = 7;
  std::uint8_t wait_mask = 0;
  std::uint8_t reuse = 0;
  std::uint8_t read_count = 0;
  std::uint8_t write_first = 255;  ///< first register of the result
  std::uint8_t write_count = 0;    ///< registers of the result
  std::uint8_t closes_after = 0;   ///< see Pipe::closes_dispatch_after_cycles
  std::uint8_t hold = 0;           ///< extra cycles in the last read stage
  std::uint8_t write_delay = 0;    ///< its result is written this much later than others'
  std::array<std::uint8_t, 8> write_banks{};
  MemoryOp memory;
  StallReason scoreboard =
      StallReason::short_scoreboard;  ///< what waiting on its barrier is called
  StallReason throttle = StallReason::math_pipe_throttle;  ///< what waiting for its queue is called
  bool repeats_register = true;  ///< false: each of its reads is of another register
  std::array<RegisterRead, kMaxReads> reads{};

  bool asks_to_yield() const { return yield && !taken_branch; }
  bool may_meet_others() const { return ends_iteration || meets_others; }
};

/// One iteration, ready to run. The last instruction's successor is the first. Or the sequences of
/// a trace's warps, one behind the other, each of which ends in an exit.
struct CompiledLoop {
  std::vector<StaticInst> code;  ///< the iteration, then what each warp issues once before it
  std::size_t length = 0;        ///< instructions of the iteration
  /// Index of what each warp issues in its last iteration, and then on to its exit; 0: it ends
  /// behind the iteration. It is the code's end.
  std::size_t last_pass = 0;
  bool is_loop = true;
  bool uses_shared_unit = false;  ///< blocks interact
  /// For loads that walk through memory: whether they miss L1, by iteration, again and again.
  std::vector<std::vector<std::uint8_t>> touches;
  std::uint64_t touch_period = 1;  ///< iterations after which all of them repeat

  bool misses(const StaticInst& inst, std::uint64_t iteration) const {
    if (inst.memory.touches == 0) return false;
    const auto& pattern = touches[inst.memory.touches - 1U];
    return pattern[static_cast<std::size_t>(iteration % pattern.size())] != 0;
  }

  /// Of code that is one iteration: where a block may not run ahead of the others.
  void mark_meetings() {
    for (std::size_t i = code.size(); i-- > 0;) {
      const bool last = i + 1 == code.size();
      const bool pairs = code[i].dual && !last;
      code[i].ends_iteration = last || (pairs && code[i + 1].ends_iteration);
      code[i].meets_others =
          code[i].effect != ControlEffect::none || (pairs && code[i + 1].meets_others);
    }
  }

  std::vector<std::uint32_t> entries;  ///< by warp of the SM, where it begins; empty: first()

  std::vector<std::uint32_t> thread_blocks;  ///< by warp of the SM; empty: all are of one

  std::uint32_t thread_block(std::size_t warp_of_sm) const {
    return warp_of_sm < thread_blocks.size() ? thread_blocks[warp_of_sm] : 0;
  }
  std::size_t count_thread_blocks() const {
    std::uint32_t last = 0;
    for (const std::uint32_t b : thread_blocks) last = std::max(last, b);
    return std::size_t{last} + 1;
  }

  /// Whether code in front of the loop brings each warp to it: the measured loops' prologue.
  bool has_prologue() const { return first() != 0 && entries.empty(); }
  /// The step of the iteration that an index into the code is; empty: none, as in the prologue.
  std::optional<std::size_t> step_of(std::size_t at) const {
    if (last_pass != 0 && at >= last_pass) at -= last_pass;
    return at < length ? std::optional(at) : std::nullopt;
  }
  std::size_t first() const { return length < prologue_end() ? length : 0; }
  std::size_t prologue_end() const { return last_pass != 0 ? last_pass : code.size(); }
  std::uint32_t entry(std::size_t warp_of_sm) const {
    return warp_of_sm < entries.size() ? entries[warp_of_sm] : static_cast<std::uint32_t>(first());
  }
};

}  // namespace smsim
