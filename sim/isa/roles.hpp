// SPDX-License-Identifier: MIT
// Gives each operand its role: written or read, how many registers, through which slot.
#pragma once

#include "isa/opcode.hpp"
#include "smsim/program.hpp"

namespace smsim::isa {

/// Fills destination, registers and slot of the operands. Without a row (an unknown opcode) the
/// first register is taken as written and the rest as read, a register each.
void assign_roles(const OpcodeRow* row, Instruction& instruction);

/// Brings the reuse flags of operands and control word into agreement. Stated bits (of an encoding
/// or of the notation) decide where the opcode's reuse bits mean reuse; without them the flags
/// written beside the operands do.
void assign_reuse(bool bits_are_stated, Instruction& instruction);

}  // namespace smsim::isa
