// SPDX-License-Identifier: MIT
// Scheduling: the smallest safe control codes of each function that is asked for.
#include "optimize/lint_choice.hpp"
#include "optimize/schedule_function.hpp"
#include "smsim/lint.hpp"

namespace smsim {

Expected<Schedule> schedule(const Program& program, const ScheduleOptions& options) {
  const auto functions = optimize::chosen_functions(program, options.function, options.loop);
  if (!functions) return tl::make_unexpected(functions.error());
  optimize::ArchChoice archs(program, options.arch);
  Schedule out;
  out.program = program;
  out.program.functions.clear();
  for (const Function* function : *functions) {
    if (!function->has_control_words) continue;
    const auto arch = archs.of(*function);
    if (!arch) return tl::make_unexpected(arch.error());
    const auto loop = optimize::chosen_loop(*function, options.loop);
    if (!loop) return tl::make_unexpected(loop.error());
    FunctionSchedule report;
    report.function = function->name;
    report.arch = (*arch)->name;
    report.instructions = function->instructions.size();
    auto done = optimize::schedule_function(program, *function, **arch, options.warps,
                                            *loop ? &**loop : nullptr, report);
    if (!done) return tl::make_unexpected(done.error());
    out.program.functions.push_back(std::move(*done));
    out.functions.push_back(std::move(report));
  }
  if (out.functions.empty()) return tl::make_unexpected(optimize::no_control_words(program));
  return out;
}

}  // namespace smsim
