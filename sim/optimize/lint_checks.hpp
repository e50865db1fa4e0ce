// SPDX-License-Identifier: MIT
// The checks of one function, each a part of what lint finds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "optimize/hazards.hpp"
#include "smsim/lint.hpp"

namespace smsim::optimize {

/// Collects findings of a function.
class Findings {
 public:
  explicit Findings(const HazardInput& input) : input_(input) {}

  void add(std::string_view rule, std::size_t at, std::string message,
           std::size_t related = kNobody);

  /// By address; what is said twice is said once.
  std::vector<LintFinding> take();

  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

 private:
  LintPlace place(std::size_t index) const;

  const HazardInput& input_;
  std::vector<LintFinding> found_;
};

/// `FADD at line 7 (0x0040)`.
std::string say(const HazardInput& input, std::size_t index);

void check_hazards(const HazardInput& input, Findings& findings);
void check_waits(const HazardInput& input, Findings& findings);
void check_stalls(const HazardInput& input, Findings& findings);
void check_reuse(const HazardInput& input, Findings& findings);
void check_sharing(const HazardInput& input, Findings& findings);

/// Changes stall counts of a copy and simulates it. Only of functions without early readers.
void check_long_stalls(const Function& function, const Arch& arch, Findings& findings);

}  // namespace smsim::optimize
