// SPDX-License-Identifier: MIT
// A validation as a table with its families and totals, or as JSON.
#pragma once

#include <string>

#include "validate/validate.hpp"

namespace smsim::cli {

/// A line a row (unless `summary_only`), a line a family of ids, and the totals.
std::string validation_text(const validate::Validation& validation, bool summary_only);

/// loops, exact, exact_of, inside, ..., rows[]; distances are not signed there.
std::string validation_json(const validate::Validation& validation);

}  // namespace smsim::cli
