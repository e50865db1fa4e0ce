// SPDX-License-Identifier: MIT
// The list of what lint looks for.
#include <algorithm>

#include "smsim/lint.hpp"

namespace smsim {

std::string_view name_of(LintLevel level) {
  if (level == LintLevel::error) return "error";
  return level == LintLevel::warning ? "warning" : "hint";
}

const std::vector<LintRule>& lint_rules() {
  static const std::vector<LintRule> rules = {
      {"early-read", LintLevel::error,
       "a result of fixed latency is read before its latency is over"},
      {"result-not-waited", LintLevel::error,
       "a result of variable latency is read without waiting for its write barrier"},
      {"result-overwritten", LintLevel::error,
       "a register is written while an earlier result of variable latency is on its way to it"},
      {"source-overwritten", LintLevel::error,
       "a register is written while an operation of variable latency has yet to read it"},
      {"wait-too-soon", LintLevel::error,
       "a barrier is waited for in the cycle after its rise, in which the rise is not seen yet"},
      {"early-behind-barrier", LintLevel::error,
       "an instruction comes so close behind BAR, MEMBAR or DEPBAR that it is not held"},
      {"unordered-wait", LintLevel::error,
       "DEPBAR.LE counts on the order of operations that can finish out of order"},
      {"early-overwrite", LintLevel::warning,
       "a register is written so soon that an earlier result or reading of it may come later"},
      {"hardware-waits", LintLevel::warning,
       "Kepler: a delay is shorter than a latency, which the scoreboard may or may not make good"},
      {"overlong-stall", LintLevel::warning,
       "a stall count of 12 to 15 without a yield request does not mean its number"},
      {"wait-without-setter", LintLevel::warning,
       "a barrier is waited for that nothing in the function raises"},
      {"reuse-not-possible", LintLevel::warning,
       "a reuse flag where the encoding has none, or where its bit means something else"},
      {"reuse-with-yield", LintLevel::warning,
       "a reuse flag on an instruction that asks to yield, which gives the operand up"},
      {"unknown-opcode", LintLevel::warning,
       "an opcode that smsim does not know: nothing is checked of it"},
      {"reuse-never-hits", LintLevel::hint,
       "a reuse flag whose operand the next reader of the slot does not want"},
      {"stall-too-long", LintLevel::hint,
       "a stall count is longer than anything needs, and the loop is slower for it"},
      {"barrier-shared", LintLevel::hint,
       "a wait for one result also waits for another that shares its barrier, while one is free"},
  };
  return rules;
}

std::size_t LintReport::count(LintLevel level) const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const LintFinding& finding) { return finding.level == level; }));
}

}  // namespace smsim
