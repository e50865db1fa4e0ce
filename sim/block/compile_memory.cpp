// SPDX-License-Identifier: MIT
// Compile, the memory part: which registers a memory instruction reads, and what it asks of the
// load/store unit.

#include "block/compile_memory.hpp"

#include <algorithm>
#include <optional>

#include "block/memory_shape.hpp"
#include "execute/memory_path.hpp"
#include "isa/accesses.hpp"

namespace smsim {
namespace {

using isa::OpClass;

enum class Space : std::uint8_t { shared, global, none };

Space space_of(OpClass op_class) {
  switch (isa::general_class(isa::general_class(op_class))) {
    case OpClass::lds:
    case OpClass::sts:
    case OpClass::atoms:
      return Space::shared;
    case OpClass::ldg:
    case OpClass::stg:
    case OpClass::atom:
    case OpClass::red:
      return Space::global;
    default:
      return Space::none;
  }
}

using namespace memory_path;

void add_bank(int reg, const Arch& arch, MemoryOp& op) {
  const auto at = static_cast<std::size_t>(op.data_count + op.address_count);
  if (at < op.banks.size() && reg < kRZ)
    op.banks[at] = arch.register_file.bank_of[static_cast<std::size_t>(reg)];
}

/// Data registers in ascending order, then the address, its high word first.
void add_registers(const Instruction& in, const isa::OpcodeRow& row, const Arch& arch,
                   MemoryOp& op) {
  const isa::Accesses accesses = isa::accesses(&row, in);
  for (const auto& read : accesses.reads) {
    if (read.purpose == isa::Purpose::address) continue;
    for (int r = 0; r < read.count; ++r, ++op.data_count) add_bank(read.first + r, arch, op);
  }
  for (const auto& read : accesses.reads) {
    if (read.purpose != isa::Purpose::address) continue;
    for (int r = read.count; r-- > 0; ++op.address_count) add_bank(read.first + r, arch, op);
  }
}

int address_register(const Instruction& in) {
  for (const Operand& operand : in.operands)
    if (operand.kind == OperandKind::memory && operand.index >= 0 && operand.index < kRZ)
      return operand.index;
  return -1;
}

/// Words of data a lane moves.
int words(const Instruction& in, const StaticInst& inst) {
  for (const Operand& operand : in.operands)
    if (operand.kind == OperandKind::reg && operand.registers > 1) return operand.registers;
  return std::max<int>(1, inst.write_count);
}

struct Lanes {
  AddressKnowledge knowledge = AddressKnowledge::assumed;
  std::optional<LaneAddresses> addresses;
};

Lanes lanes_of(const Instruction& in, const SimulateOptions& options,
               const program::LaneOffsets& inferred) {
  const auto stride = options.lane_stride_bytes.find(address_register(in));
  if (stride != options.lane_stride_bytes.end())
    return {AddressKnowledge::given, strided_addresses(stride->second)};
  if (inferred.known) return {AddressKnowledge::inferred, inferred.bytes};
  return {};
}

MemoryShape shape_of(Space space, OpClass op_class, int lane_words,
                     const std::optional<LaneAddresses>& addresses, const Arch& arch) {
  const int banks = arch.memory.shared_banks;
  const OpClass general = isa::general_class(op_class);
  if (general == OpClass::ldsm || op_class == OpClass::ldsm || op_class == OpClass::stsm)
    return matrix_shape(std::min(lane_words, 4), addresses, banks);
  const bool atomic = isa::general_class(op_class) == OpClass::atoms;
  return space == Space::shared ? shared_shape(lane_words, addresses, atomic, banks)
                                : global_shape(lane_words, addresses, banks);
}

/// The stages of operand read, and the queue's.
int issue_to_queue(const Arch& arch) {
  return arch.register_file.read_delay_cycles + arch.register_file.read_window_cycles + 1;
}

/// Cycles from issue to the arrival at the unit on an idle machine, in the form for which a config
/// times a class: its address in vector registers, SHFL with one register, an atomic with one of
/// data.
int unloaded_arrival(Space space, OpClass op_class, const MemoryOp& op, const Arch& arch) {
  const int address = space == Space::global ? 2 : space == Space::shared ? 1 : 0;
  const bool one = op_class == OpClass::shfl || op_class == OpClass::atoms;
  const int data = one ? 1 : op.data_count;
  const int registers = data + std::max<int>(op.address_count, address);
  const int lead = data > 0 ? 1 : 0;
  return issue_to_queue(arch) + lead +
         arch.memory.register_interval_cycles * (std::max(1, registers) - 1) +
         arch.memory.read_to_unit_cycles;
}

}  // namespace

AddressKnowledge compile_memory(const Instruction& in, const isa::OpcodeRow& row,
                                const InstructionTiming& timing, const Arch& arch,
                                const SimulateOptions& options,
                                const program::LaneOffsets& inferred, StaticInst& inst) {
  MemoryOp& op = inst.memory;
  const Space space = space_of(row.op_class);
  add_registers(in, row, arch, op);
  op.read_to_unit = static_cast<std::int16_t>(arch.memory.read_to_unit_cycles);
  op.global = space == Space::global;
  op.shared = space == Space::shared;
  op.returns = inst.write_count > 0 || inst.write_barrier < kNoBarrier;
  const bool reads_nothing = op.data_count + op.address_count == 0;
  if (reads_nothing) {
    op.read_to_unit = static_cast<std::int16_t>(op.read_to_unit - arch.memory.uniform_lead_cycles);
    op.read_release_extra = static_cast<std::int16_t>(arch.memory.uniform_release_cycles -
                                                      issue_to_queue(arch) - kReadToRelease);
  }
  if (timing.unit_cycles == 0) {
    op.wavefronts = 0;
    op.return_extra =
        static_cast<std::int16_t>(timing.latency_cycles - issue_to_queue(arch) - kWriteToRelease);
    return AddressKnowledge::not_needed;
  }
  const int arrival = unloaded_arrival(space, row.op_class, op, arch);
  if (!reads_nothing)
    op.read_release_extra = static_cast<std::int16_t>(
        timing.read_release_cycles > 0
            ? timing.read_release_cycles -
                  (arrival - arch.memory.read_to_unit_cycles + kReadToRelease)
            : 0);
  const int plain_passes = space == Space::none ? 1 : timing.unit_cycles;
  op.return_extra =
      static_cast<std::int16_t>(timing.latency_cycles - arrival - kUnitToRelease - plain_passes -
                                arch.memory.wavefront_interval_cycles * (timing.unit_cycles - 1));
  op.wavefronts = static_cast<std::uint8_t>(timing.unit_cycles);
  op.passes = static_cast<std::uint8_t>(plain_passes);
  if (space == Space::none) return AddressKnowledge::not_needed;
  const Lanes lanes = lanes_of(in, options, inferred);
  MemoryShape shape = shape_of(space, row.op_class, words(in, inst), lanes.addresses, arch);
  if (isa::has_suffix(in.opcode, "CAS")) shape.wavefronts *= 2;  // reads, then writes (own bursts)
  op.wavefronts = static_cast<std::uint8_t>(std::min(255, shape.wavefronts));
  const int at_once = arch.memory.return_passes_per_cycle;
  op.passes = static_cast<std::uint8_t>((shape.passes + at_once - 1) / at_once);
  const int per_cycle = arch.memory.tag_lines_per_cycle;
  if (op.global)
    op.tag_cycles = static_cast<std::uint8_t>((shape.lines + per_cycle - 1) / per_cycle);
  return lanes.knowledge;
}

}  // namespace smsim
