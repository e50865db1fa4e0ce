// SPDX-License-Identifier: MIT
// Lint, the fields of the control word one by one: waits, stall counts, reuse flags, shared
// barriers.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "isa/control_word.hpp"
#include "optimize/hazards_latency.hpp"
#include "optimize/lint_checks.hpp"

namespace smsim::optimize {
namespace {

using isa::kBarriers;
using isa::OpClass;
using isa::raises;

/// The instructions that raise a barrier, in address order.
std::vector<std::size_t> setters(const HazardInput& input, int barrier) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < input.code.size(); ++i)
    if (raises(input.code[i].in->control, barrier)) all.push_back(i);
  return all;
}

/// DEPBAR.LE SB0, 0x2 takes the oldest for done once two are left; that is so only for operations
/// of one kind.
void check_partial_wait(const HazardInput& input, std::size_t at, Findings& findings) {
  const Node& node = input.code[at];
  if (node.op_class != OpClass::depbar || node.in->operands.size() < 2) return;
  const Operand& barrier = node.in->operands[0];
  const Operand& left = node.in->operands[1];
  if (barrier.kind != OperandKind::scoreboard || left.value == 0) return;
  const std::vector<std::size_t> all = setters(input, barrier.index);
  for (const std::size_t other : all) {
    const auto kind = [&](std::size_t i) { return isa::general_class(input.code[i].op_class); };
    if (kind(other) == kind(all.front())) continue;
    findings.add("unordered-wait", at,
                 fmt::format("DEPBAR goes on while {} of barrier {} are under way, and takes the "
                             "others for done; but {} and {} raise it, which can finish in any "
                             "order",
                             left.value, barrier.index, say(input, all.front()), say(input, other)),
                 other);
    return;
  }
}

int bank_of(const HazardInput& input, int reg) {
  return input.arch.register_file.bank_of[static_cast<std::size_t>(reg)];
}

/// What the instruction reads through a slot of the same bank; -1: nothing.
int read_through(const HazardInput& input, std::size_t at, SourceSlot slot, int bank) {
  for (const PlaceRead& read : input.code[at].reads)
    if (read.place.space == Space::reg && read.slot == slot &&
        bank_of(input, read.place.index) == bank)
      return read.place.index;
  return -1;
}

/// Whether someone finds the operand that was kept. A taken branch and a yield give it up; what
/// follows a branch elsewhere is not looked at.
bool is_found_again(const HazardInput& input, std::size_t at, const Operand& operand) {
  const int bank = bank_of(input, operand.index);
  int readers = input.arch.reuse_cache.entries_per_slot;
  for (std::size_t i = at + 1; i < input.code.size(); ++i) {
    const Node& node = input.code[i];
    if (isa::is_branch(node.op_class)) return false;
    const int reg = read_through(input, i, operand.slot, bank);
    if (reg >= operand.index && reg < operand.index + operand.registers) return true;
    if (reg >= 0 && --readers == 0) return false;
    if (node.in->control.yield && node.in->control.format == ControlFormat::volta) return false;
  }
  return false;
}

void check_reuse_of(const HazardInput& input, std::size_t at, const Operand& operand,
                    Findings& findings) {
  const Node& node = input.code[at];
  const auto slot = static_cast<unsigned>(operand.slot);
  const bool possible = operand.kind == OperandKind::reg && operand.slot != SourceSlot::none &&
                        node.row != nullptr && ((node.row->reuse_slots >> slot) & 1U) != 0;
  if (!possible) {
    findings.add("reuse-not-possible", at,
                 fmt::format("{} cannot keep the operand {}", node.in->opcode, operand.text));
  } else if (node.in->control.yield) {
    findings.add(
        "reuse-with-yield", at,
        fmt::format("{} asks to yield, which gives up the operand {} that it wants to keep",
                    node.in->opcode, operand.text));
  } else if (input.arch.reuse_cache.slots > 0 && !is_found_again(input, at, operand)) {
    findings.add("reuse-never-hits", at,
                 fmt::format("nobody reads {} through slot {} next: the flag saves no read",
                             operand.text, "abc"[std::min(slot, 2U)]));
  }
}

/// Those that raise a barrier in front of an instruction, back to the last that waited for it; what
/// comes from elsewhere by a branch is not looked at.
std::vector<std::size_t> raised_before(const HazardInput& input, std::size_t at, int barrier) {
  std::vector<std::size_t> all;
  for (std::size_t i = at; i-- > 0;) {
    const ControlWord& control = input.code[i].in->control;
    if (raises(control, barrier)) all.push_back(i);
    if (((control.wait_mask >> barrier) & 1U) != 0 || isa::is_branch(input.code[i].op_class)) break;
  }
  return all;
}

/// Whether an instruction is why a wait for another one is there.
bool needs(const Node& node, const Node& setter, int barrier) {
  const auto touches = [&](Place place) {
    return node.reads_place(place) || node.writes_place(place);
  };
  if (setter.in->control.write_barrier == barrier &&
      std::any_of(setter.writes.begin(), setter.writes.end(),
                  [&](const PlaceWrite& write) { return touches(write.place); }))
    return true;
  return setter.in->control.read_barrier == barrier &&
         std::any_of(setter.reads.begin(), setter.reads.end(),
                     [&](const PlaceRead& read) { return node.writes_place(read.place); });
}

/// Cycles until the barrier goes down, as far as the config knows.
int release_cycles(const HazardInput& input, std::size_t at, int barrier) {
  const InstructionTiming* timing = input.timings[at];
  if (timing == nullptr) return 0;
  return input.code[at].in->control.write_barrier == barrier ? timing->latency_cycles
                                                             : timing->read_release_cycles;
}

std::optional<SharedWait> shared_wait(const HazardInput& input, std::size_t at, int barrier) {
  const std::vector<std::size_t> all = raised_before(input, at, barrier);
  const auto wanted = std::find_if(all.begin(), all.end(), [&](std::size_t one) {
    return needs(input.code[at], input.code[one], barrier);
  });
  if (wanted == all.end()) return std::nullopt;
  for (const std::size_t other : all) {
    const bool slower =
        release_cycles(input, other, barrier) > release_cycles(input, *wanted, barrier);
    if (slower && !needs(input.code[at], input.code[other], barrier))
      return SharedWait{at, barrier, *wanted, other};
  }
  return std::nullopt;
}

}  // namespace

std::vector<SharedWait> find_shared_waits(const HazardInput& input) {
  bool free = false;
  for (int b = 0; b < kBarriers; ++b) free = free || setters(input, b).empty();
  std::vector<SharedWait> all;
  for (std::size_t i = 0; free && i < input.code.size(); ++i)
    for (int b = 0; b < kBarriers; ++b)
      if (((input.code[i].in->control.wait_mask >> b) & 1U) != 0)
        if (const auto one = shared_wait(input, i, b)) all.push_back(*one);
  return all;
}

void check_sharing(const HazardInput& input, Findings& findings) {
  for (const SharedWait& one : find_shared_waits(input))
    findings.add("barrier-shared", one.at,
                 fmt::format("waits by barrier {} for {}, and so also for {}, which takes longer; "
                             "another barrier is free",
                             one.barrier, say(input, one.wanted), say(input, one.other)),
                 one.other);
}

void check_waits(const HazardInput& input, Findings& findings) {
  std::uint8_t raised = 0;
  for (int b = 0; b < kBarriers; ++b)
    if (!setters(input, b).empty()) raised = static_cast<std::uint8_t>(raised | 1U << b);
  for (std::size_t i = 0; i < input.code.size(); ++i) {
    check_partial_wait(input, i, findings);
    const unsigned unset = input.code[i].in->control.wait_mask & ~static_cast<unsigned>(raised);
    for (int b = 0; b < kBarriers; ++b)
      if (((unset >> b) & 1U) != 0)
        findings.add("wait-without-setter", i,
                     fmt::format("waits for barrier {}, which nothing in the function raises", b));
  }
}

bool is_overlong(const HazardInput& input, std::size_t index) {
  const Node& node = input.code[index];
  const ControlWord& control = node.in->control;
  if (control.format == ControlFormat::kepler || control.stall <= isa::kLongestPlainStall ||
      control.yield)
    return false;
  // NVIDIA's compiler itself does so before Volta on what is not plain arithmetic.
  const Kind kind = kind_of(input.sm, node.op_class);
  return control.format != ControlFormat::maxwell || kind == Kind::alu || kind == Kind::fma;
}

void check_stalls(const HazardInput& input, Findings& findings) {
  for (std::size_t i = 0; i < input.code.size(); ++i) {
    const Node& node = input.code[i];
    if (node.row == nullptr)
      findings.add("unknown-opcode", i,
                   fmt::format("{} is not known: its operands are guessed and nothing is checked "
                               "of its result",
                               node.in->opcode));
    if (is_overlong(input, i))
      findings.add("overlong-stall", i,
                   fmt::format("a stall count of {} without a yield request does not hold the "
                               "warp for as many cycles",
                               node.in->control.stall));
  }
}

void check_reuse(const HazardInput& input, Findings& findings) {
  for (std::size_t i = 0; i < input.code.size(); ++i)
    for (const Operand& operand : input.code[i].in->operands)
      if (operand.reuse) check_reuse_of(input, i, operand, findings);
}

}  // namespace smsim::optimize
