// SPDX-License-Identifier: MIT
// Rows of a sweep as fields, and as lines of CSV or JSON.
#include "report/sweep.hpp"

#include <fmt/format.h>

#include <charconv>

#include "report/breakdown.hpp"
#include "report/document.hpp"
#include "report/layout.hpp"

namespace smsim::report {
namespace {

/// A text on one line: a line end inside of it would be taken for the end of the row.
std::string flat(const std::string& text) { return printable(text); }

}  // namespace

std::uint64_t sweep_points(const std::string& id) {
  const std::size_t dash = id.rfind('-');
  std::uint64_t points = 0;
  if (dash != std::string::npos)
    std::from_chars(id.data() + dash + 1, id.data() + id.size(), points);
  return points;
}

std::string sweep_csv_start(const std::string& id, std::uint64_t point) {
  return fmt::format("{},{},", id, point);
}

std::vector<std::string> sweep_columns(const SweepSpec& spec) {
  std::vector<std::string> names{"sweep", "point", "file", "function", "arch", "warps"};
  for (const SweepAxis& axis : spec.axes) names.push_back(axis.key);
  names.insert(names.end(), {"cycles_per_iteration", "warp_instructions_per_cycle", "periodic"});
  for (const StallReasonInfo& reason : kStallReasons) names.emplace_back(reason.name);
  names.emplace_back("error");
  return names;
}

std::vector<SweepCell> sweep_cells(const std::string& id, const SweepRow& row) {
  std::vector<SweepCell> cells{id,       static_cast<std::int64_t>(row.point),
                               row.file, row.function,
                               row.arch, std::int64_t{row.warps}};
  for (const std::string& value : row.values) cells.emplace_back(value);
  if (row.result) {
    const Result& r = *row.result;
    cells.emplace_back(r.cycles_per_iteration);
    cells.emplace_back(r.warp_instructions_per_cycle);
    cells.emplace_back(std::int64_t{r.steady_state.periodic ? 1 : 0});
    for (const std::uint64_t slots : r.slots) cells.emplace_back(per_iteration(r, slots));
  } else {
    cells.resize(cells.size() + 3 + kStallReasonCount);
  }
  cells.emplace_back(row.error);
  return cells;
}

std::string sweep_csv_header(const SweepSpec& spec) {
  std::string line;
  for (const std::string& name : sweep_columns(spec))
    line += (line.empty() ? "" : ",") + csv_field(name);
  return line + "\n";
}

std::string sweep_csv_row(const std::string& id, const SweepRow& row) {
  std::string line;
  for (const SweepCell& cell : sweep_cells(id, row)) {
    if (!line.empty()) line += ',';
    if (const auto* text = std::get_if<std::string>(&cell)) line += csv_field(flat(*text));
    if (const auto* number = std::get_if<std::int64_t>(&cell)) line += fmt::format("{}", *number);
    if (const auto* number = std::get_if<double>(&cell)) line += fmt::format("{}", *number);
  }
  return line + "\n";
}

std::string sweep_json_start(const std::string& id, std::uint64_t point) {
  return fmt::format("{{\"sweep\":\"{}\",\"point\":{},", id, point);
}

std::string sweep_json_row(const std::string& id, const SweepSpec& spec, const SweepRow& row) {
  Json object{{"sweep", id},      {"point", row.point},
              {"file", row.file}, {"function", row.function},
              {"arch", row.arch}, {"warps", row.warps}};
  object["set"] = Json::object();
  for (std::size_t a = 0; a < spec.axes.size(); ++a)
    object["set"][spec.axes[a].key] = row.values[a];
  if (row.result) {
    const Result& r = *row.result;
    object["cycles_per_iteration"] = r.cycles_per_iteration;
    object["warp_instructions_per_cycle"] = r.warp_instructions_per_cycle;
    object["periodic"] = r.steady_state.periodic;
    object["slots"] = json_slots(r, r.slots);
  } else {
    object["error"] = row.error;
  }
  return document_text(object, -1);
}

}  // namespace smsim::report
