// SPDX-License-Identifier: MIT
// Which function of a file is simulated on which config, when a file has several of both.
#include "cli/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "block/prepare.hpp"
#include "cli/output.hpp"
#include "config/template.hpp"
#include "program/named.hpp"

namespace smsim::cli {
namespace {

using Candidates = std::vector<const Function*>;

Expected<Arch> own_arch(const Program& program, const Function& function,
                        const Overrides& overrides) {
  if (function.sm != 0) {
    auto arch = load_arch_for_sm(function.sm, overrides);
    if (arch || config::load_template_for_sm(function.sm)) return arch;
    // The file says so, not the command line.
    arch.error().front().kind = ErrorKind::bad_input;
    arch.error().front().where = {program.source, function.line, 0};
    return arch;
  }
  return fail(ErrorKind::usage,
              fmt::format("the input does not say which architecture '{}' is for", function.name),
              {program.source, function.line, 0},
              "give --arch, as in --arch sm_90; `smsim archs` lists the configs");
}

std::string list_sms(const std::set<int>& sms) {
  std::string list;
  for (const int sm : sms) list += fmt::format("{}sm_{}", list.empty() ? "" : ", ", sm);
  return list;
}

std::vector<std::string> notes_on(const Program& program, const Function& chosen,
                                  std::size_t matched) {
  std::vector<std::string> notes;
  std::set<int> others;
  for (const Function& function : program.functions) {
    if (function.sm != chosen.sm && function.sm != 0) others.insert(function.sm);
  }
  if (matched > 1) {
    notes.push_back(fmt::format(
        "function '{}' was taken, the first of {} that {}; --function picks another", chosen.name,
        matched, find_loops(chosen).empty() ? "were found (none has a loop)" : "has a loop"));
  }
  if (!others.empty()) {
    notes.push_back(fmt::format("the code for sm_{} was taken; the file also holds code for {}",
                                chosen.sm, list_sms(others)));
  }
  return notes;
}

}  // namespace

void warn_of_other_code(const Program& program, const std::string& arch,
                        const std::string& function) {
  if (arch.empty()) return;
  const auto loaded = load_arch(arch);
  if (!loaded) return;  // whoever needs it reports that
  std::set<int> others;
  for (const Function* one : program::functions_named(program, function))
    if (!runs_on(*one, *loaded)) others.insert(one->sm);
  if (!others.empty())
    warn(program.source, fmt::format("code for {} is looked at as if it were for {}",
                                     list_sms(others), loaded->name));
}

Expected<Choice> choose(Program& program, const std::string& arch, const std::string& function,
                        const Overrides& overrides) {
  Candidates candidates = program::functions_named(program, function);
  if (candidates.empty()) return program::no_function_named(program, function);
  auto loaded = arch.empty() ? own_arch(program, program::default_of(candidates), overrides)
                             : load_arch(arch, overrides);
  if (!loaded) return tl::make_unexpected(std::move(loaded.error()));
  Choice choice;
  choice.arch = std::move(*loaded);

  Candidates fitting = candidates;
  std::erase_if(fitting, [&](const Function* one) { return !runs_on(*one, choice.arch); });
  const Candidates& pool = fitting.empty() ? candidates : fitting;
  const Function& chosen = program::default_of(pool);
  const auto same_sm = [&](const Function* one) { return one->sm == chosen.sm; };
  const auto matched = static_cast<std::size_t>(std::count_if(pool.begin(), pool.end(), same_sm));

  choice.function = chosen.name;
  choice.loops = find_loops(chosen);
  choice.notes = notes_on(program, chosen, matched);
  const int sm = chosen.sm;
  std::erase_if(program.functions, [sm](const Function& one) { return one.sm != sm; });
  return choice;
}

}  // namespace smsim::cli
