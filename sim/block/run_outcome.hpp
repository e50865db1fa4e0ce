// SPDX-License-Identifier: MIT
// What running a compiled loop gives: the steady state, the window it was read from, and the counts
// in it.
#pragma once

#include <cstdint>

#include "block/counts.hpp"
#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

struct RunOutcome : Counts {  ///< in the window
  SteadyState steady;
  double cycles_per_iteration = 0;
  Cycle window_begin = 0;
  Cycle window_end = 0;
  std::uint64_t window_iterations = 0;  ///< of each warp; of the slowest when they differ
  int blocks_with_warps = 0;
  bool uneven = false;                  ///< warps advance at different rates
  std::int64_t stuck_instruction = -1;  ///< a warp waits there for ever
};

struct RunOptions {
  int warps = 4;
  int max_iterations = 4000;
  bool skip_ahead = true;  ///< jump over cycles in which nothing can change
};

/// Runs the loop until its machine state repeats, or gives up after `max_iterations` and averages.
/// One pass when the code is no loop.
RunOutcome run_loop(const CompiledLoop& loop, const Arch& arch, const RunOptions& options);

}  // namespace smsim
