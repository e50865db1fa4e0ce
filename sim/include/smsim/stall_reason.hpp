// SPDX-License-Identifier: MIT
// Why an issue slot was lost, in the words of Nsight Compute, with our own sub-reasons behind a
// slash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smsim {

/// What an issue slot (one cycle of one processing block's scheduler) was used for, or lost to.
/// Exactly one each.
enum class StallReason : std::uint8_t {
  selected,
  stall_count,
  yield,
  fixed_latency,
  bank_conflict,
  write_port,
  math_pipe_throttle,
  short_scoreboard,
  long_scoreboard,
  mio_throttle,
  lg_throttle,
  tex_throttle,
  no_instruction,
  branch_resolving,
  barrier,
  membar,
  drain,
  imc_miss,
  sleeping,
  no_warp,
  misc
};

inline constexpr std::size_t kStallReasonCount = static_cast<std::size_t>(StallReason::misc) + 1;

/// The reason's name in reports and JSON, and one line of help.
struct StallReasonInfo {
  std::string_view name;
  std::string_view help;
};

inline constexpr std::array<StallReasonInfo, kStallReasonCount> kStallReasons{{
    {"selected", "an instruction was issued"},
    {"wait/stall_count", "the stall count of the warp's previous instruction had not run out"},
    {"wait/yield", "the previous instruction asked to yield, and no other warp was ready"},
    {"wait/fixed_latency", "a fixed-latency result was not ready (dependency mode only)"},
    {"dispatch_stall/bank_conflict",
     "operand reads of an earlier instruction held the register banks"},
    {"dispatch_stall/write_port",
     "a special function's result took the write port of an earlier instruction's bank"},
    {"math_pipe_throttle", "the instruction's pipe was still busy with an earlier one"},
    {"short_scoreboard",
     "waited on a dependency barrier of a shared-memory, MUFU or similar operation"},
    {"long_scoreboard", "waited on a dependency barrier of a global-memory or texture operation"},
    {"mio_throttle", "the queue to the memory input/output unit was full"},
    {"lg_throttle", "the queue for local and global memory was full"},
    {"tex_throttle", "the queue for texture operations was full"},
    {"no_instruction", "the next instruction was not in the instruction buffer"},
    {"branch_resolving", "a taken branch had not yet redirected the warp"},
    {"barrier", "waited at BAR.SYNC for other warps"},
    {"membar", "waited for a memory barrier"},
    {"drain", "waited after EXIT for stores to drain"},
    {"imc_miss", "a constant operand missed the immediate constant cache"},
    {"sleeping", "the warp slept (NANOSLEEP)"},
    {"misc/no_warp", "the processing block has no warp, or none that is still running"},
    {"misc", "anything else"},
}};

constexpr std::string_view name_of(StallReason reason) {
  return kStallReasons[static_cast<std::size_t>(reason)].name;
}

}  // namespace smsim
