// SPDX-License-Identifier: MIT
// Lint, the stall counts that cost time: those of a loop that is faster by the model with a smaller
// one.
#include <fmt/format.h>

#include <algorithm>

#include "optimize/lint_checks.hpp"
#include "optimize/loop_cycles.hpp"
#include "optimize/schedule_fit.hpp"

namespace smsim::optimize {
namespace {

void check_loop(const HazardInput& input, Program& copy, const Loop& loop, Findings& findings) {
  // One warp on each processing block, as others would hide what a stall count costs.
  const int warps = input.arch.processing_blocks;
  const double given = loop_cycles(copy, input.arch, loop, warps);
  if (given <= 0) return;
  const std::vector<bool> may = may_be_lowered(input);
  Function& function = copy.functions.front();
  int left = kMostTried;
  for (std::size_t i = 0; i < input.code.size(); ++i) {
    Instruction& in = function.instructions[i];
    if (!may[i] || in.address < loop.start || in.address > loop.end) continue;
    const int enough = smallest_stall(input, function, i);
    if (enough >= in.control.stall) continue;
    if (--left < 0) return;
    const ControlWord kept = in.control;
    in.control.stall = static_cast<std::uint8_t>(enough);
    const double gain = given - loop_cycles(copy, input.arch, loop, warps);
    in.control = kept;
    if (gain < kLeastGain) continue;
    findings.add("stall-too-long", i,
                 fmt::format("a stall count of {}, where {} is enough, costs a lone warp {:.0f} "
                             "cycle{} an iteration",
                             kept.stall, enough, gain, gain < 1.5 ? "" : "s"));
  }
}

}  // namespace

void check_long_stalls(const Function& function, const Arch& arch, Findings& findings) {
  Program copy;
  copy.functions = {function};
  const HazardInput input = hazard_input(copy.functions.front(), arch);
  if (!find_stall_hazards(input).empty()) return;
  for (const Loop& loop : find_loops(function))
    if (loop.innermost) check_loop(input, copy, loop, findings);
}

}  // namespace smsim::optimize
