// SPDX-License-Identifier: MIT
// Small functions in bracketed notation, an instruction a line; addresses are 16 bytes apart.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "program/path.hpp"
#include "smsim/read.hpp"

namespace smsim::test {

/// Lines that end with a colon are labels.
inline Function make_function(const std::vector<std::string_view>& lines) {
  std::string text;
  for (const std::string_view line : lines) {
    const bool label = line.ends_with(':');
    text +=
        label ? std::string(line) + "\n" : "[B------:R-:W-:-:S01] " + std::string(line) + " ;\n";
  }
  auto program = read_program_text(text, "test");
  REQUIRE_MESSAGE(program.has_value(), to_string(program ? Diagnostics{} : program.error()));
  return program->functions.front();
}

inline Path follow(const Function& function, const LoopRequest& request = {}) {
  auto path = build_path(function, request);
  REQUIRE_MESSAGE(path.has_value(), to_string(path ? Diagnostics{} : path.error()));
  return *std::move(path);
}

inline Diagnostic failure(const Function& function, const LoopRequest& request = {}) {
  const auto path = build_path(function, request);
  REQUIRE_FALSE(path.has_value());
  return path.error().front();
}

/// The indices of the steps; a taken one is followed by a plus.
inline std::string show(const Path& path) {
  std::string text;
  for (const PathStep& step : path.steps) {
    if (!text.empty()) text += " ";
    text += std::to_string(step.index) + (step.taken ? "+" : "");
  }
  return text;
}

inline LoopRequest request(std::string_view text) {
  auto parsed = parse_loop_request(text);
  REQUIRE(parsed.has_value());
  return *std::move(parsed);
}

}  // namespace smsim::test
