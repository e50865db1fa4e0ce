// SPDX-License-Identifier: MIT
// Other register names and reuse flags for a loop, so that it runs faster and computes the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "smsim/analysis.hpp"
#include "smsim/arch.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

struct RemapOptions {
  /// Registers that may be used: 0 to max_registers - 1. 0: as many as the function names already.
  int max_registers = 0;
  double effort = 1;  ///< of the search; 1 takes seconds at most
};

/// An instruction that is not as it was.
struct RemapChange {
  std::size_t index = 0;  ///< into Function::instructions
  std::uint64_t address = 0;
  std::string before;  ///< with reuse flags
  std::string after;
  bool in_loop = false;
};

struct Remapped {
  Bounds before;       ///< the simulation of the loop as it was, and its bounds
  Result after;        ///< equal to before.simulated if nothing was gained
  double floor = 0;    ///< cycles if no read ever waited for a bank: more cannot be gained
  Function original;   ///< the whole function
  Function rewritten;  ///< the whole function, its encodings as they were
  std::vector<RemapChange> changes;  ///< empty: nothing was gained
  std::size_t values = 0;            ///< webs of registers in the function
  std::size_t movable = 0;           ///< of them, what may have another name
  std::string obstacle;              ///< why none may; empty: some may, or there are none
  int registers_before = 0;          ///< one more than the highest number named
  int registers_after = 0;
  std::vector<Result> other_before;  ///< the function's other loops
  std::vector<Result> other_after;
};

/// Searches register names and reuse flags for the loop that `options` names, for Maxwell and
/// later. The simulation judges; the result is never slower by it. What the function shares with
/// its surroundings keeps its name: registers at its entry, at calls and returns and where a
/// listing ends, and what the caller gave a lane stride for. The same input gives the same result.
/// Errors: those of simulate(); usage for a limit below what the function uses, and for Kepler.
Expected<Remapped> remap(const Program& program, const Arch& arch,
                         const SimulateOptions& options = {}, const RemapOptions& limits = {});

/// The input's text with the rewritten instructions; the listing, if it was machine code. Where
/// that cannot be edited so that it reads as the rewritten function (named registers, YAML), the
/// program as write_program() has it in the input's notation or CuAssembler's. Errors: those of
/// write_program().
Expected<std::string> rewritten_text(const Program& program, const Remapped& remapped);

/// The bytes of a cubin in which the rewritten function's registers and reuse flags stand; no other
/// bit differs, and reading it again gives the rewritten function. Errors: bad_input, where the
/// cubin does not hold the original function; usage, where it uses more registers than the cubin
/// says; internal.
Expected<std::string> patch_cubin(std::string_view bytes, const std::string& source,
                                  const Remapped& remapped);

}  // namespace smsim
