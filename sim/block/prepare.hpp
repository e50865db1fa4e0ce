// SPDX-License-Identifier: MIT
// Prepare: which function and which way through it a request means, before any number of an
// architecture counts.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "program/code_facts.hpp"
#include "program/path.hpp"
#include "smsim/arch.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// The part of a simulation that many variants of an architecture share. Refers to the program.
struct Prepared {
  const Program* program = nullptr;
  const Function* function = nullptr;  ///< of the program, or the copy below
  const Function* given = nullptr;     ///< of the program
  Path path;
  std::shared_ptr<const Function> with_control;  ///< dependency mode: with control words for `arch`
  std::shared_ptr<const program::CodeFacts> code;  ///< of the function; null: not looked at yet
};

/// The assumption of whatever looks at the code of a trace without replaying it.
inline constexpr std::string_view kTraceAsCode =
    "of a trace only the code is looked at here, all warps alike: `smsim predict` without "
    "--loop replays what each warp did";

/// Whether the code is for a compute capability of this architecture, or does not say for which.
bool runs_on(const Function& function, const Arch& arch);

/// The usage error if no SM of the architecture holds so many warps.
std::optional<Diagnostics> check_warps(const Arch& arch, int warps);

/// Of the options only function, loop and branches count, of the architecture only its compute
/// capabilities; for code without control words also its latencies. Errors: usage (function, loop,
/// branch), bad_input (the path cannot be followed).
Expected<Prepared> prepare(const Program& program, const Arch& arch,
                           const SimulateOptions& options);

/// Only the function, with control words but without a path: of a trace, which has its own.
Expected<Prepared> prepare_function(const Program& program, const Arch& arch,
                                    const SimulateOptions& options);

/// What prepare() adds to that.
Expected<Prepared> prepare_path(Prepared prepared, const SimulateOptions& options);

/// As simulate() of a program. Errors: usage (warps), bad_input, bad_config.
Expected<Result> simulate(const Prepared& prepared, const Arch& arch,
                          const SimulateOptions& options);

}  // namespace smsim
