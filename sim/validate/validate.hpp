// SPDX-License-Identifier: MIT
// Runs every loop of a suite through the model and holds the predictions against the measurements.
#pragma once

#include <functional>
#include <limits>

#include "smsim/arch.hpp"
#include "validate/compare.hpp"

namespace smsim::validate {

struct ValidateOptions {
  std::string arch;  ///< config for all rows; empty: each row's own `arch`
  Overrides overrides;
  std::string filter;  ///< ECMAScript regular expression, searched in the ids; empty: all
  int min_warps = 1;
  int max_warps = std::numeric_limits<int>::max();
  unsigned jobs = 0;  ///< threads; 0: one a core
  std::function<void(std::size_t done, std::size_t of)>
      progress;  ///< called by one thread at a time
};

struct Validation {
  std::vector<Row> rows;  ///< in the suite's order, a row with several runs by warps
  Summary summary;
};

/// A row that cannot be simulated is a Row with `error`. Errors: usage (filter, nothing selected),
/// and what load_arch says if no config can be loaded at all. The result does not depend on `jobs`.
Expected<Validation> validate(const std::vector<SuiteLoop>& suite, const ValidateOptions& options);

}  // namespace smsim::validate
