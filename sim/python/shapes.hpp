// SPDX-License-Identifier: MIT
// Shapes: what a prediction finds out of the code alone (the way through a loop, the lanes'
// addresses), kept for the next one of the same code with other control words or numbers.
#pragma once

#include "smsim/arch.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace smsim::python {

/// simulate(), which looks at code that it has seen before only once. Code is the same if its
/// instructions are, as text and by address: that is all that a shape depends on, so edited control
/// words count and edited registers make another shape. May be called from several threads.
Expected<Result> simulate_shared(const Program& program, const Arch& arch,
                                 const SimulateOptions& options);

}  // namespace smsim::python
