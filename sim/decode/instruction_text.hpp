// SPDX-License-Identifier: MIT
// One instruction as a disassembler prints it: guard, opcode, operands.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "decode/known.hpp"
#include "smsim/program.hpp"

namespace smsim::decode {

/// What is wrong, and at which character of the text (from 0).
struct TextError {
  std::size_t offset = 0;
  std::string message;
};

/// Opcodes and operands that were met before.
struct Words {
  Known<Text> opcodes;
  Known<Operand> operands;
};

/// Reads `@!P0 LDG.E R2, desc[UR6][R2.64]`, without the semicolon. Fills text, guard, opcode and
/// operands (kinds, numbers, flags); roles come later.
tl::expected<Instruction, TextError> parse_instruction(std::string_view text, Words& words);
tl::expected<Instruction, TextError> parse_instruction(std::string_view text);

/// Whether the text begins like an instruction: a guard, or a word in capitals.
bool looks_like_instruction(std::string_view text);

}  // namespace smsim::decode
