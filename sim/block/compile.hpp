// SPDX-License-Identifier: MIT
// Compile: one iteration's instructions and an architecture to the dense form that the cycle loop
// runs.
#pragma once

#include <string>
#include <vector>

#include "isa/static_inst.hpp"
#include "program/path.hpp"
#include "smsim/arch.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// The compiled iteration and what had to be assumed for it.
struct Compiled {
  CompiledLoop loop;
  std::vector<std::string> assumptions;
  bool incomplete = false;  ///< an unknown opcode runs on SimulateOptions::unknown_pipe
};

/// Errors: bad_input for an opcode that is not in the table, a wait on a dependency barrier that
/// nothing in the function sets (unless allowed); usage for an unknown pipe name.
Expected<Compiled> compile(const Program& program, const Function& function, const Path& path,
                           const Arch& arch, const SimulateOptions& options);

}  // namespace smsim
