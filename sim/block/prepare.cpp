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

/// The function asked for: by name or glob, else the first with a loop, else the first; those of
/// the architecture's own compute capability come first.
Expected<const Function*> choose_function(const Program& program, const Arch& arch,
                                          const std::string& wanted) {
  const Function* best = nullptr;
  int best_score = -1;
  for (const Function* f : program::functions_named(program, wanted)) {
    const int score = (runs_on(*f, arch) ? 2 : 0) + (!find_loops(*f).empty() ? 1 : 0);
    if (score > best_score) {
      best = f;
      best_score = score;
    }
  }
  if (best != nullptr) return best;
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
  const auto function = choose_function(program, arch, options.function);
  if (!function) return tl::unexpected(function.error());
  Prepared prepared;
  prepared.program = &program;
  prepared.function = prepared.given = *function;
  if (!(*function)->has_control_words) {
    auto copy = std::make_shared<Function>(**function);
    assign_control_words(*copy, arch);
    prepared.function = copy.get();
    prepared.with_control = std::move(copy);
  }
  return prepared;
}

Expected<Prepared> prepare(const Program& program, const Arch& arch,
                           const SimulateOptions& options) {
  auto prepared = prepare_function(program, arch, options);
  if (!prepared) return prepared;
  const auto request = loop_request(options);
  if (!request) return tl::unexpected(request.error());
  auto path = build_path(program, *prepared->function, *request);
  if (!path) return tl::unexpected(path.error());
  prepared->path = std::move(*path);
  if (prepared->function->trace)
    prepared->path.assumptions.insert(prepared->path.assumptions.begin(),
                                      std::string(kTraceAsCode));
  return prepared;
}

void infer_lanes(Prepared& prepared) {
  prepared.path.lanes = program::infer_lane_offsets(*prepared.function);
}

}  // namespace smsim
