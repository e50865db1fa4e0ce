// SPDX-License-Identifier: MIT
// Short pieces of code for the tests of hazards.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "optimize/hazards.hpp"
#include "smsim/read.hpp"

namespace smsim::test {

/// Code in bracketed notation, a line an instruction, for an architecture.
inline Function code_for(int sm, const std::string& lines) {
  const std::string text = "\t.target\tsm_" + std::to_string(sm) + "\n" + lines + "\n";
  auto program = read_program_text(text, "code.sass");
  REQUIRE_MESSAGE(program.has_value(), (program ? "" : to_string(program.error())));
  REQUIRE(program->functions.size() == 1);
  return program->functions.front();
}

inline Arch arch_for(int sm) {
  auto arch = load_arch_for_sm(sm);
  REQUIRE_MESSAGE(arch.has_value(), (arch ? "" : to_string(arch.error())));
  return *arch;
}

inline std::vector<optimize::Hazard> hazards_of(const Function& function, const Arch& arch) {
  return optimize::find_hazards(optimize::hazard_input(function, arch));
}

inline std::vector<optimize::Hazard> hazards(int sm, const std::string& lines) {
  return hazards_of(code_for(sm, lines), arch_for(sm));
}

/// Whether there is one of that kind between the two instructions, counted from 0.
inline bool has(const std::vector<optimize::Hazard>& all, optimize::HazardKind kind,
                std::size_t from, std::size_t to) {
  return std::any_of(all.begin(), all.end(), [&](const optimize::Hazard& one) {
    return one.kind == kind && one.from == from && one.to == to;
  });
}

}  // namespace smsim::test
