// SPDX-License-Identifier: MIT
// The steps of scheduling one function: barriers that are missing, waits that nobody needs, stall
// counts that are as small as they may be.
#pragma once

#include <cstddef>
#include <set>
#include <tuple>
#include <vector>

#include "optimize/hazards.hpp"
#include "smsim/program.hpp"

namespace smsim::optimize {

/// Where control words may change, and what is unsafe outside and stays so.
struct Scope {
  std::vector<bool> inside;  ///< by instruction
  std::set<std::tuple<HazardKind, std::size_t, std::size_t>> left;

  /// Without those that are left.
  std::vector<Hazard> open(std::vector<Hazard> hazards) const;
};

/// The instructions of a range of addresses, or all for nullptr.
Scope scope_of(const HazardInput& input, const Loop* loop);

/// Whether execution may leave by falling off the end: what is read behind it is not known.
bool is_fragment(const HazardInput& input);

/// Which stall counts are only there for what comes later, so that they may be lowered.
std::vector<bool> may_be_lowered(const HazardInput& input);

/// The smallest stall count that this instruction could have, with all others as they are; of a
/// function without early readers.
int smallest_stall(const HazardInput& input, Function& function, std::size_t index);

/// Sets barriers and waits where one is missing. False if some cannot be mended.
bool add_barriers(const HazardInput& input, const Scope& scope, Function& function);

/// Takes out waits that protect nothing, and barriers that nobody waits for.
void remove_waits(const HazardInput& input, const Scope& scope, Function& function);

/// Gives the slower of two operations that raise one barrier another one, where somebody waits for
/// the faster one alone. False if there is nothing more of that kind.
bool part_barriers(const HazardInput& input, const Scope& scope, Function& function);

/// Lowers every stall count as far as it goes, then raises them in front of readers until nothing
/// is early. False if no stall count can be long enough.
bool fit_stalls(const HazardInput& input, const Scope& scope, Function& function);

/// Raises stall counts until nothing is early, from what they are.
bool raise_stalls(const HazardInput& input, const Scope& scope, Function& function);

/// Stall counts that the hardware does not take as they are written: shorter, or with a yield.
void clear_overlong(const HazardInput& input, const Scope& scope, Function& function);

/// Gives up yield requests that no stall count needs.
void drop_yields(const HazardInput& input, const Scope& scope, Function& function);

/// Writes a stall count as the notation of the architecture has it.
void set_stall(ControlWord& control, int stall);

}  // namespace smsim::optimize
