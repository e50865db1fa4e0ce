// SPDX-License-Identifier: MIT
// Dependency mode: control words for code that came without, as a compiler would write them.
#pragma once

#include "smsim/arch.hpp"
#include "smsim/program.hpp"

namespace smsim {

/// Gives every instruction a stall count and barriers by which no result is used too early on
/// `arch`: fixed latencies by stall counts in front of the first user, variable ones by the six
/// dependency barriers, which results with the same first user share. Where registers are waited
/// for by the hardware (Kepler), only stall counts. What control words there were is lost, but for
/// reuse flags, which the text of an operand has.
void assign_control_words(Function& function, const Arch& arch);

}  // namespace smsim
