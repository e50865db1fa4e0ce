// SPDX-License-Identifier: MIT
// What one instruction makes of the registers, seen over the lanes of a warp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/opcode.hpp"
#include "program/lane_values.hpp"
#include "smsim/program.hpp"

namespace smsim::program {

/// How a predicate may differ between lanes. Later ones stand for more.
enum class LanePredicate : std::uint8_t {
  uniform,  ///< the same in all
  carry,    ///< the carry out of a sum of offsets: for the high word alone
  varying
};

/// How many registers, from the first on, a function's operands name.
struct NamedRegisters {
  std::size_t registers = 0;
  std::size_t uniform_registers = 0;
};
NamedRegisters named_registers(const Function& function);

/// Registers and predicates in front of an instruction. Uniform registers hold uniform values.
struct LaneState {
  std::array<LaneValue, 256> registers{};
  std::array<LaneValue, 256> uniform_registers;
  std::array<LanePredicate, kPT + 1> predicates;

  LaneState();
  /// Both ways into a place, as whole warps, of the registers that the code names; true if anything
  /// changed.
  bool merge(const LaneState& other, const NamedRegisters& named);
};

/// The predicates that decide whether a lane executes, branches or leaves.
LanePredicate condition_of(const Instruction& instruction, const LaneState& state);

/// Carries out one instruction on a state.
class LaneStep {
 public:
  /// `flat_block`: thread blocks extend in x alone, so that a warp's lanes are neighbours in x.
  LaneStep(LaneMath& math, bool flat_block) : math_(math), flat_block_(flat_block) {}

  /// `row`: the instruction's opcode; null if no table has it.
  void run(const Instruction& instruction, const isa::OpcodeRow* row, LaneState& state);

  /// The address in a memory operand; of 64-bit addresses the low word.
  LaneValue address(const Instruction& instruction, const Operand& operand, const LaneState& state);

 private:
  struct Sources;
  struct Result {
    LaneValue low = kUnknownLanes;
    LaneValue high = kUnknownLanes;  ///< of the second and later registers
    LanePredicate predicate = LanePredicate::varying;
  };

  Sources sources(const Instruction& in, const LaneState& state);
  LaneValue value(const Operand& operand, int word, const LaneState& state);
  Result evaluate(const Instruction& in, const isa::OpcodeRow& row, const LaneState& state);
  Result integer(const Instruction& in, const Sources& s, isa::OpClass op_class);
  Result special_register(const Instruction& in) const;
  Result load(const Instruction& in, const LaneState& state);
  Result shuffle(const Instruction& in, const Sources& s) const;
  Result sum(const Sources& s, LaneValue low, bool extended);
  Result wide_sum(const Sources& s, const LaneValue& low, const LaneValue& addend_high) const;
  Result shifted_add(const Instruction& in, const Sources& s);
  LaneValue funnel_shift(const Instruction& in, const Sources& s);
  void write(const Instruction& in, const Result& result, LaneState& state) const;

  LaneMath& math_;
  bool flat_block_;
};

}  // namespace smsim::program
