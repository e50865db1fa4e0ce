// SPDX-License-Identifier: MIT
// Dependences of a recorded iteration: which step needs what from which earlier one.
#pragma once

#include "program/path.hpp"
#include "smsim/record.hpp"

namespace smsim {

/// Fills `steps` and `dependences`: for each step the last writer of every register and predicate
/// that it reads, and the setters of every barrier that it waits for. In a loop a writer may belong
/// to the iteration before.
void add_steps(const Function& function, const Path& path, Recording& out);

}  // namespace smsim
