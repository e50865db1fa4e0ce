// SPDX-License-Identifier: MIT
// The accuracy page: tables of suites and families, and the loops that are furthest off.
#include "accuracy/markdown.hpp"

#include <fmt/format.h>

#include "report/layout.hpp"

namespace smsim::accuracy {
namespace {

using report::short_number;
using validate::Summary;

constexpr std::size_t kOutliers = 10;

constexpr const char* kHead =
    "# Accuracy\n"
    "\n"
    "<!-- Written by `smsim accuracy`; do not edit. -->\n"
    "\n"
    "Predictions beside what GPUs took. `docs/regenerate` writes this page and its plot anew.\n"
    "\n"
    "- **exact**: at most half a cycle off, of the loops whose runs were at most half a cycle "
    "apart.\n"
    "- **inside**: between the fastest and the slowest of the measured runs, with half a cycle of\n"
    "  tolerance.\n"
    "- **distance**: how far outside of that interval the prediction lies, in percent of its "
    "nearer\n"
    "  bound; 0 within it.\n"
    "- A loop that was measured with several numbers of warps counts once for each.\n";

constexpr const char* kStampsHead =
    "\n## Time stamps\n\n"
    "What each CS2R of a loop read from the clock in the last of 200 iterations, beside the "
    "measured "
    "run that\n"
    "is nearest, whichever warp of a processing block leads. A loop counts if all its stamps "
    "do.\n\n"
    "| suite | warps | loops | exact | within 1 cycle | single stamps within 1 cycle |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: |\n";

/// Text that may stand in a table's cell.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : report::printable(text)) {
    if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '`') result += '\\';
    result += c;
  }
  return result;
}

std::string share(std::size_t part, std::size_t of) {
  if (of == 0) return "-";
  // Rounded down, so that 100 % means all.
  const double tenths = static_cast<double>(part * 1000 / of);
  return fmt::format("{} of {} ({:.1f} %)", part, of, tenths / 10);
}

std::string loops(const Summary& summary) {
  return summary.failed == 0 ? fmt::format("{}", summary.loops)
                             : fmt::format("{} ({} failed)", summary.loops, summary.failed);
}

/// The five cells that describe a part of a suite.
std::string figures(const Summary& summary) {
  return fmt::format("{} | {} | {} | {:.2f} % | {:.1f} %", loops(summary),
                     share(summary.exact, summary.exact_of),
                     share(summary.inside, summary.inside_of), summary.mean_error_percent,
                     summary.max_error_percent);
}

std::string suites_table(const std::vector<SuiteAccuracy>& suites) {
  std::string text =
      "| suite | device | warps | loops | exact | inside | mean distance | largest |\n"
      "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |\n";
  for (const SuiteAccuracy& suite : suites) {
    for (const Part& part : by_warps(suite.rows)) {
      text += fmt::format("| {} | {} | {} | {} |\n", cell(suite.name), cell(suite.devices),
                          part.name, figures(part.summary));
    }
  }
  return text;
}

/// Time stamps by suite and number of warps; empty if no suite has any.
std::string stamps_text(const std::vector<SuiteAccuracy>& suites) {
  std::string table;
  for (const SuiteAccuracy& suite : suites) {
    for (const auto& [warps, stamps] : validate::stamps_by_warps(suite.rows)) {
      table +=
          fmt::format("| {} | {} | {} | {} | {} | {} |\n", cell(suite.name), warps, stamps.loops,
                      share(stamps.exact, stamps.loops), share(stamps.near, stamps.loops),
                      share(stamps.stamps_near, stamps.stamps));
    }
  }
  return table.empty() ? table : kStampsHead + table;
}

std::string aside_text(const std::vector<SuiteAccuracy>& suites) {
  std::string text;
  for (const SuiteAccuracy& suite : suites) {
    for (const SetAside& aside : suite.aside) {
      text += fmt::format("\nNot counted ({}): {}. {}\n", suite.name, fmt::join(aside.loops, ", "),
                          aside.known);
    }
  }
  return text;
}

std::string families_text(const SuiteAccuracy& suite) {
  std::string text = fmt::format(
      "\n### {}\n\n"
      "Config: {}.\n\n"
      "| family | loops | exact | inside | mean distance | largest |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: |\n",
      cell(suite.name), cell(suite.archs));
  for (const Part& part : by_family(suite.rows))
    text += fmt::format("| {} | {} |\n", cell(part.name), figures(part.summary));
  return text;
}

std::string interval(const validate::Row& row) {
  if (row.measured.lo == row.measured.hi) return short_number(row.measured.lo);
  return fmt::format("{} to {}", short_number(row.measured.lo), short_number(row.measured.hi));
}

std::string outliers_text(const std::vector<SuiteAccuracy>& suites, const Notes& notes) {
  const std::vector<Outlier> outliers = furthest_off(suites, kOutliers);
  std::string text =
      "\n## The loops that are furthest off\n\n"
      "Each at its worst number of warps.\n\n"
      "| loop | suite | warps | measured | predicted | distance | what is known |\n"
      "| --- | --- | ---: | ---: | ---: | ---: | --- |\n";
  for (const Outlier& one : outliers) {
    const Note* note = notes.find(one.row.id);
    text += fmt::format("| {} | {} | {} | {} | {} | {:+.1f} % | {} |\n", cell(loop_of(one.row.id)),
                        cell(one.suite), one.row.measured.warps, interval(one.row),
                        short_number(*one.row.predicted), one.row.error_percent(),
                        note == nullptr ? "" : cell(note->known));
  }
  return text;
}

/// Loops without a prediction, and why.
std::string failed_text(const std::vector<SuiteAccuracy>& suites) {
  std::string text;
  for (const SuiteAccuracy& suite : suites) {
    for (const validate::Row& row : suite.rows) {
      if (!row.predicted) text += fmt::format("| {} | {} |\n", cell(row.id), cell(row.error));
    }
  }
  if (text.empty()) return text;
  return "\n## Loops that could not be simulated\n\n| loop | why |\n| --- | --- |\n" + text;
}

}  // namespace

std::string markdown(const std::vector<SuiteAccuracy>& suites, const Notes& notes,
                     const std::string& plot) {
  std::string text = kHead;
  text += '\n' + suites_table(suites) + aside_text(suites);
  if (!plot.empty()) text += fmt::format("\n![Predicted against measured cycles]({})\n", plot);
  text += stamps_text(suites);
  text += "\n## Families\n";
  for (const SuiteAccuracy& suite : suites) text += families_text(suite);
  text += outliers_text(suites, notes);
  return text + failed_text(suites);
}

}  // namespace smsim::accuracy
