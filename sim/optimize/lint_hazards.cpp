// SPDX-License-Identifier: MIT
// Lint, the unsafe part: hazards in words.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "optimize/lint_checks.hpp"

namespace smsim::optimize {
namespace {

std::string cycles(int n) { return fmt::format("{} cycle{}", n, n == 1 ? "" : "s"); }

std::string_view base_name(const Instruction& in) {
  return in.opcode.substr(0, in.opcode.find("."));
}

/// What would mend a wait that is missing.
std::string missing_wait(const HazardInput& input, const Hazard& hazard, bool read) {
  const ControlWord& control = input.code[hazard.from].in->control;
  if (read && control.read_barrier < kNoBarrier)
    return fmt::format("wait for its read barrier {}", control.read_barrier);
  if (!read && control.write_barrier < kNoBarrier)
    return fmt::format("wait for its write barrier {}", control.write_barrier);
  if (read && control.write_barrier < kNoBarrier)
    return fmt::format("give it a read barrier, or wait for its write barrier {}",
                       control.write_barrier);
  return fmt::format("give it a {} barrier and wait for that", read ? "read" : "write");
}

/// What would make the way longer.
std::string longer_way(const HazardInput& input, const Hazard& hazard) {
  const ControlWord& control = input.code[hazard.before].in->control;
  if (control.stall > held_cycles(input, hazard.before))
    return fmt::format("let {} ask to yield: without that its stall count of {} does not hold",
                       say(input, hazard.before), control.stall);
  return fmt::format("raise the stall count of {} by {}", say(input, hazard.before),
                     hazard.needed - hazard.cycles);
}

std::string early_read(const HazardInput& input, const Hazard& hazard) {
  return fmt::format("{} reads {} {} after {} writes it{}, and it takes {} ({}): {}",
                     base_name(*input.code[hazard.to].in), to_string(hazard.place),
                     cycles(hazard.cycles), say(input, hazard.from),
                     hazard.taken ? ", by way of a taken branch" : "", hazard.needed, hazard.source,
                     longer_way(input, hazard));
}

std::string message_of(const HazardInput& input, const Hazard& hazard) {
  const std::string_view to = base_name(*input.code[hazard.to].in);
  const std::string place = to_string(hazard.place);
  const std::string from = say(input, hazard.from);
  switch (hazard.kind) {
    case HazardKind::early_read:
      return early_read(input, hazard);
    case HazardKind::early_overwrite:
      return fmt::format(
          "{} writes {} {} after {}, whose result may come later; {} would be safe ({})", to, place,
          cycles(hazard.cycles), from, hazard.needed, hazard.source);
    case HazardKind::early_write:
      return fmt::format("{} writes {} {} after {} reads it; {} would be safe ({})", to, place,
                         cycles(hazard.cycles), from, hazard.needed, hazard.source);
    case HazardKind::early_behind:
      return fmt::format("{} comes {} behind {}, which holds it only from {} on ({}): {}", to,
                         cycles(hazard.cycles), from, hazard.needed, hazard.source,
                         longer_way(input, hazard));
    case HazardKind::result_not_waited:
      return fmt::format("{} reads {}, which {} may not have written yet: {}", to, place, from,
                         missing_wait(input, hazard, false));
    case HazardKind::result_overwritten:
      return fmt::format("{} writes {}, and {} may do so later: {}", to, place, from,
                         missing_wait(input, hazard, false));
    case HazardKind::source_overwritten:
      return fmt::format("{} writes {}, which {} may not have read yet: {}", to, place, from,
                         missing_wait(input, hazard, true));
    case HazardKind::wait_too_soon:
      return fmt::format(
          "{} waits for a barrier that {} raises {} before, and a rise is seen after {}: give that "
          "one a stall count of {} or ask it to yield",
          to, from, cycles(hazard.cycles), hazard.needed, hazard.needed);
  }
  return {};
}

std::string_view rule_of(const HazardInput& input, HazardKind kind) {
  switch (kind) {
    case HazardKind::early_read:
      return has_scoreboard(input) ? "hardware-waits" : "early-read";
    case HazardKind::early_overwrite:
    case HazardKind::early_write:
      return has_scoreboard(input) ? "hardware-waits" : "early-overwrite";
    case HazardKind::early_behind:
      return "early-behind-barrier";
    case HazardKind::result_not_waited:
      return "result-not-waited";
    case HazardKind::result_overwritten:
      return "result-overwritten";
    case HazardKind::source_overwritten:
      return "source-overwritten";
    case HazardKind::wait_too_soon:
      return "wait-too-soon";
  }
  return {};
}

}  // namespace

std::string say(const HazardInput& input, std::size_t index) {
  const Instruction& in = *input.code[index].in;
  if (in.line == 0) return fmt::format("{} at 0x{:04x}", base_name(in), in.address);
  return fmt::format("{} of line {}", base_name(in), in.line);
}

/// Of the registers of one operand the first is named; the worst of several readings.
void check_hazards(const HazardInput& input, Findings& findings) {
  std::map<std::tuple<HazardKind, std::size_t, std::size_t>, Hazard> worst;
  for (const Hazard& hazard : find_hazards(input)) {
    const auto [at, fresh] = worst.emplace(std::tuple(hazard.kind, hazard.from, hazard.to), hazard);
    const auto missing = [](const Hazard& one) { return one.needed - one.cycles; };
    if (!fresh && missing(hazard) > missing(at->second)) at->second = hazard;
  }
  for (const auto& [key, hazard] : worst)
    findings.add(rule_of(input, hazard.kind), hazard.to, message_of(input, hazard), hazard.from);
}

}  // namespace smsim::optimize
