// SPDX-License-Identifier: MIT
// Which functions of a file are meant, and the config of each.
#include "optimize/lint_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "program/flow.hpp"
#include "program/named.hpp"
#include "program/path.hpp"

namespace smsim::optimize {

namespace {

Expected<Loop> loop_between(const Function& function, std::uint64_t start, std::uint64_t end) {
  const std::size_t first = program::index_at(function, start);
  const std::size_t last = program::index_at(function, end);
  constexpr std::size_t kNowhere = program::kNowhere;
  if (first != kNowhere && last != kNowhere && first <= last)
    return Loop{start, end, last - first + 1, true};
  return fail(ErrorKind::usage, fmt::format("no instructions at 0x{:04x}-0x{:04x} of function '{}'",
                                            start, end, function.name));
}

}  // namespace

Expected<std::vector<const Function*>> chosen_functions(const Program& program,
                                                        const std::string& pattern,
                                                        const std::string& loop) {
  auto all = program::functions_named(program, pattern);
  if (all.empty()) return program::no_function_named(program, pattern);
  if (loop.empty()) return all;
  const auto first = std::find_if(all.begin(), all.end(),
                                  [](const Function* one) { return !find_loops(*one).empty(); });
  return std::vector<const Function*>{first == all.end() ? all.front() : *first};
}

Expected<std::optional<Loop>> chosen_loop(const Function& function, const std::string& words) {
  using Request = LoopRequest::Kind;
  const auto request = parse_loop_request(words);
  if (!request) return tl::make_unexpected(request.error());
  if (request->kind == Request::automatic || request->kind == Request::all)
    return std::optional<Loop>();
  auto loop = request->kind == Request::range ? loop_between(function, request->start, request->end)
                                              : named_loop(function, *request);
  if (!loop) return tl::make_unexpected(loop.error());
  return std::optional<Loop>(*loop);
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
