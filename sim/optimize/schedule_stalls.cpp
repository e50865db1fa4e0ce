// SPDX-License-Identifier: MIT
// Scheduling, the stall counts: the smallest ones at which nothing is read too early.
#include <algorithm>
#include <set>
#include <tuple>

#include "isa/bundle_control.hpp"
#include "isa/control_word.hpp"
#include "optimize/hazards_latency.hpp"
#include "optimize/schedule_fit.hpp"

namespace smsim::optimize {
namespace {

using isa::kLongestPlainStall;
using isa::OpClass;

constexpr int kLongest = 15;
constexpr int kLongestKepler = 32;

/// Classes whose stall counts are for something else than results: transfers of control, barriers,
/// waits for memory.
bool is_control(OpClass op_class) {
  switch (isa::general_class(op_class)) {
    case OpClass::bra:
    case OpClass::exit:
    case OpClass::bssy:
    case OpClass::bsync:
    case OpClass::bar:
    case OpClass::depbar:
    case OpClass::membar:
    case OpClass::cctl:
    case OpClass::nanosleep:
    case OpClass::nop:
    case OpClass::bmov:
    case OpClass::ldgdepbar:
    case OpClass::warpgroup:
    case OpClass::bulk_copy:
    case OpClass::hgmma:
    case OpClass::utcmma:
      return true;
    default:
      return isa::general_class(isa::general_class(op_class)) == OpClass::bra;
  }
}

/// Reading a clock is done for its time.
bool reads_clock(const Instruction& in) {
  return in.text.find("CLOCK") != std::string::npos || in.text.find("TIMER") != std::string::npos;
}

int longest_stall(const ControlWord& control) {
  if (control.format == ControlFormat::kepler) return kLongestKepler;
  // A yield request would give up the operands that it keeps.
  return control.reuse != 0 && !control.yield ? kLongestPlainStall : kLongest;
}

bool has_known_code(const ControlWord& control) {
  constexpr unsigned kSingle = 0x20;
  return control.format != ControlFormat::kepler || (control.code & 0xe0U) == kSingle;
}

bool try_raise(ControlWord& control, int missing) {
  if (!has_known_code(control)) return false;
  const int now = control.stall;
  const int overlong = control.format != ControlFormat::kepler && now > kLongestPlainStall &&
                       !control.yield && control.reuse == 0;
  if (overlong) {
    control.yield = true;
    return true;
  }
  const int wanted = std::min(now + missing, longest_stall(control));
  if (wanted <= now) return false;
  set_stall(control, wanted);
  return true;
}

/// Makes the way of a hazard longer by raising one stall count on it; the one in front of the
/// reader if it can. Those of barriers and branches only if no other is left.
bool lengthen(const HazardInput& input, const Scope& scope, const Hazard& hazard,
              Function& function) {
  std::vector<std::size_t> way = {hazard.before};
  for (std::size_t at = hazard.before; at-- > hazard.from;) way.push_back(at);
  if (hazard.from > hazard.before) way.push_back(hazard.from);
  for (const bool control : {false, true})
    for (const std::size_t at : way)
      if (is_control(input.code[at].op_class) == control && scope.inside[at] &&
          try_raise(function.instructions[at].control, hazard.needed - hazard.cycles))
        return true;
  return false;
}

/// The matrix unit and FP64: compilers leave as many cycles between two of them as the unit takes,
/// and nobody has published that it would hold the second one by itself.
bool is_slow_unit(Kind kind) {
  return kind == Kind::mma || kind == Kind::mma2 || kind == Kind::dmma || kind == Kind::fp64;
}

bool may_lower(const HazardInput& input, std::size_t index) {
  const Node& node = input.code[index];
  // Compilers let every result settle before a DEPBAR. Nobody has published why.
  for (const Step& step : node.next)
    if (isa::general_class(input.code[step.to].op_class) == OpClass::depbar) return false;
  const ControlWord& control = node.in->control;
  return node.row != nullptr && control.stall > 1 && has_known_code(control) &&
         !is_control(node.op_class) && !is_slow_unit(kind_of(input.sm, node.op_class)) &&
         !reads_clock(*node.in);
}

/// Where a scoreboard is said to wait for variable latency, the sources do not agree that it does:
/// the stall counts between such an operation and its first reader stay.
std::vector<bool> kept_for_readers(const HazardInput& input) {
  std::vector<bool> kept(input.code.size(), false);
  if (!has_scoreboard(input)) return kept;
  for (std::size_t i = 0; i < input.code.size(); ++i) {
    if (!is_variable(input, i)) continue;
    for (std::size_t k = i; k < input.code.size(); ++k) {
      const Node& node = input.code[k];
      const bool reads =
          std::any_of(input.code[i].writes.begin(), input.code[i].writes.end(),
                      [&](const PlaceWrite& write) { return node.reads_place(write.place); });
      if (k > i && reads) break;
      kept[k] = true;
      if (isa::is_branch(node.op_class)) break;
    }
  }
  return kept;
}

}  // namespace

std::vector<Hazard> Scope::open(std::vector<Hazard> hazards) const {
  std::erase_if(hazards, [&](const Hazard& one) {
    return left.contains(std::tuple(one.kind, one.from, one.to));
  });
  return hazards;
}

Scope scope_of(const HazardInput& input, const Loop* loop) {
  Scope scope;
  for (const Node& node : input.code)
    scope.inside.push_back(loop == nullptr ||
                           (loop->start <= node.in->address && node.in->address <= loop->end));
  if (loop == nullptr) return scope;
  for (const Hazard& one : find_hazards(input))
    if (!scope.inside[one.from] && !scope.inside[one.to])
      scope.left.emplace(one.kind, one.from, one.to);
  return scope;
}

void set_stall(ControlWord& control, int stall) {
  control.stall = static_cast<std::uint8_t>(stall);
  if (control.format == ControlFormat::kepler)
    control.code = isa::kepler_code(stall);
  else if (stall > kLongestPlainStall)
    control.yield = true;
}

std::vector<bool> may_be_lowered(const HazardInput& input) {
  std::vector<bool> may = kept_for_readers(input);
  for (std::size_t i = 0; i < input.code.size(); ++i) may[i] = !may[i] && may_lower(input, i);
  return may;
}

int smallest_stall(const HazardInput& input, Function& function, std::size_t index) {
  ControlWord& control = function.instructions[index].control;
  const ControlWord given = control;
  set_stall(control, 1);
  int missing = 0;
  for (const Hazard& hazard : find_stall_hazards(input, near_before(input, index)))
    missing = std::max(missing, hazard.needed - hazard.cycles);
  control = given;
  return std::min<int>(1 + missing, given.stall);
}

namespace {

/// One round: a stall count that was raised already lengthens the ways of later readers, too.
bool raise_once(const HazardInput& input, const Scope& scope, const std::vector<Hazard>& early,
                Function& function) {
  std::set<std::size_t> raised;
  for (const Hazard& hazard : early) {
    const auto inside = raised.lower_bound(std::min(hazard.from, hazard.before));
    if (inside != raised.end() && (*inside <= hazard.before || hazard.taken)) continue;
    if (lengthen(input, scope, hazard, function)) raised.insert(hazard.before);
  }
  return !raised.empty();
}

std::vector<std::size_t> origins(const std::vector<Hazard>& hazards) {
  std::set<std::size_t> all;
  for (const Hazard& hazard : hazards) all.insert(hazard.from);
  return {all.begin(), all.end()};
}

}  // namespace

bool raise_stalls(const HazardInput& input, const Scope& scope, Function& function) {
  const std::size_t limit = 40 * function.instructions.size() + 100;
  std::vector<Hazard> early = scope.open(find_stall_hazards(input));
  for (std::size_t round = 0; round < limit && !early.empty(); ++round) {
    if (!raise_once(input, scope, early, function)) return false;
    // Longer ways open nothing new, so only what was early is looked at again.
    early = scope.open(find_stall_hazards(input, origins(early)));
  }
  return scope.open(find_stall_hazards(input)).empty();
}

bool fit_stalls(const HazardInput& input, const Scope& scope, Function& function) {
  const std::vector<bool> may = may_be_lowered(input);
  for (std::size_t i = 0; i < input.code.size(); ++i)
    if (may[i] && scope.inside[i]) set_stall(function.instructions[i].control, 1);
  return raise_stalls(input, scope, function);
}

void clear_overlong(const HazardInput& input, const Scope& scope, Function& function) {
  for (std::size_t i = 0; i < input.code.size(); ++i) {
    ControlWord& control = function.instructions[i].control;
    if (!scope.inside[i] || !is_overlong(input, i)) continue;
    const int enough = smallest_stall(input, function, i);
    set_stall(control, control.reuse != 0 ? std::min(enough, kLongestPlainStall) : enough);
  }
}

void drop_yields(const HazardInput& input, const Scope& scope, Function& function) {
  for (std::size_t i = 0; i < input.code.size(); ++i) {
    ControlWord& control = function.instructions[i].control;
    const bool needed = control.stall > kLongestPlainStall || control.stall == 0;
    if (!needed && scope.inside[i] && !is_control(input.code[i].op_class)) control.yield = false;
  }
}

}  // namespace smsim::optimize
