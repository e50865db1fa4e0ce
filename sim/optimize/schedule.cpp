// SPDX-License-Identifier: MIT
// Scheduling: the smallest safe control codes of each function that is asked for.
#include <optional>

#include "block/prepare.hpp"
#include "core/parallel.hpp"
#include "optimize/lint_choice.hpp"
#include "optimize/schedule_function.hpp"
#include "smsim/lint.hpp"

namespace smsim {
namespace {

/// A function to schedule, and what comes of it.
struct Task {
  const Function* function;
  const Arch* arch;
  std::optional<Loop> loop;
  FunctionSchedule report;
  Expected<Function> done;
};

}  // namespace

Expected<Schedule> schedule(const Program& program, const ScheduleOptions& options) {
  const auto functions = optimize::chosen_functions(program, options.function, options.loop);
  if (!functions) return tl::make_unexpected(functions.error());
  optimize::ArchChoice archs(program, options.arch);
  Schedule out;
  out.program = program;
  out.program.functions.clear();
  std::vector<Task> tasks;
  for (const Function* function : *functions) {
    if (!function->has_control_words) continue;
    const auto arch = archs.of(*function);
    if (!arch) return tl::make_unexpected(arch.error());
    if (auto misfit = check_warps(**arch, options.warps))
      return tl::make_unexpected(std::move(*misfit));
    const auto loop = optimize::chosen_loop(*function, options.loop);
    if (!loop) return tl::make_unexpected(loop.error());
    Task& task = tasks.emplace_back(Task{function, *arch, *loop, {}, {}});
    task.report.function = function->name;
    task.report.arch = (*arch)->name;
    task.report.instructions = function->instructions.size();
  }
  in_parallel(tasks.size(), 0, [&](std::size_t i) {
    Task& task = tasks[i];
    task.done = optimize::schedule_function(program, *task.function, *task.arch, options.warps,
                                            task.loop ? &*task.loop : nullptr, task.report);
  });
  for (Task& task : tasks) {
    if (!task.done) return tl::make_unexpected(std::move(task.done.error()));
    out.program.functions.push_back(std::move(*task.done));
    out.functions.push_back(std::move(task.report));
  }
  if (out.functions.empty()) return tl::make_unexpected(optimize::no_control_words(program));
  return out;
}

}  // namespace smsim
