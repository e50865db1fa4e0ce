// SPDX-License-Identifier: MIT
// A result made by hand: three instructions, two warps on two processing blocks, 43 cycles for 3
// iterations.
#pragma once

#include "smsim/report.hpp"

namespace smsim::test {

inline std::uint64_t& slots_of(Slots& slots, StallReason reason) {
  return slots[static_cast<std::size_t>(reason)];
}

inline InstructionRow sample_row(std::uint64_t address, std::string text, std::uint8_t stall,
                                 std::uint64_t stalled) {
  InstructionRow row;
  row.index = static_cast<std::size_t>(address / 16);
  row.address = address;
  row.text = std::move(text);
  row.control.stall = stall;
  row.issued = 6;
  row.pipe = "fma";
  slots_of(row.slots, StallReason::selected) = 6;
  slots_of(row.slots, StallReason::stall_count) = stalled;
  return row;
}

/// 86 slots: 18 selected, 50 + 12 stall_count, 6 long_scoreboard.
inline Result sample_result() {
  Result result;
  result.arch = "hopper-gh100";
  result.function = "saxpy";
  result.sm = 90;
  result.is_loop = true;
  result.loop = {0x40, 0x60, 3, true};
  result.other_loops = {{0x100, 0x110, 2, true}};
  result.warps = 2;
  result.processing_blocks = 2;
  result.window_cycles = 43;
  result.window_iterations = 3;
  result.cycles_per_iteration = 43.0 / 3;
  result.warp_instructions_per_cycle = 18.0 / 43;
  result.steady_state = {true, 3, 43, 12, 0};
  result.instructions = {sample_row(0x40, "LDG.E R4, desc[UR6][R2.64]", 2, 0),
                         sample_row(0x50, "FFMA R5, R4.reuse, R6, R5", 4, 12),
                         sample_row(0x60, "@P0 BRA 0x40", 5, 50)};
  result.instructions[0].control.write_barrier = 0;
  result.instructions[0].control.yield = true;
  result.instructions[1].control.wait_mask = 0b100001;
  result.instructions[1].control.reuse = 1;
  slots_of(result.instructions[1].slots, StallReason::long_scoreboard) = 6;
  for (const InstructionRow& row : result.instructions) {
    for (std::size_t i = 0; i < row.slots.size(); ++i) result.slots[i] += row.slots[i];
  }
  result.pipes = {{"fma", 0.25}, {"lsu", 0.5}};
  result.banks = {{0, 2, 0.125}, {1, 1, 0.0625}};
  result.bottleneck = "the loop branch takes most of the slots";
  result.assumptions = {"every load hits the first-level cache"};
  return result;
}

}  // namespace smsim::test
