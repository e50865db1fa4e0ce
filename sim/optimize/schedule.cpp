// SPDX-License-Identifier: MIT
// Scheduling: the smallest safe control codes of each function, with the simulator as judge.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "optimize/lint_choice.hpp"
#include "optimize/schedule_fit.hpp"
#include "smsim/lint.hpp"
#include "smsim/simulate.hpp"

namespace smsim {
namespace {

using namespace optimize;

/// Cycles per iteration of the innermost loops; of those that cannot be predicted 0.
std::vector<double> loop_cycles(const Program& program, const Function& function, const Arch& arch,
                                const std::vector<Loop>& loops, int warps) {
  Program one;
  one.source = program.source;
  one.format = program.format;
  one.functions = {function};
  std::vector<double> cycles;
  for (const Loop& loop : loops) {
    SimulateOptions options;
    options.loop = fmt::format("0x{:x}-0x{:x}", loop.start, loop.end);
    options.warps = std::min(warps, arch.max_warps);
    options.allow_unset_waits = true;
    const auto result = simulate(one, arch, options);
    cycles.push_back(result ? result->cycles_per_iteration : 0);
  }
  return cycles;
}

double total(const std::vector<double>& cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), 0.0);
}

int stall_sum(const Function& function) {
  return std::accumulate(function.instructions.begin(), function.instructions.end(), 0,
                         [](int sum, const Instruction& in) { return sum + in.control.stall; });
}

std::size_t errors_of(const HazardInput& input) {
  const auto all = find_hazards(input);
  return has_scoreboard(input) ? 0 : all.size();
}

/// A way to write the control codes, and what it gives.
struct Candidate {
  Function function;
  std::vector<double> cycles;

  /// Whether no loop is slower; of equals the one with the smaller stall counts.
  bool beats(const Candidate& other) const {
    for (std::size_t i = 0; i < cycles.size(); ++i)
      if (cycles[i] > other.cycles[i]) return false;
    if (total(cycles) < total(other.cycles)) return true;
    return stall_sum(function) < stall_sum(other.function);
  }
};

class FunctionScheduler {
 public:
  FunctionScheduler(const Program& program, const Function& given, const Arch& arch, int warps)
      : program_(program), given_(given), arch_(arch), warps_(warps) {
    for (const Loop& loop : find_loops(given))
      if (loop.innermost) loops_.push_back(loop);
  }

  Expected<Function> run(FunctionSchedule& report) {
    report.errors = errors_of(hazard_input(given_, arch_));
    Candidate best = judged(given_);
    const std::vector<double> before = best.cycles;
    if (report.errors > 0) {
      auto mended = mend();
      if (!mended) return tl::make_unexpected(mended.error());
      best = judged(std::move(*mended));
    }
    const bool fragment = is_fragment(hazard_input(given_, arch_));
    if (fragment)
      report.note = "what comes behind its end is not known, and has to leave results their time";
    improve(best, fragment);
    describe(before, best, report);
    return std::move(best.function);
  }

 private:
  Candidate judged(Function function) const {
    Candidate one{std::move(function), {}};
    one.cycles = loop_cycles(program_, one.function, arch_, loops_, warps_);
    return one;
  }

  Expected<Function> mend() const {
    Function copy = given_;
    const HazardInput input = hazard_input(copy, arch_);
    if (add_barriers(input, copy) && raise_stalls(input, copy)) return copy;
    return fail(ErrorKind::bad_input,
                fmt::format("the control codes of '{}' cannot be made safe", given_.name),
                {program_.source, given_.line, 0}, "`smsim lint` says where they are not");
  }

  /// With yields as given, and without those that nothing needs.
  void improve(Candidate& best, bool fragment) const {
    Function fitted = best.function;
    const HazardInput input = hazard_input(fitted, arch_);
    if (!fragment && !has_scoreboard(input)) remove_waits(input, fitted);
    if (!fit_stalls(input, fitted)) return;
    Function plain = fitted;
    drop_yields(hazard_input(plain, arch_), plain);
    const Candidate given = best;
    take_if_better(std::move(fitted), given, best);
    take_if_better(std::move(plain), given, best);
  }

  /// Loops that would get slower keep the control codes that they have.
  void take_if_better(Function function, const Candidate& given, Candidate& best) const {
    if (!is_safe(function)) return;
    Candidate one = judged(std::move(function));
    bool reverted = false;
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      if (one.cycles[i] <= given.cycles[i]) continue;
      for (std::size_t k = 0; k < one.function.instructions.size(); ++k) {
        Instruction& in = one.function.instructions[k];
        if (loops_[i].start <= in.address && in.address <= loops_[i].end)
          in.control = given.function.instructions[k].control;
      }
      reverted = true;
    }
    if (reverted) {
      if (!raise_stalls(hazard_input(one.function, arch_), one.function) || !is_safe(one.function))
        return;
      one = judged(std::move(one.function));
    }
    if (one.beats(best)) best = std::move(one);
  }

  bool is_safe(const Function& function) const {
    return find_hazards(hazard_input(function, arch_)).empty();
  }

  void describe(const std::vector<double>& before, const Candidate& best,
                FunctionSchedule& report) const {
    for (std::size_t i = 0; i < given_.instructions.size(); ++i) {
      const Instruction& old = given_.instructions[i];
      const Instruction& now = best.function.instructions[i];
      if (old.control == now.control) continue;
      report.changes.push_back(
          {{old.line, old.column, old.address, old.text}, old.control, now.control});
    }
    for (std::size_t i = 0; i < loops_.size(); ++i)
      if (before[i] > 0 && best.cycles[i] > 0)
        report.loops.push_back({loops_[i], before[i], best.cycles[i]});
  }

  const Program& program_;
  const Function& given_;
  const Arch& arch_;
  int warps_;
  std::vector<Loop> loops_;
};

}  // namespace

Expected<Schedule> schedule(const Program& program, const ScheduleOptions& options) {
  const auto functions = chosen_functions(program, options.function);
  if (!functions) return tl::make_unexpected(functions.error());
  ArchChoice archs(program, options.arch);
  Schedule out;
  out.program = program;
  out.program.functions.clear();
  for (const Function* function : *functions) {
    if (!function->has_control_words) continue;
    const auto arch = archs.of(*function);
    if (!arch) return tl::make_unexpected(arch.error());
    FunctionSchedule report;
    report.function = function->name;
    report.arch = (*arch)->name;
    report.instructions = function->instructions.size();
    auto done = FunctionScheduler(program, *function, **arch, options.warps).run(report);
    if (!done) return tl::make_unexpected(done.error());
    out.program.functions.push_back(std::move(*done));
    out.functions.push_back(std::move(report));
  }
  if (out.functions.empty()) return tl::make_unexpected(no_control_words(program));
  return out;
}

}  // namespace smsim
