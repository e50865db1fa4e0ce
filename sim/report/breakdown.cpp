// SPDX-License-Identifier: MIT
// What the outputs have in common: slots sorted by reason, slots per iteration, the control word's
// notation.
#include "report/breakdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "isa/bundle_control.hpp"

namespace smsim::report {
namespace {

char barrier_digit(int barrier) {
  return barrier == kNoBarrier ? '-' : static_cast<char>('0' + barrier);
}

/// Kepler has an issue delay, or pairs with the next instruction; two bits more are rare.
std::string kepler_notation(const ControlWord& control) {
  const std::string when =
      control.dual_issue() ? std::string("dual") : fmt::format("S{:02}", control.stall);
  const bool texture = (control.code & isa::kKeplerTextureWait) != 0;
  const bool global = (control.code & isa::kKeplerGlobalWait) != 0;
  return fmt::format("{}{}{}", texture ? "T:" : "", global ? "G:" : "", when);
}

}  // namespace

std::vector<ReasonCount> sorted_reasons(const Slots& slots) {
  std::vector<ReasonCount> result;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] != 0) result.push_back({static_cast<StallReason>(i), slots[i]});
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const ReasonCount& a, const ReasonCount& b) { return a.slots > b.slots; });
  return result;
}

std::vector<ReasonCount> lost_reasons(const Result& result, const InstructionRow& row) {
  constexpr double kLeast = 0.005;
  std::vector<ReasonCount> reasons = sorted_reasons(row.slots);
  std::erase_if(reasons, [&](const ReasonCount& entry) {
    return entry.reason == StallReason::selected || per_iteration(result, entry.slots) < kLeast;
  });
  return reasons;
}

std::uint64_t lost_slots(const Slots& slots) {
  const std::uint64_t all = std::accumulate(slots.begin(), slots.end(), std::uint64_t{0});
  return all - slots[static_cast<std::size_t>(StallReason::selected)];
}

int busy_blocks(const Result& result) {
  return std::max(1, std::min(result.warps, result.processing_blocks));
}

double per_iteration(const Result& result, std::uint64_t slots) {
  const double iterations =
      result.window_iterations == 0 ? 1.0 : static_cast<double>(result.window_iterations);
  return static_cast<double>(slots) / (iterations * busy_blocks(result));
}

std::string_view leaf_name(StallReason reason) {
  const std::string_view name = name_of(reason);
  return name.substr(name.rfind('/') + 1);
}

std::string control_notation(const ControlWord& control) {
  if (control.format == ControlFormat::kepler) return kepler_notation(control);
  std::string waits(6, '-');
  for (std::size_t b = 0; b < waits.size(); ++b) {
    if ((control.wait_mask >> b & 1U) != 0) waits[b] = static_cast<char>('0' + b);
  }
  return fmt::format("B{}:R{}:W{}:{}:S{:02}", waits, barrier_digit(control.read_barrier),
                     barrier_digit(control.write_barrier), control.yield ? 'Y' : '-',
                     control.stall);
}

}  // namespace smsim::report
