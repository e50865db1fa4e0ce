// SPDX-License-Identifier: MIT
// Compile, the last pass: a loop's last iteration and what its warps go on with.
#pragma once

#include "block/prepare.hpp"
#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// Adds it to the compiled loop of `prepared`: the iteration once more, its branch back not taken,
/// and behind it the instructions of `behind`, which end in an exit. Errors: those of compile().
Expected<void> add_last_pass(const Prepared& prepared, const Function& behind, const Arch& arch,
                             const SimulateOptions& options, CompiledLoop& loop);

}  // namespace smsim
