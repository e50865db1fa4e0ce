// SPDX-License-Identifier: MIT
// Short loops of Hopper code for the tests of the analyses.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "smsim/analysis.hpp"
#include "smsim/read.hpp"
#include "support/run_program.hpp"

namespace smsim::test {

/// These lines of bracketed control-code notation, and a branch back to the first one.
inline Program looped(const std::string& body, int stall = 5) {
  const std::string text = ".L_top:\n" + body + "\n    [B------:R-:W-:-:S0" +
                           std::to_string(stall) + "] @P0 BRA `(.L_top) ;\n";
  auto program = read_program_text(text, "loop.sass");
  REQUIRE_MESSAGE(program.has_value(), (program ? "" : to_string(program.error())));
  return *program;
}

inline Arch hopper(const Overrides& overrides = {}) {
  auto arch = load_arch("hopper-gh100", overrides);
  REQUIRE_MESSAGE(arch.has_value(), (arch ? "" : to_string(arch.error())));
  return *arch;
}

/// The options of a listing that is a part of its kernel.
inline SimulateOptions listing(int warps = 1) {
  SimulateOptions options;
  options.warps = warps;
  options.allow_unset_waits = true;
  return options;
}

/// The bound of that name; 0 if it is not among them.
inline double bound(const Bounds& all, const std::string& name) {
  const auto at = std::find_if(all.bounds.begin(), all.bounds.end(),
                               [&](const Bound& b) { return b.name == name; });
  return at == all.bounds.end() ? 0 : at->cycles;
}

}  // namespace smsim::test
