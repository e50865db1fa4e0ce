// SPDX-License-Identifier: MIT
// Replay: a trace's warps, each with its own sequence of instructions, to the form that the cycle
// loop runs.
#pragma once

#include <string>
#include <vector>

#include "block/compile.hpp"
#include "program/path.hpp"
#include "smsim/arch.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

struct Replay {
  Compiled compiled;               ///< path_step counts in `path`; notes say what is replayed
  Path path;                       ///< each instruction that occurs, once, by address
  std::vector<std::size_t> first;  ///< by step of `path`: where the code has it first
};

/// The first options.warps warps of the trace; warp w runs on processing block w mod blocks. Warps
/// that do the same share their code; of sequences that are too long together, each is cut off.
/// Errors: those of compile(); usage, where the trace has fewer warps.
Expected<Replay> compile_replay(const Program& program, const Function& function, const Arch& arch,
                                const SimulateOptions& options);

}  // namespace smsim
