// SPDX-License-Identifier: MIT
// smsim diff: two sets of saved predictions, for a build that must not get slower unseen.
#include "report/diff.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "smsim/read.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kDiffExamples =
    "Examples:\n"
    "  smsim predict kernel.sass --format json > new.json\n"
    "  smsim diff old.json new.json --max-regression 2%\n"
    "\n"
    "Each file holds one report, several behind each other, or a list. Loops are matched by\n"
    "function, architecture and warps; one loop in each file, whatever they are called.\n"
    "Exit code 1 if a loop got slower by more than is allowed.";

struct DiffWords {
  std::string before;
  std::string after;
  std::string allowed = "0%";
  std::string format = "text";
};

/// 2% or 2 or 0.5%: per cent, as a share.
Expected<double> parse_percent(const std::string& word) {
  const char* last = word.data() + word.size();
  if (!word.empty() && word.back() == '%') --last;
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), last, value);
  if (error != std::errc{} || end != last || !(value >= 0 && value < 1e6))
    return fail(ErrorKind::usage, fmt::format("'{}' is no percentage", word), {},
                "--max-regression takes a number of per cent: 2%");
  return value / 100;
}

Expected<std::vector<report::SavedPrediction>> read_saved(const std::string& path) {
  const auto text = read_bytes(path);
  if (!text) return tl::unexpected(text.error());
  return report::parse_saved(*text, path);
}

int diff(const DiffWords& words) {
  const auto allowed = parse_percent(words.allowed);
  if (!allowed) return report(allowed.error());
  const auto before = read_saved(words.before);
  if (!before) return report(before.error());
  const auto after = read_saved(words.after);
  if (!after) return report(after.error());
  const auto changes = report::compare(*before, *after);
  if (std::none_of(changes.begin(), changes.end(), [](const auto& c) { return c.both(); }))
    return report(fail(ErrorKind::bad_input, "no loop stands in both files", {words.after, 0, 0},
                       "loops are matched by function, architecture and warps")
                      .value());
  const int code = emit(words.format == "json" ? report::diff_json(changes, *allowed)
                                               : report::diff_text(changes, *allowed),
                        "");
  if (code != 0) return code;
  return report::regressions(changes, *allowed) > 0 ? 1 : 0;
}

}  // namespace

Command add_diff(CLI::App& app) {
  auto words = std::make_shared<DiffWords>();
  CLI::App* command = app.add_subcommand("diff", "what got slower between two saved predictions");
  command->footer(kDiffExamples);
  command->add_option("OLD", words->before, "JSON that `smsim predict` wrote before")
      ->required()
      ->type_name("");
  command->add_option("NEW", words->after, "and now")->required()->type_name("");
  command
      ->add_option("--max-regression", words->allowed,
                   "how much slower a loop may get (default 0%)")
      ->type_name("PERCENT");
  command->add_option("--format", words->format, "text (default) or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  return {command, [words] { return diff(*words); }};
}

}  // namespace smsim::cli
