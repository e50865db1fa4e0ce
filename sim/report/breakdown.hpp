// SPDX-License-Identifier: MIT
// What the outputs have in common: slots sorted by reason, slots per iteration, the control word's
// notation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "smsim/simulate.hpp"

namespace smsim::report {

struct ReasonCount {
  StallReason reason = StallReason::misc;
  std::uint64_t slots = 0;
};

/// The reasons with slots, most first; equal ones in the order of the enumeration.
std::vector<ReasonCount> sorted_reasons(const Slots& slots);

/// The reasons for which slots were lost before an instruction, most first, without those that are
/// too few to be told: 0 at two decimals per iteration.
std::vector<ReasonCount> lost_reasons(const Result& result, const InstructionRow& row);

/// All slots but those that issued something.
std::uint64_t lost_slots(const Slots& slots);

/// How many processing blocks have a warp.
int busy_blocks(const Result& result);

/// Slots of the window as slots of one processing block and iteration (mean over blocks with
/// warps), so that what is issued and what is lost add up to the cycles of an iteration.
double per_iteration(const Result& result, std::uint64_t slots);

/// The part of a reason behind the slash, which is unique: bank_conflict.
std::string_view leaf_name(StallReason reason);

/// The control word as the field writes it: B--2---:R0:W-:Y:S04.
std::string control_notation(const ControlWord& control);

}  // namespace smsim::report
