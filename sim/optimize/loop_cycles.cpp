// SPDX-License-Identifier: MIT
// What a loop costs by the simulator, with a function's control codes as they are.
#include "optimize/loop_cycles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "smsim/simulate.hpp"

namespace smsim::optimize {

double loop_cycles(const Program& program, const Arch& arch, const Loop& loop, int warps) {
  SimulateOptions options;
  options.loop = fmt::format("0x{:x}-0x{:x}", loop.start, loop.end);
  options.warps = std::min(warps, arch.max_warps);
  options.allow_unset_waits = true;
  const auto result = simulate(program, arch, options);
  return result ? result->cycles_per_iteration : 0;
}

std::vector<double> loop_cycles(const Function& function, const Arch& arch,
                                const std::vector<Loop>& loops, int warps) {
  Program one;
  one.functions = {function};
  std::vector<double> cycles;
  for (const Loop& loop : loops) cycles.push_back(loop_cycles(one, arch, loop, warps));
  return cycles;
}

}  // namespace smsim::optimize
