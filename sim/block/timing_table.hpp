// SPDX-License-Identifier: MIT
// Compile, the timing part: an instruction's pipe, interval and latency by its class.
#pragma once

#include <array>

#include "isa/opcode.hpp"
#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Timings by class, so that the compile step looks each up once.
class TimingTable {
 public:
  explicit TimingTable(const Arch& arch) {
    for (const InstructionTiming& t : arch.timings) {
      const auto op_class = isa::op_class_named(t.instruction_class);
      if (op_class) by_class_[static_cast<std::size_t>(*op_class)] = &t;
    }
  }
  const InstructionTiming* find(isa::OpClass op_class) const {
    return by_class_[static_cast<std::size_t>(op_class)];
  }

 private:
  std::array<const InstructionTiming*, isa::kOpClassCount> by_class_{};
};

/// The way of this pipe's instructions: by its name, or by its having a queue.
Route route_of(const Pipe& pipe);

/// BAR.SYNC lets arithmetic behind it go on: of the rest, and of uniform moves and constants, it
/// holds everything.
bool waits_for_sync(isa::OpClass op_class, Route route);

/// Cycles for which one instruction takes the pipe: blocks that share it get an equal part each.
int interval_of(const Pipe& pipe, int interval, const Arch& arch);

/// Fills pipes, intervals, latencies, route and the stall reasons of an instruction of this class.
void apply_timing(const InstructionTiming& timing, isa::OpClass op_class, const Arch& arch,
                  StaticInst& inst);

}  // namespace smsim
