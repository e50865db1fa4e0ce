// SPDX-License-Identifier: MIT
// What one instruction makes of the registers, seen over the lanes of a warp.
#include "program/lane_state.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "program/lane_sources.hpp"

namespace smsim::program {
namespace {

using isa::OpClass;

bool is_predicate(const Operand& operand) { return operand.kind == OperandKind::predicate; }

LanePredicate worse(LanePredicate a, LanePredicate b) { return std::max(a, b); }

/// Works on each lane by itself: equal inputs give equal outputs.
bool is_lanewise(OpClass op_class) {
  const bool arithmetic = op_class <= OpClass::i2ip && op_class != OpClass::fswzadd;
  const bool uniform = op_class >= OpClass::uiadd3 && op_class <= OpClass::ustate;
  return arithmetic || uniform;
}

LanePredicate guard_of(const Instruction& in, const LaneState& state) {
  if (in.guard.uniform) return LanePredicate::uniform;
  return state.predicates[static_cast<std::size_t>(in.guard.index)];
}

template <typename Values, typename Merge>
bool merge_all(Values& to, const Values& from, std::size_t count, Merge merge) {
  bool changed = false;
  for (std::size_t i = 0; i < count; ++i) {
    if (to[i] == from[i]) continue;  // as a rule
    const auto merged = merge(to[i], from[i]);
    changed = changed || !(merged == to[i]);
    to[i] = merged;
  }
  return changed;
}

bool is_uniform_register(std::string_view name) {
  constexpr std::string_view kPrefixes[] = {"SRZ",      "SR_CTAID", "SR_NCTAID",  "SR_NTID",
                                            "SR_CLOCK", "SR_Cga",   "SR_CLUSTER", "SR_GRID",
                                            "SR_VIRT",  "SR_NWARP", "SR_WARPID",  "SR_SM"};
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// The 16 bits of a number that a disassembler has printed exactly.
std::optional<std::uint32_t> half_bits(const std::string& text) {
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, failed] = std::from_chars(text.data(), last, number);
  if (failed != std::errc() || end != last || !std::isfinite(number)) return std::nullopt;
  const std::uint32_t sign = std::signbit(number) ? 0x8000U : 0U;
  int exponent = 0;
  std::frexp(number, &exponent);  // in [0.5, 1) times 2^exponent
  const int field = number == 0 ? 0 : std::max(0, exponent + 14);
  if (field > 30) return std::nullopt;
  const double units = std::ldexp(std::fabs(number), 25 - std::max(field, 1));
  if (units != std::floor(units)) return std::nullopt;
  const auto whole = static_cast<std::uint32_t>(units);  // with the leading one, if normal
  return sign | (field > 0 ? static_cast<std::uint32_t>(field - 1) * 1024U + whole : whole);
}

/// HFMA2.MMA R3, -RZ, RZ, 0, 2.38e-07: how compilers write MOV R3, 0x4 on the FMA pipe.
std::optional<std::uint32_t> moved_constant(const Instruction& in) {
  const bool plain = in.opcode == "HFMA2.MMA" || in.opcode == "HFMA2";
  if (!plain || in.operands.size() != 5) return std::nullopt;
  for (const std::size_t i : {1U, 2U})
    if (in.operands[i].kind != OperandKind::reg || in.operands[i].index != kRZ) return std::nullopt;
  const auto high = half_bits(in.operands[3].text);
  const auto low = half_bits(in.operands[4].text);
  if (!high || !low) return std::nullopt;
  return *high << 16 | *low;
}

}  // namespace

LaneState::LaneState() {
  uniform_registers.fill(kUniformLanes);
  predicates.fill(LanePredicate::varying);
  predicates[kPT] = LanePredicate::uniform;
}

bool LaneState::merge(const LaneState& other, const NamedRegisters& named) {
  const bool a = merge_all(registers, other.registers, named.registers, LaneMath::merge);
  const bool b = merge_all(uniform_registers, other.uniform_registers, named.uniform_registers,
                           LaneMath::merge);
  const bool c = merge_all(predicates, other.predicates, predicates.size(), worse);
  return a || b || c;
}

NamedRegisters named_registers(const Function& function) {
  NamedRegisters named;
  const auto note = [](int first, int count, std::size_t& most) {
    if (first >= 0)
      most = std::clamp<std::size_t>(static_cast<std::size_t>(first + count), most, kRZ + 1);
  };
  for (const Instruction& in : function.instructions)
    for (const Operand& op : in.operands) {
      const bool uniform = op.kind == OperandKind::uniform_reg;
      const int count = std::max<int>(2, op.registers);  // of addresses the high word counts, too
      note(op.index, count, uniform ? named.uniform_registers : named.registers);
      note(op.uniform, count, named.uniform_registers);
    }
  return named;
}

LanePredicate condition_of(const Instruction& in, const LaneState& state) {
  LanePredicate worst = guard_of(in, state);
  for (const Operand& op : in.operands)
    if (is_predicate(op) && !op.destination && op.index >= 0)
      worst = worse(worst, state.predicates[static_cast<std::size_t>(op.index)]);
  return worst;
}

void LaneStep::run(const Instruction& in, const isa::OpcodeRow* row, LaneState& state) {
  if (row == nullptr) {
    state = LaneState();  // nobody knows what it writes
    return;
  }
  const bool writes = std::any_of(in.operands.begin(), in.operands.end(),
                                  [](const Operand& op) { return op.destination; });
  if (writes) write(in, evaluate(in, *row, state), state);
}

void LaneStep::write(const Instruction& in, const Result& result, LaneState& state) const {
  const LanePredicate guard = guard_of(in, state);
  const bool always = !in.guard.uniform && in.guard.index == kPT;
  const auto put = [&](LaneValue& to, const LaneValue& from) {
    if (always)
      to = from;
    else
      to = guard == LanePredicate::uniform ? LaneMath::merge(to, from) : LaneMath::mix(to, from);
  };
  for (const Operand& op : in.operands) {
    if (op.destination && op.text == "PR")  // those that a mask names
      for (std::size_t p = 0; p < kPT; ++p)
        state.predicates[p] = worse(state.predicates[p], worse(result.predicate, guard));
    if (!op.destination || op.index < 0) continue;
    const auto index = static_cast<std::size_t>(op.index);
    if (is_predicate(op) && op.index < kPT) {
      const LanePredicate new_one = worse(result.predicate, guard);
      auto& to = state.predicates[index];
      to = always ? new_one : worse(to, new_one);
    }
    for (std::size_t w = 0; w < op.registers && index + w < kRZ; ++w) {
      const LaneValue& from = w == 0 ? result.low : result.high;
      if (op.kind == OperandKind::reg) put(state.registers[index + w], from);
      if (op.kind == OperandKind::uniform_reg)
        put(state.uniform_registers[index + w], from.uniform() ? from : kUniformLanes);
    }
  }
}

LaneStep::Result LaneStep::evaluate(const Instruction& in, const isa::OpcodeRow& row,
                                    const LaneState& state) {
  const OpClass general = isa::general_class(isa::general_class(row.op_class));
  if (row.op_class == OpClass::s2r || general == OpClass::cs2r || row.op_class == OpClass::s2ur)
    return special_register(in);
  if (row.op_class == OpClass::vote || row.op_class == OpClass::redux ||
      row.op_class == OpClass::r2ur)
    return {kUniformLanes, kUniformLanes, LanePredicate::uniform};
  const bool loads = row.op_class == OpClass::ldc || row.op_class == OpClass::uldc ||
                     row.op_class == OpClass::ldcu || row.op_class == OpClass::lds ||
                     row.op_class == OpClass::lds_64 || row.op_class == OpClass::lds_128 ||
                     row.op_class == OpClass::ldg || row.op_class == OpClass::ldg_64 ||
                     row.op_class == OpClass::ldg_128;
  if (loads) return load(in, state);
  if (row.op_class == OpClass::shfl) return shuffle(in, sources(in, state));
  if (!is_lanewise(row.op_class)) return {};
  const Sources s = sources(in, state);
  if (const auto constant = moved_constant(in))
    return {constant_lanes(*constant), kUnknownLanes, LanePredicate::uniform};
  Result result = integer(in, s, row.op_class);
  if (s.uniform()) {
    // Whatever it computes, all lanes compute the same.
    if (!result.low.uniform()) result.low = kUniformLanes;
    if (!result.high.uniform()) result.high = kUniformLanes;
    result.predicate = LanePredicate::uniform;
  }
  return result;
}

LaneStep::Result LaneStep::special_register(const Instruction& in) const {
  const std::string& name = in.operands.back().text;
  Result result{kUnknownLanes, kUnknownLanes, LanePredicate::uniform};
  if (name == "SRZ") {
    result.low = result.high = constant_lanes(0);
  } else if (is_uniform_register(name)) {
    result.low = result.high = kUniformLanes;
  } else if (name == "SR_LANEID" || (name == "SR_TID.X" && flat_block_)) {
    // Threads 32w to 32w + 31 are a warp, and a block has no more than 1024.
    const bool lane_alone = name == "SR_LANEID";
    LaneBits bits{lane_alone ? ~0U : ~0x3e0U, {}};
    for (std::size_t l = 0; l < kLanes; ++l) bits.bits[l] = static_cast<std::uint32_t>(l);
    result.low = math_.from_bits(bits);
  }
  return result;
}

/// One address for all lanes gives one value; local memory, in which it does not, is not asked.
LaneStep::Result LaneStep::load(const Instruction& in, const LaneState& state) {
  for (const Operand& op : in.operands) {
    if (op.destination) continue;
    const bool memory = op.kind == OperandKind::memory || op.kind == OperandKind::constant;
    if (memory && address(in, op, state).uniform())
      return {kUniformLanes, kUniformLanes, LanePredicate::uniform};
  }
  return {};
}

/// A shuffle from one lane to all. A segment mask splits the warp, so it has to be the full one.
LaneStep::Result LaneStep::shuffle(const Instruction& in, const Sources& s) const {
  const bool whole = s.count == 3 && s.values[2] == constant_lanes(0x1f);
  const bool one_lane = isa::has_suffix(in.opcode, "IDX") && whole && s.values[1].uniform();
  if (!one_lane) return {};
  return {kUniformLanes, kUnknownLanes, LanePredicate::uniform};
}

}  // namespace smsim::program
