// SPDX-License-Identifier: MIT
// Rename: gives an operand of an instruction another vector register or reuse flag, in its text as
// well.
#pragma once

#include <cstddef>
#include <string>

#include "smsim/program.hpp"

namespace smsim::isa {

/// Replaces the register that operand `operand` names. False, and nothing is changed, where the
/// operand names no vector register, `reg` is none (0..255), or a wide operand would not be
/// aligned to its width.
bool rename_register(Instruction& in, std::size_t operand, int reg);

/// A register operand's text with the reuse flag, or without: it stands behind the bars of an
/// absolute value, else behind the register's number.
std::string with_reuse(std::string text, bool reuse);

/// Gives a register operand the reuse flag, or takes it away, in the text as well; the control word
/// is left alone.
void set_reuse(Instruction& in, std::size_t operand, bool reuse);

}  // namespace smsim::isa
