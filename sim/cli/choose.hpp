// SPDX-License-Identifier: MIT
// Which function of a file is simulated on which config, when a file has several of both.
#pragma once

#include <string>
#include <vector>

#include "smsim/arch.hpp"
#include "smsim/program.hpp"

namespace smsim::cli {

struct Choice {
  Arch arch;
  std::string function;            ///< exact name
  std::vector<Loop> loops;         ///< its loops
  std::vector<std::string> notes;  ///< what was decided without being asked
};

/// Picks a function (exact name, glob, or by default the first with a loop) and the config (`arch`,
/// or the one of the function's own sm_NN), and takes the functions of other architectures out of
/// the program. Errors: usage (no such function, no architecture named), and what load_arch says.
Expected<Choice> choose(Program& program, const std::string& arch, const std::string& function,
                        const Overrides& overrides);

/// Warns of functions, of those that `function` means, that are code for another architecture than
/// the one that `arch` names.
void warn_of_other_code(const Program& program, const std::string& arch,
                        const std::string& function);

}  // namespace smsim::cli
