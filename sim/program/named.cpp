// SPDX-License-Identifier: MIT
// Which functions of a program a name stands for: the rule of every --function.
#include "program/named.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "core/nearest.hpp"

namespace smsim::program {

std::vector<const Function*> functions_named(const Program& program, const std::string& pattern) {
  std::vector<const Function*> exact;
  std::vector<const Function*> globbed;
  for (const Function& function : program.functions) {
    if (function.name == pattern) exact.push_back(&function);
    if (pattern.empty() || ::fnmatch(pattern.c_str(), function.name.c_str(), 0) == 0)
      globbed.push_back(&function);
  }
  return exact.empty() ? globbed : exact;
}

const Function& default_of(const std::vector<const Function*>& functions) {
  const auto with_loop =
      std::find_if(functions.begin(), functions.end(),
                   [](const Function* function) { return !find_loops(*function).empty(); });
  return with_loop == functions.end() ? *functions.front() : **with_loop;
}

tl::unexpected<Diagnostics> no_function_named(const Program& program, const std::string& pattern) {
  std::vector<std::string_view> names;
  for (const Function& function : program.functions) names.push_back(function.name);
  return fail(ErrorKind::usage, fmt::format("no function is named '{}' or matches it", pattern),
              {program.source, 0, 0},
              did_you_mean(pattern, names, "`smsim loops` lists the functions of a file"));
}

}  // namespace smsim::program
