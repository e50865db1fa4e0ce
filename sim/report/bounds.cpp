// SPDX-License-Identifier: MIT
// Bounds as text, JSON and CSV.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "report/document.hpp"
#include "report/page.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

using report::Ink;
using report::Json;

std::string tight_text(const Bounds& bounds) {
  std::string text;
  for (const Bound& b : bounds.bounds)
    if (b.tight) text += fmt::format("{}{}", text.empty() ? "" : ", ", b.name);
  if (!text.empty()) return text;
  return "none of them alone: what is lost comes from several together, or from conflicts";
}

}  // namespace

void write_text(std::ostream& out, const Bounds& bounds, const TextOptions& options) {
  const report::Page page(out, options);
  const Result& result = bounds.simulated;
  page.heading(result);
  page.entry(result.is_loop ? "Cycles per iteration" : "Cycles of one pass",
             report::cycles_text(result) + ", simulated", Ink::bold);
  page.entry("Warps", report::warps_text(result));
  page.entry("Bottlenecks", tight_text(bounds));
  page.title("Bounds",
             "each limit alone, in cycles and as a share of the simulation; * within 2 %");
  report::Table table({"limit", "cycles", "share", "", "what it is"}, {3, 4});
  for (const Bound& b : bounds.bounds)
    table.row({b.name, report::short_number(b.cycles),
               report::percent(b.cycles / result.cycles_per_iteration), b.tight ? "*" : "",
               b.help});
  table.write(page);
  page.assumptions(result.assumptions);
}

void write_json(std::ostream& out, const Bounds& bounds) {
  const Result& result = bounds.simulated;
  Json document = report::document_of(result);
  document["cycles_per_iteration"] = result.cycles_per_iteration;
  document["bounds"] = Json::array();
  for (const Bound& b : bounds.bounds)
    document["bounds"].push_back(
        {{"name", b.name}, {"cycles", b.cycles}, {"tight", b.tight}, {"help", b.help}});
  document["resources"] = Json::array();
  for (std::size_t r = 0; r < bounds.use.resources.size(); ++r)
    document["resources"].push_back(
        {{"name", bounds.use.resources[r]}, {"warps", bounds.use.warps[r]}});
  document["use"] = Json::array();
  for (std::size_t i = 0; i < bounds.use.rows.size(); ++i)
    document["use"].push_back({{"address", report::json_address(result.instructions[i].address)},
                               {"text", result.instructions[i].text},
                               {"cycles", bounds.use.rows[i]}});
  document["assumptions"] = result.assumptions;
  report::write_document(out, document);
}

void write_csv(std::ostream& out, const Bounds& bounds) {
  out << "function,arch,warps,limit,cycles,tight,cycles_per_iteration\n";
  for (const Bound& b : bounds.bounds)
    out << fmt::format("{},{},{},{},{},{:d},{}\n", report::csv_field(bounds.simulated.function),
                       report::csv_field(bounds.simulated.arch), bounds.simulated.warps,
                       report::csv_field(b.name), b.cycles, b.tight,
                       bounds.simulated.cycles_per_iteration);
}

}  // namespace smsim
