// SPDX-License-Identifier: MIT
// The integer instructions that addresses are made of, over the lanes of a warp.
#include <algorithm>
#include <string_view>

#include "program/lane_sources.hpp"

namespace smsim::program {
namespace {

using isa::has_suffix;
using isa::OpClass;

/// Behind the register's name: R4.H1 and the like take a part of it.
bool takes_part(const Operand& operand) {
  const std::size_t dot = operand.text.find(".");
  if (dot == std::string::npos) return false;
  const std::string_view suffix = operand.text.substr(dot);
  return suffix != ".reuse" && suffix != ".64" && suffix != ".64.reuse" && suffix != ".reuse.64";
}

std::string_view stem_of(std::string_view opcode) { return opcode.substr(0, opcode.find('.')); }

bool any_negated(const Instruction& in) {
  return std::any_of(in.operands.begin(), in.operands.end(), [](const Operand& op) {
    return op.negated && !op.destination && op.kind == OperandKind::reg;
  });
}

constexpr LaneValue kCarryIn{LaneKind::offsets, 0, ~1U, 0};  ///< 0 or 1, the same in all lanes

}  // namespace

LaneValue LaneStep::value(const Operand& op, int word, const LaneState& state) {
  if (op.kind == OperandKind::immediate) {
    const auto bits = static_cast<std::uint64_t>(op.value) >> (32 * word);
    // A number with a point is kept as text.
    const bool whole = op.text.view().find_first_of(".eEINQ") == std::string::npos ||
                       op.text.find("0x") != std::string::npos;
    return whole ? constant_lanes(static_cast<std::uint32_t>(bits)) : kUniformLanes;
  }
  const int index = op.index + word;
  LaneValue v = kUnknownLanes;
  if (op.kind == OperandKind::constant) {
    const bool in_register = op.index >= 0 && op.index < kRZ;
    v = !in_register || state.registers[static_cast<std::size_t>(op.index)].uniform()
            ? kUniformLanes
            : kUnknownLanes;
  } else if (op.kind == OperandKind::reg || op.kind == OperandKind::uniform_reg) {
    const bool uniform = op.kind == OperandKind::uniform_reg;
    if (op.index < 0 || index > kRZ) return kUnknownLanes;
    v = op.index == kRZ
            ? constant_lanes(0)
            : (uniform ? state.uniform_registers
                       : state.registers)[static_cast<std::size_t>(std::min(index, kRZ - 1))];
  }
  const bool bars = op.text.find("|") != std::string::npos;
  if (bars || takes_part(op)) {
    const bool constant = op.kind == OperandKind::constant;
    if (bars || !constant) return v.uniform() ? kUniformLanes : kUnknownLanes;
  }
  if (!op.negated) return v;
  if (word > 0) return v.uniform() ? kUniformLanes : v;
  return op.text.front() == '~' ? math_.complement(v) : math_.negate(v);
}

LaneStep::Sources LaneStep::sources(const Instruction& in, const LaneState& state) {
  Sources s;
  for (const Operand& op : in.operands) {
    if (op.destination || op.kind == OperandKind::uniform_predicate) continue;
    if (op.kind == OperandKind::predicate) {
      if (op.index >= 0)
        s.predicate = std::max(s.predicate, state.predicates[static_cast<std::size_t>(op.index)]);
      continue;
    }
    const bool number = op.kind == OperandKind::reg || op.kind == OperandKind::uniform_reg ||
                        op.kind == OperandKind::immediate || op.kind == OperandKind::constant;
    if (!number) {
      s.complete = false;
      continue;
    }
    const LaneValue low = value(op, 0, state);
    const LaneValue high = op.registers > 1 ? value(op, 1, state) : constant_lanes(0);
    if (s.count == s.values.size()) {
      s.complete = s.complete && low.uniform() && high.uniform();
      continue;
    }
    s.values[s.count] = low;
    s.highs[s.count++] = high;
  }
  return s;
}

LaneValue LaneStep::address(const Instruction& in, const Operand& op, const LaneState& state) {
  const auto part = [](const auto& registers, int index) {
    return index < 0 || index >= kRZ ? constant_lanes(0)
                                     : registers[static_cast<std::size_t>(index)];
  };
  LaneValue v = part(state.registers, op.index);
  if (op.scale > 1) v = math_.multiply(v, constant_lanes(op.scale));
  const bool narrow = op.text.find(".U32") != std::string::npos;
  const bool wide =
      op.kind == OperandKind::memory && !narrow && (op.registers > 1 || has_suffix(in.opcode, "E"));
  if (wide && op.index >= 0 && op.index < kRZ - 1 && !part(state.registers, op.index + 1).high())
    return kUnknownLanes;
  v = math_.add(v, part(state.uniform_registers, op.uniform));
  v = math_.add(v, constant_lanes(static_cast<std::uint32_t>(op.value)));
  return v.kind == LaneKind::offsets ? v : kUnknownLanes;
}

/// A sum with carries in (if `extended`) and out.
LaneStep::Result LaneStep::sum(const Sources& s, LaneValue low, bool extended) {
  if (extended) {
    if (s.predicate == LanePredicate::uniform)
      low = math_.add(low, kCarryIn);
    else
      low = s.predicate == LanePredicate::carry && low.high() ? kHighWord : kUnknownLanes;
  }
  const bool carry = low.kind != LaneKind::unknown && s.predicate != LanePredicate::varying;
  return {low, kUnknownLanes, carry ? LanePredicate::carry : LanePredicate::varying};
}

/// The high word of a 64-bit sum whose low word is known.
LaneStep::Result LaneStep::wide_sum(const Sources& s, const LaneValue& low,
                                    const LaneValue& addend_high) const {
  const bool high =
      low.kind == LaneKind::offsets && addend_high.high() && s.predicate != LanePredicate::varying;
  return {low, high ? kHighWord : kUnknownLanes, LanePredicate::varying};
}

/// LEA: (a << n) + b; .HI takes the upper half of the 64-bit c:a.
LaneStep::Result LaneStep::shifted_add(const Instruction& in, const Sources& s) {
  const bool extended = has_suffix(in.opcode, "X");
  const bool sign = has_suffix(in.opcode, "SX32");
  const std::size_t at = s.count - 1;
  if (s.count < 2 || !s.values[at].constant()) return {};
  const unsigned count = s.values[at].bits & 31U;
  const LaneValue b = s.count > 2 ? s.values[1] : constant_lanes(0);
  const LaneValue& a = s.values[0];
  if (!has_suffix(in.opcode, "HI"))
    return sum(s, math_.add(math_.shift_left(a, count), b), extended);
  if (any_negated(in)) return {};
  const LaneValue c = sign          ? math_.shift_right(a, 31, true)
                      : s.count > 3 ? s.values[2]
                                    : constant_lanes(0);
  LaneValue part = math_.extract(a, c, 32 - count);
  const bool pair = a.kind == LaneKind::offsets && (sign || c.high());
  if (part.kind == LaneKind::unknown && extended && pair) part = kHighWord;
  return sum(s, math_.add(part, b), extended);
}

LaneValue LaneStep::funnel_shift(const Instruction& in, const Sources& s) {
  if (s.count != 3 || !s.values[1].constant() || s.values[1].bits > 31) return kUnknownLanes;
  const unsigned count = s.values[1].bits;
  const bool high = has_suffix(in.opcode, "HI");
  const LaneValue& a = s.values[0];
  const LaneValue& c = s.values[2];
  if (!has_suffix(in.opcode, "R")) {
    if (!high) return math_.shift_left(a, count);
    const LaneValue part = math_.extract(a, c, 32 - count);
    const bool pair = a.kind == LaneKind::offsets && c.high();
    return part.kind == LaneKind::unknown && pair ? kHighWord : part;
  }
  if (!high) return math_.extract(a, c, count);
  const bool is_signed = has_suffix(in.opcode, "S32") || has_suffix(in.opcode, "S64");
  const LaneValue part = math_.shift_right(c, count, is_signed);
  // The sign of a sum, all over the word: what makes it 64 bits wide.
  const bool sign = is_signed && count == 31 && c.kind == LaneKind::offsets;
  return part.kind == LaneKind::unknown && sign ? kHighWord : part;
}

LaneStep::Result LaneStep::integer(const Instruction& in, const Sources& s, OpClass op_class) {
  const auto stem_ends = [&](std::string_view end) { return stem_of(in.opcode).ends_with(end); };
  const auto extended = [&] { return has_suffix(in.opcode, "X"); };
  const auto& v = s.values;
  const auto alone = [](const LaneValue& low) {
    return Result{low, kUnknownLanes, LanePredicate::varying};
  };
  switch (op_class) {
    case OpClass::mov:
    case OpClass::mov_64:
    case OpClass::umov:
      return {v[0], s.highs[0], LanePredicate::varying};
    case OpClass::imad:
    case OpClass::imad_mov:
    case OpClass::uimad:
      if (s.count != 3) return {};
      return sum(s, math_.add(math_.multiply(v[0], v[1]), v[2]), extended());
    case OpClass::imad_wide:
    case OpClass::uimad_wide:
      if (s.count != 3 || extended() || has_suffix(in.opcode, "HI")) return {};
      return wide_sum(s, math_.add(math_.multiply(v[0], v[1]), v[2]), s.highs[2]);
    case OpClass::iadd_64:
      return wide_sum(s, math_.add(math_.add(v[0], v[1]), s.count > 2 ? v[2] : constant_lanes(0)),
                      math_.add(math_.add(s.highs[0], s.highs[1]),
                                s.count > 2 ? s.highs[2] : constant_lanes(0)));
    case OpClass::iadd3:
    case OpClass::iadd:
    case OpClass::viadd:
    case OpClass::uiadd3: {
      const bool plain = stem_ends("IADD3") || stem_ends("IADD") || stem_of(in.opcode) == "IADD32I";
      if (!plain || s.count < 2 || s.count > 3 || has_suffix(in.opcode, "64")) return {};
      const LaneValue third = s.count == 3 ? v[2] : constant_lanes(0);
      return sum(s, math_.add(math_.add(v[0], v[1]), third), extended());
    }
    case OpClass::lea:
    case OpClass::ulea:
      return stem_ends("LEA") ? shifted_add(in, s) : Result{};
    case OpClass::shf:
    case OpClass::ushf:
      return stem_ends("SHF") ? alone(funnel_shift(in, s)) : Result{};
    case OpClass::lop3:
    case OpClass::ulop3:
      if (!stem_ends("LOP3") || s.count != 4 || !v[3].constant()) return {};
      if (has_suffix(in.opcode, "64")) return {};
      return alone(math_.logic(v[0], v[1], v[2], v[3].bits & 0xff));
    case OpClass::prmt:
    case OpClass::uprmt:
      if (s.count != 3 || !v[1].constant() || stem_of(in.opcode).size() < in.opcode.size())
        return {};
      return alone(math_.permute(v[0], v[2], v[1].bits));
    case OpClass::sel:
      if (s.count != 2 || has_suffix(in.opcode, "64") || !stem_ends("SEL")) return {};
      return alone(s.predicate == LanePredicate::uniform ? LaneMath::merge(v[0], v[1])
                                                         : LaneMath::mix(v[0], v[1]));
    default:
      return {};
  }
}

}  // namespace smsim::program
