// SPDX-License-Identifier: MIT
// Prepare: which function and which way through it a request means, before any number of an
// architecture counts.

#include "block/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "block/dependency_mode.hpp"
#include "program/named.hpp"

namespace smsim {
namespace {

struct Choice {
  const Function* function = nullptr;
  std::shared_ptr<const program::CodeFacts> code;  ///< null: choosing it took no look
};

/// The function asked for: by name or glob, else the first with a loop, else the first; those of
/// the architecture's own compute capability come first.
Expected<Choice> choose_function(const Program& program, const Arch& arch,
                                 const std::string& wanted) {
  const auto named = program::functions_named(program, wanted);
  if (named.size() == 1) return Choice{named.front(), nullptr};
  constexpr int kBest = 3;
  Choice best;
  int best_score = -1;
  for (const Function* f : named) {
    auto code = program::code_facts(*f);
    const int score = (runs_on(*f, arch) ? 2 : 0) + (!code->loops().empty() ? 1 : 0);
    if (score > best_score) best = {f, std::move(code)};
    best_score = std::max(score, best_score);
    if (score == kBest) break;
  }
  if (best.function != nullptr) return best;
  if (program.functions.empty())
    return fail(ErrorKind::bad_input, "no function in the input", {program.source, 0, 0});
  return program::no_function_named(program, wanted);
}

Expected<LoopRequest> loop_request(const SimulateOptions& options) {
  auto request = parse_loop_request(options.loop);
  if (!request) return request;
  request->branches = options.branches;
  return request;
}

/// Whether anybody will ask for addresses.
bool has_memory(const Function& function, const Path& path) {
  return std::any_of(path.steps.begin(), path.steps.end(), [&](const PathStep& step) {
    const auto& operands = function.instructions[step.index].operands;
    return std::any_of(operands.begin(), operands.end(),
                       [](const Operand& op) { return op.kind == OperandKind::memory; });
  });
}

}  // namespace

bool runs_on(const Function& function, const Arch& arch) {
  const auto& ccs = arch.compute_capabilities;
  return function.sm == 0 || std::find(ccs.begin(), ccs.end(), function.sm) != ccs.end();
}

std::optional<Diagnostics> check_warps(const Arch& arch, int warps) {
  if (warps >= 1 && warps <= arch.max_warps) return std::nullopt;
  return fail(ErrorKind::usage, fmt::format("{} warps asked for; an SM of {} holds 1 to {}", warps,
                                            arch.name, arch.max_warps))
      .value();
}

Expected<Prepared> prepare_function(const Program& program, const Arch& arch,
                                    const SimulateOptions& options) {
  auto choice = choose_function(program, arch, options.function);
  if (!choice) return tl::unexpected(choice.error());
  Prepared prepared;
  prepared.program = &program;
  prepared.function = prepared.given = choice->function;
  prepared.code = std::move(choice->code);
  if (!prepared.given->has_control_words) {
    auto copy = std::make_shared<Function>(*prepared.given);
    assign_control_words(*copy, arch);
    prepared.function = copy.get();
    prepared.with_control = std::move(copy);
  }
  return prepared;
}

Expected<Prepared> prepare_path(Prepared prepared, const SimulateOptions& options) {
  const auto request = loop_request(options);
  if (!request) return tl::unexpected(request.error());
  const Function& function = *prepared.function;
  if (prepared.code == nullptr) prepared.code = program::code_facts(function);
  auto path = prepared.code->path(*prepared.program, function, *request);
  if (!path) return tl::unexpected(path.error());
  prepared.path = std::move(*path);
  if (has_memory(function, prepared.path)) prepared.path.lanes = prepared.code->lanes(function);
  if (function.trace)
    prepared.path.assumptions.insert(prepared.path.assumptions.begin(), std::string(kTraceAsCode));
  return prepared;
}

Expected<Prepared> prepare(const Program& program, const Arch& arch,
                           const SimulateOptions& options) {
  return prepare_function(program, arch, options).and_then([&](Prepared&& prepared) {
    return prepare_path(std::move(prepared), options);
  });
}

}  // namespace smsim
