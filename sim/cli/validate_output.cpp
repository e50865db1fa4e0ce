// SPDX-License-Identifier: MIT
// A validation as a table with its families and totals, or as JSON.
#include "cli/validate_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/document.hpp"
#include "report/layout.hpp"

namespace smsim::cli {
namespace {

using report::Json;
using report::short_number;
using validate::Row;
using validate::StampSummary;
using validate::Summary;

constexpr std::size_t kMostIdColumns = 44;

std::string interval(const Row& row) {
  if (!row.measured.has_interval) return "-";
  if (row.can_be_exact()) return short_number(row.measured.lo);
  return fmt::format("{}..{}", short_number(row.measured.lo), short_number(row.measured.hi));
}

/// What a row's time stamps say; empty without any.
std::string stamps_note(const Row& row) {
  if (!row.stamps) return "";
  if (row.stamps->is_exact()) return "  stamps exact";
  if (row.stamps->is_near()) return "  stamps within 1";
  return fmt::format("  stamps {} of {} within 1", row.stamps->near, row.stamps->stamps);
}

std::string row_text(const Row& row, std::size_t id_columns) {
  const std::string id =
      report::pad_right(report::ellipsize(report::printable(row.id), id_columns), id_columns);
  const std::string start = fmt::format("{}  {:>5}  {:>9}  {:>17}", id, row.measured.warps,
                                        short_number(row.measured.cycles), interval(row));
  if (!row.predicted) return fmt::format("{}  failed: {}\n", start, report::printable(row.error));
  const std::string notes = (row.is_exact() ? "  exact"
                             : row.stamps   ? "       "
                                            : "") +
                            stamps_note(row);
  return fmt::format("{}  {:>9}  {:>+7.2f} %{}\n", start, short_number(*row.predicted),
                     row.error_percent(), notes);
}

std::string rows_text(const std::vector<Row>& rows) {
  std::size_t id_columns = 2;
  for (const Row& row : rows) id_columns = std::max(id_columns, report::columns(row.id));
  id_columns = std::min(id_columns, kMostIdColumns);
  std::string text = fmt::format("{}  warps   measured           interval  predicted      error\n",
                                 report::pad_right("id", id_columns));
  for (const Row& row : rows) text += row_text(row, id_columns);
  return text + '\n';
}

std::string summary_line(const std::string& name, const Summary& summary) {
  return fmt::format("{}  {:>5}  {:>5}/{:<5}  {:>5}/{:<5}  {:>6.2f} %  {:>7.2f} %\n",
                     report::pad_right(report::ellipsize(name, 20), 20), summary.loops,
                     summary.exact, summary.exact_of, summary.inside, summary.inside_of,
                     summary.mean_error_percent, summary.max_error_percent);
}

std::string families_text(const std::vector<Row>& rows) {
  std::map<std::string, std::vector<Row>> families;
  for (const Row& row : rows) families[validate::family_of(row.id)].push_back(row);
  std::string text =
      report::pad_right("family", 20) + "  loops     exact        inside         mean    largest\n";
  for (const auto& [name, members] : families)
    text += summary_line(name, validate::summarise(members));
  return text + '\n';
}

std::string percent_of(std::size_t part, std::size_t of) {
  return of == 0 ? "-" : report::percent(static_cast<double>(part) / static_cast<double>(of));
}

std::string share(std::size_t part, std::size_t of) {
  if (of == 0) return "none could be";
  return fmt::format("{} of {} ({})", part, of, percent_of(part, of));
}

std::string stamps_line(const std::string& name, const StampSummary& summary) {
  return fmt::format("{}  {:>5}  {:>5}/{:<5}  {:>5}/{:<5} {:>8}  {:>6}/{:<6} {:>7}\n",
                     report::pad_right(name, 20), summary.loops, summary.exact, summary.loops,
                     summary.near, summary.loops, percent_of(summary.near, summary.loops),
                     summary.stamps_near, summary.stamps,
                     percent_of(summary.stamps_near, summary.stamps));
}

/// Time stamps by the number of warps; empty if the suite has none.
std::string stamps_text(const std::vector<Row>& rows) {
  const auto parts = validate::stamps_by_warps(rows);
  if (parts.empty()) return "";
  std::string text = report::pad_right("time stamps of CS2R", 20) +
                     "  loops     exact        within 1 cycle        single ones within 1\n";
  for (const auto& [warps, summary] : parts)
    text += stamps_line(report::counted(static_cast<std::size_t>(warps), "warp"), summary);
  return text + '\n';
}

std::string totals_text(const Summary& summary) {
  std::string text = fmt::format("{}", report::counted(summary.loops, "loop"));
  if (summary.failed != 0) text += fmt::format(", {} could not be simulated", summary.failed);
  text +=
      fmt::format("\n  exact             {}\n  inside            {}\n",
                  share(summary.exact, summary.exact_of), share(summary.inside, summary.inside_of));
  text += fmt::format("  mean distance     {:.3f} %\n", summary.mean_error_percent);
  text += fmt::format("  largest distance  {:.2f} % ({})\n", summary.max_error_percent,
                      report::printable(summary.worst));
  return text;
}

Json stamps_json(const validate::StampMatch& match) {
  return {{"stamps", match.stamps},          {"exact", match.exact},
          {"within_one", match.near},        {"furthest_cycles", match.furthest},
          {"run", match.record.run},         {"block", match.record.block},
          {"measured", match.record.stamps}, {"predicted", match.predicted}};
}

Json stamps_json(const StampSummary& summary) {
  return {{"loops", summary.loops},
          {"exact", summary.exact},
          {"within_one", summary.near},
          {"stamps", summary.stamps},
          {"stamps_within_one", summary.stamps_near}};
}

Json row_json(const Row& row) {
  Json json = {{"id", row.id},
               {"warps", row.measured.warps},
               {"measured", row.measured.cycles},
               {"lo", row.measured.lo},
               {"hi", row.measured.hi},
               {"predicted", row.predicted ? Json(*row.predicted) : Json()},
               {"error_percent", row.predicted ? Json(std::abs(row.error_percent())) : Json()}};
  if (!row.predicted) json["error"] = row.error;
  if (row.stamps) json["stamps"] = stamps_json(*row.stamps);
  return json;
}

}  // namespace

std::string validation_text(const validate::Validation& validation, bool summary_only) {
  return (summary_only ? "" : rows_text(validation.rows)) + families_text(validation.rows) +
         stamps_text(validation.rows) + totals_text(validation.summary);
}

std::string validation_json(const validate::Validation& validation) {
  const Summary& summary = validation.summary;
  Json document = {{"schema_version", 1},
                   {"loops", summary.loops},
                   {"failed", summary.failed},
                   {"exact", summary.exact},
                   {"exact_of", summary.exact_of},
                   {"inside", summary.inside},
                   {"inside_of", summary.inside_of},
                   {"mean_error_percent", summary.mean_error_percent},
                   {"max_error_percent", summary.max_error_percent}};
  if (summary.stamps.loops != 0) {
    document["stamps"] = stamps_json(summary.stamps);
    for (const auto& [warps, part] : validate::stamps_by_warps(validation.rows))
      document["stamps"]["by_warps"][std::to_string(warps)] = stamps_json(part);
  }
  document["rows"] = Json::array();
  for (const Row& row : validation.rows) document["rows"].push_back(row_json(row));
  return report::document_text(document);
}

}  // namespace smsim::cli
