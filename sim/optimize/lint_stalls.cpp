// SPDX-License-Identifier: MIT
// Lint, the stall counts that cost time: those of a loop that is faster by the model with a smaller
// one.
#include <fmt/format.h>

#include "optimize/lint_checks.hpp"
#include "optimize/long_stalls.hpp"

namespace smsim::optimize {
namespace {

void check_loop(const HazardInput& input, Program& copy, const Loop& loop, Findings& findings) {
  LongStalls all(input, copy, loop);
  while (const auto one = all.next())
    findings.add("stall-too-long", one->index,
                 fmt::format("a stall count of {}, where {} is enough, costs a lone warp {:.0f} "
                             "cycle{} an iteration",
                             input.code[one->index].in->control.stall, one->enough, one->gain,
                             one->gain < 1.5 ? "" : "s"));
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
