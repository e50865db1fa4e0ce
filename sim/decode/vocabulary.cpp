// SPDX-License-Identifier: MIT
// Instructions of a text with the roles of their operands; those met before share what they have.
#include "decode/vocabulary.hpp"

#include <fmt/format.h>

#include <bit>
#include <optional>
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

/// Whether the registers of such an opcode are known well enough to say that they lie askew.
bool has_known_widths(const isa::OpcodeRow* row) {
  return row != nullptr && (row->width == isa::Width::fixed || row->width == isa::Width::data);
}

/// Pairs begin at an even register, fours at a multiple of four: encodings have no others that run.
std::optional<TextError> askew(const Instruction& instruction, std::string_view text) {
  for (const Operand& operand : instruction.operands) {
    const bool vector = operand.kind == OperandKind::reg || operand.kind == OperandKind::memory;
    if (!vector || operand.registers < 2 || operand.index < 0 || operand.index == kRZ) continue;
    const int width = static_cast<int>(std::bit_ceil(static_cast<unsigned>(operand.registers)));
    if (operand.index % width == 0) continue;
    const int below = operand.index - operand.index % width;
    const std::size_t at = text.find(operand.text);
    return TextError{
        at == text.npos ? 0 : at,
        fmt::format("{} takes {} registers and cannot begin at R{}: R{} or R{} could", operand.text,
                    operand.registers, operand.index, below, below + width)};
  }
  return std::nullopt;
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
  if (has_known_widths(row))
    if (auto error = askew(*instruction, text)) return tl::make_unexpected(*std::move(error));
  return instructions_.keep(*std::move(instruction));
}

}  // namespace smsim::decode
