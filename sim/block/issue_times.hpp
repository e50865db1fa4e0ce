// SPDX-License-Identifier: MIT
// Issue times: when each instruction of the last iteration issues, on every warp, in a run of a
// fixed number of iterations.
#pragma once

#include <cstdint>
#include <vector>

#include "core/cycle.hpp"
#include "smsim/arch.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// One warp's last iteration, in the order of execution; SM cycles from the start of the run.
struct WarpIssueTimes {
  int block = 0;
  int warp = 0;  ///< of the block
  std::vector<Cycle> issue;
  /// When the instruction reads the clock, if it is one that does: in the first of the read
  /// pipeline's stages in which registers are read, so a standstill of the pipeline delays it.
  /// Source: H200, suite stamps: with the third stage behind issue 114 loops of two warps a block
  /// are exact, with the second 99, with the fourth 104, with the issue itself 94; and with one
  /// warp 140, 140, 139 and 138 of 140.
  std::vector<Cycle> clock_read;
};

struct IssueTimes {
  std::vector<std::size_t> instructions;  ///< indices into Function::instructions, as executed
  const Function* function = nullptr;     ///< of the program
  std::vector<WarpIssueTimes> warps;      ///< by block, then by warp
};

/// Runs every warp for so many iterations (once if the code is no loop), from the start that
/// `simulate` uses, too. `behind`: the code that each warp goes on with behind a loop, where it is
/// known; the times do not tell of it, but other warps meet it. Errors: those of `simulate`.
Expected<IssueTimes> issue_times(const Program& program, const Arch& arch,
                                 const SimulateOptions& options, std::uint64_t iterations,
                                 const Function* behind = nullptr);

}  // namespace smsim
