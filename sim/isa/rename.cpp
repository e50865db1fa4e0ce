// SPDX-License-Identifier: MIT
// Rename: gives an operand of an instruction another vector register or reuse flag, in its text as
// well.

#include "isa/rename.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <string>
#include <string_view>

namespace smsim::isa {
namespace {

std::string register_name(int reg) { return reg == kRZ ? "RZ" : "R" + std::to_string(reg); }

/// Where `name` stands as a word of its own; npos if nowhere.
std::size_t find_word(std::string_view text, std::string_view name) {
  auto part = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0);
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    if ((at == 0 || !part(at - 1)) && !part(at + name.size())) return at;
  return std::string::npos;
}

/// Where operand number `operand` begins in the instruction's text: behind those before it.
std::size_t find_operand(const Instruction& in, std::size_t operand) {
  std::size_t at = in.text.find(in.opcode);
  if (at == std::string::npos) return at;
  at += in.opcode.size();
  for (std::size_t i = 0; i <= operand; ++i) {
    const std::size_t found = in.text.find(in.operands[i].text, at);
    if (found == std::string::npos) return found;
    if (i == operand) return found;
    at = found + in.operands[i].text.size();
  }
  return std::string::npos;
}

bool fits(const Operand& op, int reg) {
  if (op.index < 0 || reg < 0 || reg > kRZ) return false;
  if (op.kind != OperandKind::reg && op.kind != OperandKind::memory) return false;
  const int width = static_cast<int>(std::bit_ceil(static_cast<unsigned>(op.registers)));
  return reg == kRZ || (reg % width == 0 && reg + op.registers <= kRZ);
}

}  // namespace

std::string with_reuse(std::string text, bool reuse) {
  constexpr std::string_view kReuse = ".reuse";
  const std::size_t flag = text.find(kReuse);
  if (flag != std::string::npos) text.erase(flag, kReuse.size());
  if (!reuse) return text;
  const std::size_t bar = text.rfind('|');
  std::size_t end = bar != std::string::npos ? bar + 1 : text.find_first_of('.', text.find('R'));
  end = std::min(end, text.size());
  if (text.substr(end).starts_with(".H1")) end = text.size();
  return text.insert(end, kReuse);
}

void set_reuse(Instruction& in, std::size_t operand, bool reuse) {
  if (operand >= in.operands.size()) return;
  const std::size_t at = find_operand(in, operand);
  if (in.operands[operand].kind != OperandKind::reg || at == std::string::npos) return;
  Operand& op = in.operands.edit()[operand];
  const std::string text = with_reuse(op.text, reuse);
  in.text = in.text.str().replace(at, op.text.size(), text);
  op.text = text;
  op.reuse = reuse;
}

bool rename_register(Instruction& in, std::size_t operand, int reg) {
  if (operand >= in.operands.size()) return false;
  if (!fits(in.operands[operand], reg)) return false;
  const std::string old = register_name(in.operands[operand].index);
  const std::size_t in_operand = find_word(in.operands[operand].text, old);
  const std::size_t in_text = find_operand(in, operand);
  if (in_operand == std::string::npos || in_text == std::string::npos) return false;
  Operand& op = in.operands.edit()[operand];
  in.text = in.text.str().replace(in_text + in_operand, old.size(), register_name(reg));
  op.text = op.text.str().replace(in_operand, old.size(), register_name(reg));
  op.index = static_cast<std::int16_t>(reg);
  return true;
}

}  // namespace smsim::isa
