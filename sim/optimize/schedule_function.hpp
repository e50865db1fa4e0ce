// SPDX-License-Identifier: MIT
// Scheduling of one function: candidates for its control codes, with the simulator as judge.
#pragma once

#include "smsim/arch.hpp"
#include "smsim/lint.hpp"
#include "smsim/program.hpp"

namespace smsim::optimize {

/// The function with its smallest safe control codes, and what changed in `report`. Of a loop (or
/// for nullptr everywhere) only. Errors: bad_input, if codes cannot be made safe.
Expected<Function> schedule_function(const Program& program, const Function& given,
                                     const Arch& arch, int warps, const Loop* only,
                                     FunctionSchedule& report);

}  // namespace smsim::optimize
