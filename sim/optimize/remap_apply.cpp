// SPDX-License-Identifier: MIT
// Remap, the result: a function with other register names and reuse flags.
#include "optimize/remap_apply.hpp"

#include <algorithm>
#include <set>

#include "isa/opcode.hpp"
#include "isa/rename.hpp"

namespace smsim::optimize {
namespace {

/// Whether the operand is one whose flag the instruction's mask decides.
bool has_flag(const Instruction& in, const Operand& operand) {
  if (operand.kind != OperandKind::reg || operand.destination || operand.slot == SourceSlot::none)
    return false;
  const isa::OpcodeRow* row = isa::find_opcode(in.opcode, in.control.format);
  return row != nullptr && ((row->reuse_slots >> static_cast<int>(operand.slot)) & 1U) != 0;
}

bool wants_flag(const Operand& operand, std::uint8_t flags) {
  return ((flags >> static_cast<int>(operand.slot)) & 1U) != 0;
}

}  // namespace

void set_numbers(const Function& original, const Liveness& live, const Names& names,
                 const Flags& flags, Function& function) {
  for (std::size_t i = 0; i < function.instructions.size(); ++i) {
    Instruction& in = function.instructions[i];
    for (const WebAccess& access : live.accesses[i])
      if (live.run_of[i] < 0)
        in.operands.edit()[access.operand].index =
            names[static_cast<std::size_t>(access.webs.front())];
    if (flags[i] == original.instructions[i].control.reuse && flags[i] == in.control.reuse)
      continue;
    in.control.reuse = flags[i];
    for (Operand& operand : in.operands.edit())
      if (has_flag(in, operand)) operand.reuse = wants_flag(operand, flags[i]);
  }
}

bool rewrite(const Liveness& live, const Names& names, const Flags& flags, Function& function) {
  bool good = true;
  for (std::size_t i = 0; i < function.instructions.size(); ++i) {
    Instruction& in = function.instructions[i];
    for (const WebAccess& access : live.accesses[i]) {
      const int wanted = names[static_cast<std::size_t>(access.webs.front())];
      if (in.operands[access.operand].index != wanted && live.run_of[i] < 0)
        good = isa::rename_register(in, access.operand, wanted) && good;
    }
    if (flags[i] == in.control.reuse) continue;
    in.control.reuse = flags[i];
    for (std::size_t o = 0; o < in.operands.size(); ++o)
      if (has_flag(in, in.operands[o])) isa::set_reuse(in, o, wants_flag(in.operands[o], flags[i]));
  }
  return good;
}

namespace {

/// Which web of one function is which of the other.
class Matching {
 public:
  Matching(const Liveness& one, const Liveness& other)
      : to_(one.webs.size(), -1), from_(other.webs.size(), -1) {}

  bool match(const std::vector<int>& mine, const std::vector<int>& its) {
    if (mine.size() != its.size()) return false;
    for (std::size_t w = 0; w < mine.size(); ++w) {
      int& forward = to_[static_cast<std::size_t>(mine[w])];
      int& back = from_[static_cast<std::size_t>(its[w])];
      if ((forward >= 0 && forward != its[w]) || (back >= 0 && back != mine[w])) return false;
      forward = its[w];
      back = mine[w];
    }
    return true;
  }

  int of(int web) const { return to_[static_cast<std::size_t>(web)]; }

 private:
  std::vector<int> to_;
  std::vector<int> from_;
};

}  // namespace

bool same_values(const Liveness& one, const Liveness& other) {
  if (one.accesses.size() != other.accesses.size()) return false;
  Matching matching(one, other);
  for (std::size_t i = 0; i < one.accesses.size(); ++i) {
    if (one.accesses[i].size() != other.accesses[i].size()) return false;
    for (std::size_t a = 0; a < one.accesses[i].size() && one.run_of[i] < 0; ++a)
      if (!matching.match(one.accesses[i][a].webs, other.accesses[i][a].webs)) return false;
  }
  for (std::size_t run = 0; run < one.zero_runs.size(); ++run) {
    std::set<int> set;  // by the other's instructions
    for (std::size_t i = one.zero_runs[run].first; i <= one.zero_runs[run].last; ++i)
      if (one.run_of[i] == static_cast<int>(run))
        for (const WebAccess& access : other.accesses[i])
          set.insert(access.webs.begin(), access.webs.end());
    for (const auto& [web, use] : one.zero_runs[run].first_use)
      if (matching.of(web) >= 0 && !set.contains(matching.of(web))) return false;
  }
  return true;
}

}  // namespace smsim::optimize
