// SPDX-License-Identifier: MIT
// Where lanes that went different ways meet again, before Volta: the stack that SSY, PBK and PCNT
// push and SYNC, BRK and CONT pop.
#include "decode/reconvergence.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/code_layout.hpp"
#include "isa/opcode.hpp"

namespace smsim::decode {
namespace {

/// What is pushed for: SSY for SYNC, PBK for BRK, PCNT for CONT.
enum class Purpose : std::uint8_t { none, meet, leave_loop, next_iteration };

std::string_view base_of(const Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  return opcode.substr(0, opcode.find('.'));
}

Purpose pushes(const Instruction& instruction) {
  const std::string_view base = base_of(instruction);
  if (base == "SSY") return Purpose::meet;
  if (base == "PBK") return Purpose::leave_loop;
  if (base == "PCNT") return Purpose::next_iteration;
  return Purpose::none;
}

/// On Kepler any instruction may end in the meeting place: FFMA.S.
Purpose pops(const Instruction& instruction) {
  const std::string_view base = base_of(instruction);
  if (base == "SYNC") return Purpose::meet;
  if (base == "BRK") return Purpose::leave_loop;
  if (base == "CONT") return Purpose::next_iteration;
  const bool kepler = instruction.control.format == ControlFormat::kepler;
  return kepler && isa::has_suffix(instruction.opcode, "S") ? Purpose::meet : Purpose::none;
}

/// Stacks share what lies below; the top is an index into the entries.
struct Entry {
  Purpose purpose = Purpose::none;
  std::uint64_t target = 0;
  std::size_t below = 0;
};

constexpr std::size_t kEmpty = static_cast<std::size_t>(-1);

class Resolver {
 public:
  explicit Resolver(Function& function)
      : code_(function.instructions), layout_(isa::code_layout(function.sm)) {
    seen_.assign(code_.size(), false);
  }

  void run() {
    open_.push_back({0, kEmpty});
    while (!open_.empty()) {
      const auto [index, stack] = open_.back();
      open_.pop_back();
      if (index >= code_.size() || seen_[index]) continue;
      seen_[index] = true;
      visit(index, stack);
    }
  }

 private:
  void visit(std::size_t index, std::size_t stack) {
    Instruction& one = code_[index];
    const isa::OpcodeRow* row = isa::find_opcode(one.opcode);
    const auto op_class = row != nullptr ? row->op_class : isa::OpClass::nop;
    const bool guarded = one.guard.index != kPT || one.operands.size() > 1;
    if (const Purpose pushed = pushes(one); pushed != Purpose::none && !one.operands.empty()) {
      entries_.push_back({pushed, static_cast<std::uint64_t>(one.operands.back().value), stack});
      return follow(index, entries_.size() - 1);
    }
    if (const Purpose popped = pops(one); popped != Purpose::none) {
      return pop(index, stack, popped);
    }
    const bool leaves = op_class == isa::OpClass::exit || op_class == isa::OpClass::ret;
    if (isa::is_branch(op_class) && one.target) open_.push_back({index_at(*one.target), stack});
    if (op_class == isa::OpClass::call && one.target) {
      open_.push_back({index_at(*one.target), kEmpty});
    }
    if (!(leaves || isa::is_branch(op_class)) || guarded) follow(index, stack);
  }

  void pop(std::size_t index, std::size_t stack, Purpose purpose) {
    std::size_t found = stack;
    while (found != kEmpty && entries_[found].purpose != purpose) found = entries_[found].below;
    Instruction& one = code_[index];
    if (found != kEmpty) {
      one.target = entries_[found].target;
      open_.push_back({index_at(*one.target), entries_[found].below});
    }
    if (one.guard.index != kPT || found == kEmpty) follow(index, stack);
  }

  void follow(std::size_t index, std::size_t stack) {
    const std::size_t next = index + 1;
    if (next < code_.size() && layout_.follows(code_[index].address, code_[next].address)) {
      open_.push_back({next, stack});
    }
  }

  std::size_t index_at(std::uint64_t address) const {
    const auto at = std::lower_bound(
        code_.begin(), code_.end(), address,
        [](const Instruction& one, std::uint64_t wanted) { return one.address < wanted; });
    const bool found = at != code_.end() && at->address == address;
    return found ? static_cast<std::size_t>(at - code_.begin()) : kEmpty;
  }

  std::vector<Instruction>& code_;
  isa::CodeLayout layout_;
  std::vector<bool> seen_;
  std::vector<Entry> entries_;
  std::vector<std::pair<std::size_t, std::size_t>> open_;  ///< instruction and stack
};

}  // namespace

void resolve_reconvergence(Function& function) {
  if (isa::code_layout(function.sm).format == ControlFormat::volta) return;
  Resolver(function).run();
}

}  // namespace smsim::decode
