// SPDX-License-Identifier: MIT
// Gives each operand its role: written or read, how many registers, through which slot.
#include "isa/roles.hpp"

#include <algorithm>
#include <span>

#include "isa/widths.hpp"

namespace smsim::isa {
namespace {

bool is_predicate(const Operand& operand) {
  return operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate;
}

bool is_register(const Operand& operand) {
  return operand.kind == OperandKind::reg || operand.kind == OperandKind::uniform_reg;
}

bool is_address(const Operand& operand) {
  return operand.kind == OperandKind::memory || operand.kind == OperandKind::constant;
}

/// Predicates, one register, and the predicates right behind it.
std::size_t leading_destinations(std::span<const Operand> operands) {
  std::size_t n = 0;
  while (n < operands.size() && is_predicate(operands[n])) ++n;
  if (n == operands.size() || !is_register(operands[n])) return n;
  ++n;
  while (n < operands.size() && is_predicate(operands[n]) && !operands[n].negated) ++n;
  return n;
}

std::size_t destination_count(Destinations rule, std::span<const Operand> operands) {
  switch (rule) {
    case Destinations::none:
      return 0;
    case Destinations::one:
      return std::min<std::size_t>(1, operands.size());
    case Destinations::two:
      return std::min<std::size_t>(2, operands.size());
    case Destinations::leading:
      return leading_destinations(operands);
    case Destinations::before_memory: {
      const auto address = std::find_if(operands.begin(), operands.end(), is_address);
      return address == operands.end() ? leading_destinations(operands)
                                       : static_cast<std::size_t>(address - operands.begin());
    }
    case Destinations::all_but_last:
      return operands.empty() ? 0 : operands.size() - 1;
  }
  return 0;
}

/// Whether it fills a source position of the encoding: predicates and targets have their own
/// fields.
bool fills_position(const Operand& operand) {
  return is_register(operand) || is_address(operand) || operand.kind == OperandKind::immediate;
}

Registers registers_of(const OpcodeRow& row, const Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  switch (row.width) {
    case Width::fixed:
      return row.registers;
    case Width::data: {
      const std::uint8_t n = data_registers(opcode);
      return {n, n, n, n};
    }
    case Width::matrices: {
      const std::uint8_t n = count_registers(opcode);
      return {n, n, n, n};
    }
    case Width::conversion:
      return conversion_registers(opcode);
    case Width::tile:
      return tile_registers(opcode);
    case Width::texture:
      return texture_registers(instruction.operands);
  }
  return row.registers;
}

/// An address register is a pair for global and generic memory unless it says .U32; the decoder
/// has set the pairs that say .64.
void widen_addresses(const OpcodeRow& row, Instruction& instruction) {
  if (!has_suffix(instruction.opcode, "E")) return;
  bool shared_destination = row.op_class == OpClass::ldgsts;
  for (Operand& operand : instruction.operands.edit()) {
    if (operand.kind != OperandKind::memory) continue;
    if (shared_destination) {
      shared_destination = false;
      continue;
    }
    if (operand.text.find(".U32") == std::string::npos) operand.registers = 2;
  }
}

SourceSlot slot_at(std::string_view slots, std::size_t position) {
  if (position >= slots.size()) return SourceSlot::none;
  return static_cast<SourceSlot>(slots[position] - 'a');
}

void assign_sources(const OpcodeRow& row, const Registers& registers, std::size_t first,
                    std::span<Operand> operands) {
  std::size_t position = 0;
  bool after_immediate = false;
  for (std::size_t i = first; i < operands.size(); ++i) {
    Operand& operand = operands[i];
    if (!fills_position(operand)) continue;
    const bool immediate = operand.kind == OperandKind::immediate;
    if (row.packed_immediates && immediate && after_immediate) {
      after_immediate = false;
      continue;
    }
    after_immediate = immediate;
    if (is_register(operand) && position < 3) operand.registers = registers[position + 1];
    const bool in_register_file = operand.kind == OperandKind::reg || is_address(operand);
    if (in_register_file && operand.index >= 0) operand.slot = slot_at(row.slots, position);
    ++position;
  }
}

constexpr OpcodeRow kUnknown = {.name = "", .op_class = OpClass::nop};

}  // namespace

void assign_roles(const OpcodeRow* row, Instruction& instruction) {
  const OpcodeRow& known = row != nullptr ? *row : kUnknown;
  const std::span<Operand> operands = instruction.operands.edit();
  const Registers registers = registers_of(known, instruction);
  const std::size_t count = destination_count(known.destinations, operands);
  for (std::size_t i = 0; i < count; ++i) {
    operands[i].destination = true;
    if (is_register(operands[i])) operands[i].registers = registers[0];
  }
  assign_sources(known, registers, count, operands);
  if (known.width == Width::data) widen_addresses(known, instruction);
}

void assign_reuse(bool bits_are_stated, Instruction& instruction) {
  const std::uint8_t stated = instruction.control.reuse;
  const bool written = std::any_of(instruction.operands.begin(), instruction.operands.end(),
                                   [](const Operand& operand) { return operand.reuse; });
  // Nearly all have none.
  if (stated == 0 && !written) return;
  const OpcodeRow* row = find_opcode(instruction.opcode, instruction.control.format);
  const std::uint8_t meaningful = row != nullptr ? row->reuse_slots : kUnknown.reuse_slots;
  std::uint8_t flags = 0;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.kind != OperandKind::reg || operand.slot == SourceSlot::none) continue;
    const int bit = 1 << static_cast<int>(operand.slot);
    if ((meaningful & bit) == 0) continue;
    const bool reuse = bits_are_stated ? (stated & bit) != 0 : operand.reuse;
    if (reuse) flags = static_cast<std::uint8_t>(flags | bit);
    if (reuse != operand.reuse) instruction.operands.edit()[i].reuse = reuse;
  }
  instruction.control.reuse = flags;
}

}  // namespace smsim::isa
