// SPDX-License-Identifier: MIT
// Scheduling of one function: candidates for its control codes, with the simulator as judge.
#include "optimize/schedule_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "isa/opcode.hpp"
#include "optimize/long_stalls.hpp"
#include "optimize/loop_cycles.hpp"
#include "optimize/schedule_fit.hpp"

namespace smsim::optimize {
namespace {

double total(const std::vector<double>& cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), 0.0);
}

int stall_sum(const Function& function) {
  return std::accumulate(function.instructions.begin(), function.instructions.end(), 0,
                         [](int sum, const Instruction& in) { return sum + in.control.stall; });
}

/// A way to write the control codes, and what it gives.
struct Candidate {
  Function function;
  std::vector<double> cycles;

  bool is_slower(const Candidate& other) const {
    for (std::size_t i = 0; i < cycles.size(); ++i)
      if (cycles[i] > other.cycles[i]) return true;
    return false;
  }

  /// Whether no loop is slower; of equals the one with the smaller stall counts.
  bool beats(const Candidate& other) const {
    if (is_slower(other)) return false;
    if (total(cycles) < total(other.cycles)) return true;
    return stall_sum(function) < stall_sum(other.function);
  }
};

bool lies_in(const Loop& loop, const Loop* outer) {
  return outer == nullptr || (outer->start <= loop.start && loop.end <= outer->end);
}

bool is_call(const Instruction& in) {
  const isa::OpcodeRow* row = isa::find_opcode(in.opcode);
  return row != nullptr && row->op_class == isa::OpClass::call;
}

class FunctionScheduler {
 public:
  FunctionScheduler(const Program& program, const Function& given, const Arch& arch, int warps,
                    const Loop* only)
      : program_(program),
        given_(given),
        arch_(arch),
        warps_(warps),
        scope_(scope_of(hazard_input(given, arch), only)),
        calls_(std::any_of(given.instructions.begin(), given.instructions.end(), is_call)) {
    for (const Loop& loop : find_loops(given))
      if (loop.innermost && lies_in(loop, only)) loops_.push_back(loop);
  }

  Expected<Function> run(FunctionSchedule& report) {
    const HazardInput input = hazard_input(given_, arch_);
    report.errors = has_scoreboard(input) ? 0 : scope_.open(find_hazards(input)).size();
    Candidate best = judged(given_);
    const std::vector<double> before = best.cycles;
    if (report.errors > 0) {
      auto mended = mend();
      if (!mended) return tl::make_unexpected(mended.error());
      best = judged(std::move(*mended));
    }
    improve(best, is_fragment(input));
    report.note = note(input);
    describe(before, best, report);
    return std::move(best.function);
  }

 private:
  Candidate judged(Function function) const {
    Candidate one{std::move(function), {}};
    one.cycles = cycles_of(one.function);
    return one;
  }

  std::vector<double> cycles_of(const Function& function) const {
    std::vector<double> cycles;
    for (const Loop& loop : loops_) cycles.push_back(cycles_of(function, loop, warps_));
    return cycles;
  }

  /// Candidates differ in few loops, and the same codes take the same time.
  double cycles_of(const Function& function, const Loop& loop, int warps) const {
    std::string codes = fmt::format("{}:{}:", loop.start, warps);
    for (const Instruction& in : function.instructions) {
      const bool inside = loop.start <= in.address && in.address <= loop.end;
      if (!inside && !calls_) continue;
      const ControlWord& c = in.control;
      for (const int field : {int{c.stall}, int{c.yield}, int{c.write_barrier}, int{c.read_barrier},
                              int{c.wait_mask}, int{c.reuse}})
        codes += static_cast<char>(field);
    }
    const auto [at, fresh] = known_.try_emplace(std::move(codes), 0);
    if (fresh) at->second = loop_cycles(function, arch_, {loop}, warps).front();
    return at->second;
  }

  Expected<Function> mend() const {
    Function copy = given_;
    const HazardInput input = hazard_input(copy, arch_);
    if (add_barriers(input, scope_, copy) && raise_stalls(input, scope_, copy)) return copy;
    return fail(ErrorKind::bad_input,
                fmt::format("the control codes of '{}' cannot be made safe", given_.name),
                {program_.source, given_.line, 0}, "`smsim lint` says where they are not");
  }

  /// With yields as given, and without those that nothing needs.
  void improve(Candidate& best, bool fragment) const {
    shorten_overlong(best);
    Function fitted = best.function;
    const HazardInput input = hazard_input(fitted, arch_);
    if (!fragment && !has_scoreboard(input)) remove_waits(input, scope_, fitted);
    if (fit_stalls(input, scope_, fitted)) {
      Function plain = fitted;
      drop_yields(hazard_input(plain, arch_), scope_, plain);
      const Candidate given = best;
      take_if_better(std::move(fitted), given, best);
      take_if_better(std::move(plain), given, best);
    }
    if (!fragment && !has_scoreboard(input)) part(best);
    for (const Loop& loop : loops_)
      while (tighten(loop, best)) {
      }
  }

  /// Not what is faster, but what the hardware does as it is written.
  void shorten_overlong(Candidate& best) const {
    Function copy = best.function;
    clear_overlong(hazard_input(copy, arch_), scope_, copy);
    if (is_safe(copy)) best = judged(std::move(copy));
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
      if (!raise_stalls(hazard_input(one.function, arch_), scope_, one.function) ||
          !is_safe(one.function))
        return;
      one = judged(std::move(one.function));
    }
    if (one.beats(best)) best = std::move(one);
  }

  /// Barriers of their own for slower operations, where it costs nothing.
  void part(Candidate& best) const {
    for (;;) {
      Function copy = best.function;
      const HazardInput input = hazard_input(copy, arch_);
      if (!part_barriers(input, scope_, copy)) return;
      remove_waits(input, scope_, copy);
      if (!is_safe(copy)) return;
      Candidate one = judged(std::move(copy));
      if (one.is_slower(best)) return;
      best = std::move(one);
    }
  }

  /// One stall count that costs a lone warp time, as lint looks for them. False if there is none.
  bool tighten(const Loop& loop, Candidate& best) const {
    Program copy;
    copy.functions = {best.function};
    const HazardInput input = hazard_input(copy.functions.front(), arch_);
    LongStalls all(input, copy, loop);
    while (const auto one = all.next()) {
      Function function = best.function;
      set_stall(function.instructions[one->index].control, one->enough);
      Candidate shorter = judged(std::move(function));
      if (shorter.is_slower(best)) continue;
      best = std::move(shorter);
      return true;
    }
    return false;
  }

  bool is_safe(const Function& function) const {
    return scope_.open(find_hazards(hazard_input(function, arch_))).empty();
  }

  std::string note(const HazardInput& input) const {
    std::string text;
    if (is_fragment(input))
      text = "what comes behind its end is not known, and has to leave results their time";
    if (!scope_.left.empty())
      text += fmt::format("{}outside of the loop {} unsafe code{} left: `smsim lint` names them",
                          text.empty() ? "" : "; ", scope_.left.size(),
                          scope_.left.size() == 1 ? " is" : "s are");
    return text;
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
  Scope scope_;
  std::vector<Loop> loops_;
  bool calls_;  ///< loops may pass through other parts of the function
  mutable std::map<std::string, double> known_;
};

}  // namespace

Expected<Function> schedule_function(const Program& program, const Function& given,
                                     const Arch& arch, int warps, const Loop* only,
                                     FunctionSchedule& report) {
  return FunctionScheduler(program, given, arch, warps, only).run(report);
}

}  // namespace smsim::optimize
