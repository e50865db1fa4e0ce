// SPDX-License-Identifier: MIT
// Remap, the zeros: runs of instructions that set pairs of registers to zero, whose halves are all
// alike and so need not stay together.
#pragma once

#include "optimize/liveness.hpp"
#include "smsim/arch.hpp"

namespace smsim::optimize {

/// Fills `zero_runs` and `run_of`: CS2R Rn, SRZ in straight code, with nothing in between that
/// touches what they set. Compilers begin the accumulators of matrix multiplies so; taken as pairs,
/// none could change its bank.
void find_zero_runs(const Function& function, const Arch& arch, Liveness& live);

}  // namespace smsim::optimize
