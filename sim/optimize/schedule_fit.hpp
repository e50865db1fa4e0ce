// SPDX-License-Identifier: MIT
// The steps of scheduling one function: barriers that are missing, waits that nobody needs, stall
// counts that are as small as they may be.
#pragma once

#include <cstddef>
#include <vector>

#include "optimize/hazards.hpp"
#include "smsim/program.hpp"

namespace smsim::optimize {

/// Whether execution may leave by falling off the end: what is read behind it is not known.
bool is_fragment(const HazardInput& input);

/// Which stall counts are only there for what comes later, so that they may be lowered.
std::vector<bool> may_be_lowered(const HazardInput& input);

/// The smallest stall count that this instruction could have, with all others as they are; of a
/// function without early readers.
int smallest_stall(const HazardInput& input, Function& function, std::size_t index);

/// Sets barriers and waits where one is missing. False if some cannot be mended.
bool add_barriers(const HazardInput& input, Function& function);

/// Takes out waits that protect nothing, and barriers that nobody waits for.
void remove_waits(const HazardInput& input, Function& function);

/// Lowers every stall count as far as it goes, then raises them in front of readers until nothing
/// is early. False if no stall count can be long enough.
bool fit_stalls(const HazardInput& input, Function& function);

/// Raises stall counts until nothing is early, from what they are.
bool raise_stalls(const HazardInput& input, Function& function);

/// Gives up yield requests that no stall count needs.
void drop_yields(const HazardInput& input, Function& function);

}  // namespace smsim::optimize
