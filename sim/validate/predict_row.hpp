// SPDX-License-Identifier: MIT
// One loop of a suite to its predicted cycles for each number of warps that was measured.
#pragma once

#include <optional>

#include "smsim/arch.hpp"
#include "validate/suite.hpp"

namespace smsim::validate {

struct Prediction {
  std::optional<double> cycles;
  std::optional<StampMatch> stamps;  ///< if the suite has some
  std::string error;                 ///< why there are no cycles
};

/// One prediction a run, in their order. Never throws: what goes wrong is an error text.
std::vector<Prediction> predict_runs(const SuiteLoop& loop, const Expected<Arch>& arch);

}  // namespace smsim::validate
