// SPDX-License-Identifier: MIT
// Compile, the register part: which banks an instruction reads in which slot, and writes.

#include "block/registers_of.hpp"

namespace smsim {
namespace {

bool repeats_register(const StaticInst& inst) {
  for (std::size_t i = 1; i < inst.read_count; ++i)
    for (std::size_t before = 0; before < i; ++before)
      if (inst.reads[before].reg == inst.reads[i].reg) return true;
  return false;
}

}  // namespace

void add_reads(const Instruction& in, const Arch& arch, StaticInst& out) {
  auto add = [&](int reg, SourceSlot slot) {
    if (out.read_count >= kMaxReads || reg < 0 || reg >= kRZ) return;
    RegisterRead read;
    read.reg = static_cast<std::uint8_t>(reg);
    read.bank = arch.register_file.bank_of[static_cast<std::size_t>(reg)];
    read.slot = static_cast<std::uint8_t>(slot);
    out.reads[out.read_count++] = read;
  };
  for (const Operand& op : in.operands) {
    if (op.destination || op.index < 0) continue;
    if (op.kind != OperandKind::reg && op.kind != OperandKind::memory &&
        op.kind != OperandKind::constant)
      continue;
    for (int r = 0; r < op.registers; ++r) add(op.index + r, op.slot);
  }
  out.repeats_register = repeats_register(out);
}

void add_writes(const Instruction& in, const Arch& arch, StaticInst& out) {
  for (const Operand& op : in.operands) {
    if (!op.destination || op.kind != OperandKind::reg || op.index < 0 || op.index >= kRZ) continue;
    if (out.write_count == 0) out.write_first = static_cast<std::uint8_t>(op.index);
    for (int r = 0;
         r < op.registers && out.write_count < out.write_banks.size() && op.index + r < kRZ; ++r)
      out.write_banks[out.write_count++] =
          arch.register_file.bank_of[static_cast<std::size_t>(op.index + r)];
  }
}

}  // namespace smsim
