// SPDX-License-Identifier: MIT
// The words that sub-commands on suites of measured loops share.
#pragma once

#include "validate/validate.hpp"

namespace CLI {
class App;
}

namespace smsim::cli {

inline constexpr const char* kSuiteHelp = "JSON Lines, also gzipped, or - for standard input";

/// --arch and --jobs.
void add_suite_options(CLI::App& app, validate::ValidateOptions& options);

}  // namespace smsim::cli
