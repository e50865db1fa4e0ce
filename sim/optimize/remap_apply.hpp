// SPDX-License-Identifier: MIT
// Remap, the result: a function with other register names and reuse flags.
#pragma once

#include <cstdint>
#include <vector>

#include "optimize/remap_reads.hpp"

namespace smsim::optimize {

/// Reuse flags of every instruction of a function, a bit a slot.
using Flags = std::vector<std::uint8_t>;

/// Only numbers and flags, for the simulator: the text stays. `original` is what `function` was
/// copied from.
void set_numbers(const Function& original, const Liveness& live, const Names& names,
                 const Flags& flags, Function& function);

/// The function with its text. False if an instruction could not be written, which the webs' pins
/// rule out.
bool rewrite(const Liveness& live, const Names& names, const Flags& flags, Function& function);

/// Whether both functions have the same values in the same places, whatever their names: the proof
/// that nothing was mixed up.
bool same_values(const Liveness& one, const Liveness& other);

}  // namespace smsim::optimize
