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

}  // namespace smsim::optimize
