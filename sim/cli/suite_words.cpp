// SPDX-License-Identifier: MIT
// The words that sub-commands on suites of measured loops share.
#include "cli/suite_words.hpp"

#include <CLI/CLI.hpp>

#include "cli/parser_words.hpp"

namespace smsim::cli {

void add_suite_options(CLI::App& app, validate::ValidateOptions& options) {
  app.add_option("--arch", options.arch, "config for all rows; default: each row's own arch")
      ->type_name("NAME");
  app.add_option("--jobs", options.jobs, "threads; default: one a core")
      ->check(whole_number(1, kMostJobs))
      ->type_name("N");
}

}  // namespace smsim::cli
