// SPDX-License-Identifier: MIT
// Lint, the stall counts that cost time: those of a loop that is faster by the model with a smaller
// one.
#include <fmt/format.h>

#include <algorithm>

#include "optimize/lint_checks.hpp"
#include "optimize/schedule_fit.hpp"
#include "smsim/simulate.hpp"

namespace smsim::optimize {
namespace {

/// One warp on each processing block, as others would hide what a stall count costs.
double loop_cycles(const Program& program, const Arch& arch, const Loop& loop) {
  SimulateOptions options;
  options.loop = fmt::format("0x{:x}-0x{:x}", loop.start, loop.end);
  options.warps = arch.processing_blocks;
  options.allow_unset_waits = true;
  const auto result = simulate(program, arch, options);
  return result ? result->cycles_per_iteration : 0;
}

/// Stall counts of a loop that are tried one by one; a loop with more has others worth a look.
constexpr int kMostTried = 60;

void check_loop(const HazardInput& input, Program& copy, const Loop& loop, Findings& findings) {
  constexpr double kWorthSaying = 0.99;
  const double given = loop_cycles(copy, input.arch, loop);
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
    const double gain = given - loop_cycles(copy, input.arch, loop);
    in.control = kept;
    if (gain < kWorthSaying) continue;
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
