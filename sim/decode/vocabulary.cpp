// SPDX-License-Identifier: MIT
// Instructions of a text with the roles of their operands; those met before share what they have.
#include "decode/vocabulary.hpp"

#include <utility>

#include "decode/text.hpp"
#include "isa/opcode.hpp"
#include "isa/roles.hpp"

namespace smsim::decode {
namespace {

using isa::OpClass;

/// Opcodes whose last operand is an address in the code.
bool ends_with_target(OpClass op_class, std::string_view opcode) {
  switch (op_class) {
    case OpClass::bra:
    case OpClass::brx:
    case OpClass::jmp:
    case OpClass::jmx:
    case OpClass::call:
    case OpClass::ret:
    case OpClass::bssy:
      return true;
    case OpClass::warpsync:
      return isa::has_suffix(opcode, "COLLECTIVE");
    default:
      return false;
  }
}

void mark_target(const isa::OpcodeRow* row, Instruction& instruction) {
  if (row == nullptr || instruction.operands.empty()) return;
  if (instruction.operands.back().kind != OperandKind::immediate) return;
  if (ends_with_target(row->op_class, instruction.opcode))
    instruction.operands.edit().back().kind = OperandKind::label;
}

}  // namespace

tl::expected<Instruction, TextError> Vocabulary::parse(std::string_view text,
                                                       ControlFormat format) {
  if (std::exchange(format_, format) != format) instructions_.clear();
  if (const Instruction* known = instructions_.find(trim(text))) return *known;
  auto instruction = parse_instruction(text, words_);
  if (!instruction) return instruction;
  instruction->control.format = format;
  const isa::OpcodeRow* row = isa::find_opcode(instruction->opcode, format);
  mark_target(row, *instruction);
  isa::assign_roles(row, *instruction);
  return instructions_.keep(*std::move(instruction));
}

}  // namespace smsim::decode
