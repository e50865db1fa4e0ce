// SPDX-License-Identifier: MIT
// Rows of a sweep as lines of CSV or JSON.
#include "report/sweep.hpp"

#include <fmt/format.h>

#include "report/breakdown.hpp"
#include "report/document.hpp"
#include "report/layout.hpp"

namespace smsim::report {
namespace {

/// A text on one line: a line end inside of it would be taken for the end of the row.
std::string flat(const std::string& text) { return printable(text); }

}  // namespace

std::string sweep_csv_start(const std::string& id, std::uint64_t point) {
  return fmt::format("{},{},", id, point);
}

std::string sweep_csv_header(const SweepSpec& spec) {
  std::string line = "sweep,point,file,function,arch,warps";
  for (const SweepAxis& axis : spec.axes) line += "," + csv_field(axis.key);
  line += ",cycles_per_iteration,warp_instructions_per_cycle,periodic";
  for (const StallReasonInfo& reason : kStallReasons) line += fmt::format(",{}", reason.name);
  return line + ",error\n";
}

std::string sweep_csv_row(const std::string& id, const SweepRow& row) {
  std::string line = sweep_csv_start(id, row.point);
  line += fmt::format("{},{},{},{}", csv_field(flat(row.file)), csv_field(flat(row.function)),
                      csv_field(row.arch), row.warps);
  for (const std::string& value : row.values) line += "," + csv_field(flat(value));
  if (row.result) {
    const Result& r = *row.result;
    line += fmt::format(",{},{},{:d}", r.cycles_per_iteration, r.warp_instructions_per_cycle,
                        r.steady_state.periodic);
    for (const std::uint64_t slots : r.slots) line += fmt::format(",{}", per_iteration(r, slots));
  } else {
    line.append(3 + kStallReasonCount, ',');
  }
  return line + "," + csv_field(flat(row.error)) + "\n";
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
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace smsim::report
