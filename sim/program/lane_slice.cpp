// SPDX-License-Identifier: MIT
// Lane slice: the instructions that the lanes' addresses can depend on.
#include "program/lane_slice.hpp"

#include <algorithm>
#include <bitset>

namespace smsim::program {
namespace {

/// Registers and predicates whose values are asked for somewhere.
class Needed {
 public:
  /// True if the instruction writes something that is asked for.
  bool written_by(const Instruction& in) const {
    return std::any_of(in.operands.begin(), in.operands.end(), [&](const Operand& op) {
      if (!op.destination) return false;
      if (op.kind == OperandKind::predicate || op.text == "PR") return true;
      return any(op, op.kind == OperandKind::uniform_reg ? uniform_ : registers_);
    });
  }

  /// What the instruction reads; true if that is more than before.
  bool add_reads(const Instruction& in) {
    const std::size_t before = registers_.count() + uniform_.count();
    for (const Operand& op : in.operands)
      if (!op.destination) add(op);
    return registers_.count() + uniform_.count() > before;
  }

  /// The parts of an address, or a value. All predicates are asked for anyway.
  void add(const Operand& op) {
    add(op.index, op.registers, op.kind == OperandKind::uniform_reg ? uniform_ : registers_);
    add(op.uniform, 1, uniform_);
  }

 private:
  using Set = std::bitset<256>;

  static bool any(const Operand& op, const Set& set) {
    for (int r = op.index; r >= 0 && r < op.index + op.registers && r < kRZ; ++r)
      if (set[static_cast<std::size_t>(r)]) return true;
    return false;
  }

  /// Of addresses the high word counts, too.
  static void add(int first, int count, Set& set) {
    for (int r = first; r >= 0 && r < first + std::max(2, count) && r < kRZ; ++r)
      set.set(static_cast<std::size_t>(r));
  }

  Set registers_;
  Set uniform_;
};

}  // namespace

std::vector<bool> lane_slice(const Function& function,
                             const std::vector<const isa::OpcodeRow*>& rows) {
  const auto& code = function.instructions;
  Needed needed;
  for (const Instruction& in : code)
    for (const Operand& op : in.operands)
      if (op.kind == OperandKind::memory) needed.add(op);
  std::vector<bool> counts(code.size(), false);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = code.size(); i-- > 0;) {
      if (counts[i] || (rows[i] != nullptr && !needed.written_by(code[i]))) continue;
      counts[i] = true;
      more = needed.add_reads(code[i]) || more;
    }
  }
  return counts;
}

}  // namespace smsim::program
