// SPDX-License-Identifier: MIT
// Which functions of a file are meant, and the config of each.
#include "optimize/lint_choice.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include "core/nearest.hpp"

namespace smsim::optimize {

Expected<std::vector<const Function*>> chosen_functions(const Program& program,
                                                        const std::string& pattern) {
  std::vector<const Function*> exact;
  std::vector<const Function*> globbed;
  std::vector<std::string_view> names;
  for (const Function& function : program.functions) {
    names.push_back(function.name);
    if (function.name == pattern) exact.push_back(&function);
    if (pattern.empty() || ::fnmatch(pattern.c_str(), function.name.c_str(), 0) == 0)
      globbed.push_back(&function);
  }
  if (!exact.empty()) return exact;
  if (!globbed.empty()) return globbed;
  const std::string near = nearest_name(pattern, names);
  return fail(ErrorKind::usage, fmt::format("no function is named '{}' or matches it", pattern),
              {program.source, 0, 0},
              near.empty() ? "`smsim loops` lists the functions of a file"
                           : fmt::format("did you mean '{}'?", near));
}

Diagnostics no_control_words(const Program& program) {
  return fail(ErrorKind::bad_input, "the code has no control words", {program.source, 0, 0},
              "take the text of `cuobjdump -sass`, `nvdisasm -hex`, or the cubin itself")
      .value();
}

Expected<const Arch*> ArchChoice::of(const Function& function) {
  if (name_.empty() && function.sm == 0)
    return fail(ErrorKind::usage,
                fmt::format("the input does not say which architecture '{}' is for", function.name),
                {program_.source, function.line, 0},
                "give --arch, as in --arch sm_90; `smsim archs` lists the configs");
  const int key = name_.empty() ? function.sm : 0;
  const auto known = loaded_.find(key);
  if (known != loaded_.end()) return &known->second;
  auto arch = name_.empty() ? load_arch_for_sm(function.sm) : load_arch(name_);
  if (!arch) return tl::make_unexpected(std::move(arch.error()));
  return &loaded_.emplace(key, std::move(*arch)).first->second;
}

std::vector<std::string> ArchChoice::names() const {
  std::vector<std::string> all;
  for (const auto& [key, arch] : loaded_) all.push_back(arch.name);
  return all;
}

}  // namespace smsim::optimize
