// SPDX-License-Identifier: MIT
// Lint: goes through the functions of a program and collects what the checks find.
#include "smsim/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "optimize/lint_checks.hpp"
#include "optimize/lint_choice.hpp"

namespace smsim {
namespace optimize {

void Findings::add(std::string_view rule, std::size_t at, std::string message,
                   std::size_t related) {
  const auto& rules = lint_rules();
  const auto known =
      std::find_if(rules.begin(), rules.end(), [&](const LintRule& one) { return one.id == rule; });
  LintFinding finding;
  finding.rule = known->id;
  finding.level = known->level;
  finding.message = std::move(message);
  finding.function = input_.function.name;
  finding.place = place(at);
  if (related != kNobody) finding.related = place(related);
  found_.push_back(std::move(finding));
}

LintPlace Findings::place(std::size_t index) const {
  const Instruction& in = *input_.code[index].in;
  return {in.line, in.column, in.address, in.text};
}

std::vector<LintFinding> Findings::take() {
  const auto key = [](const LintFinding& one) {
    return std::tie(one.place.address, one.level, one.rule, one.message);
  };
  std::sort(found_.begin(), found_.end(),
            [&](const LintFinding& a, const LintFinding& b) { return key(a) < key(b); });
  const auto same = [&](const LintFinding& a, const LintFinding& b) { return key(a) == key(b); };
  found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
  return std::move(found_);
}

}  // namespace optimize

namespace {

using optimize::ArchChoice;
using optimize::Findings;
using optimize::HazardInput;

bool in_a_loop(const std::vector<Loop>& loops, std::uint64_t address) {
  return std::any_of(loops.begin(), loops.end(), [&](const Loop& loop) {
    return loop.start <= address && address <= loop.end;
  });
}

std::vector<LintFinding> lint_function(const Function& function, const Arch& arch, LintHints hints,
                                       const std::optional<Loop>& only) {
  const HazardInput input = optimize::hazard_input(function, arch);
  Findings findings(input);
  check_hazards(input, findings);
  check_waits(input, findings);
  check_stalls(input, findings);
  check_reuse(input, findings);
  check_sharing(input, findings);
  if (hints != LintHints::none) check_long_stalls(function, arch, findings);
  std::vector<LintFinding> all = findings.take();
  const std::vector<Loop> loops = find_loops(function);
  std::erase_if(all, [&](const LintFinding& one) {
    if (only && !in_a_loop({*only}, one.place.address) &&
        !(one.related && in_a_loop({*only}, one.related->address)))
      return true;
    if (one.level != LintLevel::hint || hints == LintHints::all) return false;
    return hints == LintHints::none || !in_a_loop(loops, one.place.address);
  });
  return all;
}

}  // namespace

Expected<LintReport> lint(const Program& program, const LintOptions& options) {
  const auto functions = optimize::chosen_functions(program, options.function, options.loop);
  if (!functions) return tl::make_unexpected(functions.error());
  ArchChoice archs(program, options.arch);
  LintReport report;
  report.source = program.source;
  for (const Function* function : *functions) {
    if (!function->has_control_words) {
      report.notes.push_back(
          fmt::format("'{}' has no control words: nothing to check", function->name));
      continue;
    }
    const auto arch = archs.of(*function);
    if (!arch) return tl::make_unexpected(arch.error());
    const auto loop = optimize::chosen_loop(*function, options.loop);
    if (!loop) return tl::make_unexpected(loop.error());
    auto found = lint_function(*function, **arch, options.hints, *loop);
    std::move(found.begin(), found.end(), std::back_inserter(report.findings));
    ++report.functions;
    report.instructions += function->instructions.size();
  }
  if (report.functions == 0) return tl::make_unexpected(optimize::no_control_words(program));
  report.archs = archs.names();
  return report;
}

std::vector<LintFinding> lint(const Function& function, const Arch& arch, LintHints hints) {
  return lint_function(function, arch, hints, std::nullopt);
}

}  // namespace smsim
