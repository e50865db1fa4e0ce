// SPDX-License-Identifier: MIT
// Scheduling, the barriers: those that are missing, and waits that protect nothing.
#include <algorithm>
#include <array>

#include "isa/control_word.hpp"
#include "optimize/schedule_fit.hpp"

namespace smsim::optimize {
namespace {

using isa::kBarriers;
using isa::OpClass;
using isa::raises;

bool is_of_stalls(HazardKind kind) {
  return kind == HazardKind::early_read || kind == HazardKind::early_overwrite ||
         kind == HazardKind::early_write || kind == HazardKind::early_behind ||
         kind == HazardKind::wait_too_soon;
}

std::vector<Hazard> waits_missing(const HazardInput& input) {
  std::vector<Hazard> all = find_hazards(input);
  std::erase_if(all, [](const Hazard& one) { return is_of_stalls(one.kind); });
  return all;
}

/// Barriers that DEPBAR counts: how often they are raised matters.
std::uint8_t counted_barriers(const HazardInput& input) {
  unsigned mask = 0;
  for (const Node& node : input.code)
    if (node.op_class == OpClass::depbar)
      for (const Operand& operand : node.in->operands)
        if (operand.kind == OperandKind::scoreboard && operand.index >= 0)
          mask |= 1U << static_cast<unsigned>(operand.index);
  return static_cast<std::uint8_t>(mask);
}

/// The barrier that is raised least often, of those that nobody counts.
int quietest_barrier(const HazardInput& input, const Function& function) {
  const std::uint8_t counted = counted_barriers(input);
  std::array<int, kBarriers> raised{};
  for (const Instruction& in : function.instructions)
    for (int b = 0; b < kBarriers; ++b)
      if (raises(in.control, b)) ++raised[static_cast<std::size_t>(b)];
  int best = -1;
  for (int b = 0; b < kBarriers; ++b) {
    const auto at = static_cast<std::size_t>(b);
    const bool better = best < 0 || raised[at] < raised[static_cast<std::size_t>(best)];
    if (((counted >> b) & 1) == 0 && better) best = b;
  }
  return best;
}

/// The barrier that tells when the hazard is over, set if there is none.
int barrier_for(const HazardInput& input, const Scope& scope, const Hazard& hazard,
                Function& function) {
  ControlWord& control = function.instructions[hazard.from].control;
  const bool read = hazard.kind == HazardKind::source_overwritten;
  if (read && control.read_barrier < kNoBarrier) return control.read_barrier;
  if (control.write_barrier < kNoBarrier) return control.write_barrier;
  const int barrier = quietest_barrier(input, function);
  if (barrier < 0 || !scope.inside[hazard.from]) return -1;
  (read ? control.read_barrier : control.write_barrier) = static_cast<std::uint8_t>(barrier);
  return barrier;
}

/// Waits at these are for others than the function itself, or for time.
bool keeps_waits(const Node& node) {
  switch (isa::general_class(node.op_class)) {
    case OpClass::exit:
    case OpClass::bar:
    case OpClass::membar:
    case OpClass::depbar:
    case OpClass::nop:
    case OpClass::cctl:
    case OpClass::bsync:
    case OpClass::bssy:
    case OpClass::ldgdepbar:
      return true;
    default:
      return node.row == nullptr || node.op_class == OpClass::call ||
             node.op_class == OpClass::ret || node.in->text.find("CLOCK") != std::string::npos;
  }
}

/// Whether waiting for it is only about registers of this function.
bool is_plain_setter(const HazardInput& input, std::size_t index) {
  const Node& node = input.code[index];
  return node.row != nullptr && (!node.writes.empty() || !node.reads.empty()) &&
         is_variable(input, index);
}

bool may_drop(const HazardInput& input, int barrier) {
  if (((counted_barriers(input) >> barrier) & 1) != 0) return false;
  for (std::size_t i = 0; i < input.code.size(); ++i)
    if (raises(input.code[i].in->control, barrier) && !is_plain_setter(input, i)) return false;
  return true;
}

/// The operations for which a wait for the barrier here may be the one that counts: those that
/// raise it, and those of their queues.
std::vector<std::size_t> told_by(const HazardInput& input, std::size_t index, int barrier) {
  std::vector<std::size_t> raisers;
  for (std::size_t i = 0; i < input.code.size(); ++i)
    if (raises(input.code[i].in->control, barrier)) raisers.push_back(i);
  std::vector<std::size_t> told = unwaited_before(input, index, barrier);
  std::erase_if(told, [&](std::size_t one) {
    if (!is_variable(input, one)) return true;
    if (raises(input.code[one].in->control, barrier)) return false;
    return std::none_of(raisers.begin(), raisers.end(),
                        [&](std::size_t raiser) { return reads_in_order(input, one, raiser); });
  });
  return told;
}

void clear_unused(const HazardInput& input, const Scope& scope, Function& function) {
  unsigned waited = counted_barriers(input);
  for (const Instruction& in : function.instructions) waited |= in.control.wait_mask;
  const auto is_waited = [&](std::uint8_t barrier) {
    return barrier >= kNoBarrier || ((waited >> barrier) & 1U) != 0;
  };
  for (std::size_t i = 0; i < input.code.size(); ++i) {
    ControlWord& control = function.instructions[i].control;
    if (!scope.inside[i]) continue;
    if (!is_waited(control.write_barrier)) control.write_barrier = kNoBarrier;
    if (!is_waited(control.read_barrier)) control.read_barrier = kNoBarrier;
  }
}

/// Waits for barriers that nothing raises, where no other function can have done so.
void clear_unraised(const HazardInput& input, const Scope& scope, Function& function) {
  unsigned raised = 0;
  for (const Node& node : input.code) {
    if (node.op_class == OpClass::call || node.op_class == OpClass::ret) return;
    for (int b = 0; b < kBarriers; ++b)
      if (raises(node.in->control, b)) raised |= 1U << b;
  }
  for (std::size_t i = 0; i < input.code.size(); ++i) {
    ControlWord& control = function.instructions[i].control;
    if (scope.inside[i]) control.wait_mask = static_cast<std::uint8_t>(control.wait_mask & raised);
  }
}

/// A barrier that nothing raises or waits for; -1 if there is none.
int free_barrier(const HazardInput& input) {
  for (int b = 0; b < kBarriers; ++b)
    if (((counted_barriers(input) >> b) & 1) == 0 &&
        std::none_of(input.code.begin(), input.code.end(), [b](const Node& node) {
          return raises(node.in->control, b) || ((node.in->control.wait_mask >> b) & 1U) != 0;
        }))
      return b;
  return -1;
}

}  // namespace

bool is_fragment(const HazardInput& input) {
  if (input.code.empty()) return true;
  const Node& last = input.code.back();
  const bool leaves = last.op_class == OpClass::exit || last.op_class == OpClass::ret ||
                      last.op_class == OpClass::nop || isa::is_branch(last.op_class);
  const bool conditional = last.in->guard.index != kPT;
  return !leaves || (conditional && last.op_class != OpClass::nop);
}

bool add_barriers(const HazardInput& input, const Scope& scope, Function& function) {
  const std::size_t limit = 6 * function.instructions.size() + 10;
  for (std::size_t round = 0; round < limit; ++round) {
    const std::vector<Hazard> missing = scope.open(waits_missing(input));
    if (missing.empty()) return true;
    bool changed = false;
    for (const Hazard& hazard : missing) {
      const int barrier = barrier_for(input, scope, hazard, function);
      if (barrier < 0 || !scope.inside[hazard.to]) continue;
      ControlWord& control = function.instructions[hazard.to].control;
      const auto mask = static_cast<std::uint8_t>(control.wait_mask | 1U << barrier);
      changed = changed || mask != control.wait_mask;
      control.wait_mask = mask;
    }
    if (!changed) return false;
  }
  return false;
}

void remove_waits(const HazardInput& input, const Scope& scope, Function& function) {
  clear_unraised(input, scope, function);
  for (std::size_t i = 0; i < input.code.size(); ++i) {
    ControlWord& control = function.instructions[i].control;
    if (!scope.inside[i] || control.wait_mask == 0 || keeps_waits(input.code[i])) continue;
    for (int b = 0; b < kBarriers; ++b) {
      const unsigned bit = 1U << b;
      if ((control.wait_mask & bit) == 0 || !may_drop(input, b)) continue;
      const std::uint8_t kept = control.wait_mask;
      control.wait_mask = static_cast<std::uint8_t>(kept & ~bit);
      if (!find_wait_hazards(input, told_by(input, i, b)).empty()) control.wait_mask = kept;
    }
  }
  clear_unused(input, scope, function);
}

bool part_barriers(const HazardInput& input, const Scope& scope, Function& function) {
  const int free = free_barrier(input);
  if (free < 0) return false;
  for (const SharedWait& one : find_shared_waits(input)) {
    if (!scope.inside[one.at] || !scope.inside[one.other] || !may_drop(input, one.barrier))
      continue;
    ControlWord& control = function.instructions[one.other].control;
    for (std::uint8_t* field : {&control.write_barrier, &control.read_barrier})
      if (*field == one.barrier) *field = static_cast<std::uint8_t>(free);
    for (std::size_t i = 0; i < input.code.size(); ++i) {
      std::uint8_t& mask = function.instructions[i].control.wait_mask;
      const bool both = keeps_waits(input.code[i]) && ((mask >> one.barrier) & 1U) != 0;
      if (both && scope.inside[i]) mask = static_cast<std::uint8_t>(mask | 1U << free);
    }
    return add_barriers(input, scope, function);
  }
  return false;
}

}  // namespace smsim::optimize
