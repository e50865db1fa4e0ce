// SPDX-License-Identifier: MIT
// What a loop costs by the simulator, with a function's control codes as they are.
#pragma once

#include <vector>

#include "smsim/arch.hpp"
#include "smsim/program.hpp"

namespace smsim::optimize {

/// Cycles per iteration of a loop of the program's only function; 0 if it cannot be predicted.
double loop_cycles(const Program& program, const Arch& arch, const Loop& loop, int warps);

/// The same of several loops of a function.
std::vector<double> loop_cycles(const Function& function, const Arch& arch,
                                const std::vector<Loop>& loops, int warps);

/// A stall count is too long if a lone warp on each block takes so many cycles less without.
inline constexpr double kLeastGain = 0.99;

/// Stall counts of a loop that are tried one by one; a loop with more has others worth a look.
inline constexpr int kMostTried = 60;

}  // namespace smsim::optimize
