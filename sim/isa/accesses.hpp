// SPDX-License-Identifier: MIT
// What an instruction reads and writes: registers with their slots, predicates, uniform registers.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/opcode.hpp"
#include "smsim/program.hpp"

namespace smsim::isa {

/// What a register is read for; addresses and store data leave the register file later than the
/// operands of arithmetic.
enum class Purpose : std::uint8_t { arithmetic, address, store_data };

/// Consecutive 32-bit registers, all in one source slot.
struct RegisterAccess {
  std::uint8_t first = 0;
  std::uint8_t count = 1;
  SourceSlot slot = SourceSlot::none;  ///< none for writes and beyond the third source
  Purpose purpose = Purpose::arithmetic;
  bool reuse = false;
  std::uint8_t operand = 0;  ///< index into Instruction::operands
  bool operator==(const RegisterAccess&) const = default;
};

/// Zero registers and true predicates are in none of the lists.
struct Accesses {
  std::vector<RegisterAccess> reads;
  std::vector<RegisterAccess> writes;
  std::vector<RegisterAccess> uniform_reads;
  std::vector<RegisterAccess> uniform_writes;
  std::uint8_t predicate_reads = 0;  ///< bit p: Pp, the guard included
  std::uint8_t predicate_writes = 0;
  std::uint8_t uniform_predicate_reads = 0;
  std::uint8_t uniform_predicate_writes = 0;
  bool reads_carry = false;   ///< the condition code of Kepler to Pascal: IADD.X
  bool writes_carry = false;  ///< IADD R2.CC
};

/// Works on operands whose roles have been assigned, as the readers do. Without a row (an unknown
/// opcode) purposes are all arithmetic.
Accesses accesses(const OpcodeRow* row, const Instruction& instruction);

}  // namespace smsim::isa
