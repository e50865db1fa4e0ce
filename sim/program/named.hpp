// SPDX-License-Identifier: MIT
// Which functions of a program a name stands for: the rule of every --function.
#pragma once

#include <string>
#include <vector>

#include "smsim/program.hpp"

namespace smsim::program {

/// Those of that exact name, else those that the glob matches; all for an empty pattern.
std::vector<const Function*> functions_named(const Program& program, const std::string& pattern);

/// The one that is taken where nobody says more: the first with a loop, or the first. `functions`
/// must not be empty.
const Function& default_of(const std::vector<const Function*>& functions);

/// What to say where that is nobody. A usage error, with the name that was probably meant.
tl::unexpected<Diagnostics> no_function_named(const Program& program, const std::string& pattern);

}  // namespace smsim::program
