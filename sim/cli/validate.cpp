// SPDX-License-Identifier: MIT
// smsim validate: a suite of measured loops against the model's predictions.
#include "validate/validate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <climits>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/parser_words.hpp"
#include "cli/progress.hpp"
#include "cli/suite_words.hpp"
#include "cli/validate_output.hpp"
#include "cli/words.hpp"
#include "smsim/read.hpp"

namespace smsim::cli {
namespace {

constexpr int kSomeFailed = 65;

constexpr const char* kValidateExamples =
    "Examples:\n"
    "  smsim validate traces/suites/h200/characterise.jsonl.gz --arch hopper-gh100\n"
    "  smsim validate suite.jsonl --filter '^(bank|reuse)\\.' --max-warps 4 --summary\n"
    "  zcat suite.jsonl.gz | smsim validate - --format json\n"
    "\n"
    "exact: at most half a cycle off, counted where the runs are at most half a cycle apart.\n"
    "inside: in the measured interval [lo, hi], with half a cycle of tolerance on both sides.\n"
    "error: distance to that interval in percent of its nearer bound; 0 within it.\n"
    "stamps: what CS2R read from the clock in a warp's last iteration, if the suite has it; a row\n"
    "counts by its measured run that is nearest, whichever warp of the block leads.\n"
    "A row without lo and hi counts for the error alone, its interval being [cycles, cycles].\n"
    "Exit code 65 if a loop could not be simulated.";

struct ValidateWords {
  std::string suite;
  std::string format = "text";
  std::string out;
  std::vector<std::string> overrides;
  bool summary_only = false;
  validate::ValidateOptions options;
};

Expected<validate::Validation> run_suite(const ValidateWords& words) {
  auto options = words.options;
  auto overrides = parse_overrides(words.overrides);
  if (!overrides) return tl::make_unexpected(std::move(overrides.error()));
  options.overrides = std::move(*overrides);
  std::optional<Progress> progress;
  options.progress = [&](std::size_t done, std::size_t of) {
    if (!progress) progress.emplace(0, of);
    progress->show(done);
  };
  return read_bytes(words.suite)
      .and_then([&](const std::string& text) {
        return validate::parse_suite(text, words.suite == "-" ? "<stdin>" : words.suite);
      })
      .and_then([&](const std::vector<validate::SuiteLoop>& suite) {
        return validate::validate(suite, options);
      });
}

int validate_suite(const ValidateWords& words) {
  const auto validation = run_suite(words);
  if (!validation) return report(validation.error());
  const std::string text = words.format == "json"
                               ? validation_json(*validation)
                               : validation_text(*validation, words.summary_only);
  const int written = emit(text, words.out);
  if (written != 0) return written;
  return validation->summary.failed == 0 ? 0 : kSomeFailed;
}

void add_options(CLI::App& app, ValidateWords& words) {
  app.add_option("SUITE", words.suite, kSuiteHelp)->required()->type_name("");
  add_suite_options(app, words.options);
  app.add_option("--filter", words.options.filter, "only ids in which this is found")
      ->type_name("REGEX");
  app.add_option("--min-warps", words.options.min_warps, "only rows with at least so many")
      ->check(whole_number(1, INT_MAX))
      ->type_name("W");
  app.add_option("--max-warps", words.options.max_warps, "only rows with at most so many")
      ->check(whole_number(1, INT_MAX))
      ->type_name("W");
  app.add_option("--set", words.overrides, "changes a number of the config (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  app.add_flag("--summary", words.summary_only, "text without the rows: families and totals");
  app.add_option("--format", words.format, "text (default) or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  app.add_option("-o,--output", words.out, "writes a file, which appears whole or not at all")
      ->type_name("OUT");
}

}  // namespace

Command add_validate(CLI::App& app) {
  auto words = std::make_shared<ValidateWords>();
  CLI::App* command = app.add_subcommand("validate", "measured loops against predictions");
  command->footer(kValidateExamples);
  add_options(*command, *words);
  return {command, [words] { return validate_suite(*words); }};
}

}  // namespace smsim::cli
