// SPDX-License-Identifier: MIT
// What an instruction reads and writes: registers with their slots, predicates, uniform registers.
#include "isa/accesses.hpp"

#include <algorithm>

namespace smsim::isa {
namespace {

constexpr std::uint8_t kAllPredicates = 0x7f;

class Collector {
 public:
  Collector(const OpcodeRow* row, const Instruction& instruction)
      : row_(row), instruction_(instruction) {}

  Accesses collect() {
    const Guard& guard = instruction_.guard;
    add_predicate(guard.index,
                  guard.uniform ? result_.uniform_predicate_reads : result_.predicate_reads);
    for (operand_ = 0; operand_ < instruction_.operands.size(); ++operand_) {
      add(instruction_.operands[operand_]);
    }
    // Later an .X says by a predicate which carry it adds.
    if (instruction_.control.format != ControlFormat::volta) add_carry();
    return std::move(result_);
  }

 private:
  void add(const Operand& operand) {
    switch (operand.kind) {
      case OperandKind::reg:
        return add_register(operand, operand.destination ? result_.writes : result_.reads);
      case OperandKind::uniform_reg:
        return add_register(operand,
                            operand.destination ? result_.uniform_writes : result_.uniform_reads);
      case OperandKind::predicate:
        return add_predicate(operand.index, operand.destination ? result_.predicate_writes
                                                                : result_.predicate_reads);
      case OperandKind::uniform_predicate:
        return add_predicate(operand.index, operand.destination ? result_.uniform_predicate_writes
                                                                : result_.uniform_predicate_reads);
      case OperandKind::memory:
      case OperandKind::constant:
        return add_address(operand);
      case OperandKind::other:
        return add_predicate_file(operand);
      default:
        return;
    }
  }

  void add_carry() {
    result_.reads_carry = has_suffix(instruction_.opcode, "X");
    for (const Operand& operand : instruction_.operands) {
      if (operand.text.ends_with(".CC")) result_.writes_carry = true;
      if (operand.text.starts_with("CC.")) result_.reads_carry = true;
    }
  }

  void add_register(const Operand& operand, std::vector<RegisterAccess>& list) {
    if (operand.index < 0 || operand.index >= kRZ) return;
    RegisterAccess access = make(operand.index, operand.registers);
    if (!operand.destination) {
      access.slot = operand.slot;
      access.reuse = operand.reuse;
      access.purpose = is_store_data() ? Purpose::store_data : Purpose::arithmetic;
    }
    list.push_back(access);
  }

  /// The address register, the uniform register added to it, and the pair of a descriptor.
  void add_address(const Operand& operand) {
    if (operand.index >= 0 && operand.index < kRZ) {
      RegisterAccess access = make(operand.index, operand.registers);
      access.slot = operand.slot;
      access.purpose = Purpose::address;
      result_.reads.push_back(access);
    }
    if (operand.uniform >= 0 && operand.uniform < kURZ) {
      // Beside an address of registers it is an offset; alone or beside .U32 it is the base.
      const bool alone = operand.index < 0 || operand.text.find(".U32") != std::string::npos;
      const bool base = alone && has_suffix(instruction_.opcode, "E");
      add_uniform(operand.uniform, base ? 2 : 1);
    }
    if (operand.descriptor >= 0 && operand.descriptor < kURZ) add_uniform(operand.descriptor, 2);
  }

  void add_uniform(int index, std::uint8_t count) {
    RegisterAccess access = make(index, count);
    access.purpose = Purpose::address;
    result_.uniform_reads.push_back(access);
  }

  /// PR and UPR stand for all predicates that the mask names.
  void add_predicate_file(const Operand& operand) {
    const bool uniform = operand.text == "UPR";
    if (operand.text != "PR" && !uniform) return;
    std::uint8_t mask = kAllPredicates;
    const Operand& last = instruction_.operands.back();
    if (last.kind == OperandKind::immediate) {
      mask = static_cast<std::uint8_t>(last.value & kAllPredicates);
    }
    if (operand.destination) {
      (uniform ? result_.uniform_predicate_writes : result_.predicate_writes) |= mask;
    } else {
      (uniform ? result_.uniform_predicate_reads : result_.predicate_reads) |= mask;
    }
  }

  static void add_predicate(int index, std::uint8_t& mask) {
    if (index >= 0 && index < kPT) mask = static_cast<std::uint8_t>(mask | 1 << index);
  }

  /// Data of a memory instruction: what it reads beside the address.
  bool is_store_data() const {
    if (row_ == nullptr) return false;
    return row_->width == Width::data || row_->width == Width::matrices;
  }

  RegisterAccess make(int first, std::uint8_t count) const {
    RegisterAccess access;
    access.first = static_cast<std::uint8_t>(first);
    access.count = static_cast<std::uint8_t>(std::min<int>(count, kRZ - first));
    access.operand = static_cast<std::uint8_t>(operand_);
    return access;
  }

  const OpcodeRow* row_;
  const Instruction& instruction_;
  std::size_t operand_ = 0;
  Accesses result_;
};

}  // namespace

Accesses accesses(const OpcodeRow* row, const Instruction& instruction) {
  return Collector(row, instruction).collect();
}

}  // namespace smsim::isa
