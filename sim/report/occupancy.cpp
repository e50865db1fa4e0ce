// SPDX-License-Identifier: MIT
// A loop over numbers of warps as text, JSON and CSV.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "report/breakdown.hpp"
#include "report/document.hpp"
#include "report/page.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

using report::Ink;
using report::Json;

constexpr std::size_t kRateColumns = 30;

/// The reason that costs most, and its share of the slots of blocks that have warps.
std::string most_lost(const Result& point) {
  constexpr auto kIdle = static_cast<std::size_t>(StallReason::no_warp);
  Slots slots = point.slots;
  slots[kIdle] = 0;
  const auto reasons = report::sorted_reasons(slots);
  double all = 0;
  for (const std::uint64_t n : slots) all += static_cast<double>(n);
  for (const report::ReasonCount& r : reasons)
    if (r.reason != StallReason::selected && r.slots > 0)
      return fmt::format("{} {:.0f} %", report::leaf_name(r.reason),
                         100 * static_cast<double>(r.slots) / all);
  return "";
}

}  // namespace

void write_text(std::ostream& out, const Occupancy& curve, const TextOptions& options) {
  const report::Page page(out, options);
  page.heading(curve.points.front());
  page.entry("Knee",
             fmt::format("{} do {:.0f} % of the most work that any of these numbers does",
                         report::counted(static_cast<std::uint64_t>(curve.knee), "warp"),
                         100 * curve.rate(curve.knee) / curve.best_rate()),
             Ink::bold);
  page.title("Occupancy", "warps on the SM; work: warp iterations in 1000 cycles");
  report::Table table({"warps", "cycles", "work", "", "most slots lost to"}, {3, 4});
  for (int w = 1; w <= static_cast<int>(curve.points.size()); ++w) {
    const Result& point = curve.points[static_cast<std::size_t>(w - 1)];
    table.row({fmt::format("{}{}", w == curve.knee ? "> " : "", w),
               report::short_number(point.cycles_per_iteration),
               fmt::format("{:.1f}", curve.rate(w)),
               report::bar(curve.rate(w) / curve.best_rate(), kRateColumns), most_lost(point)});
  }
  table.write(page);
  page.assumptions(curve.points.front().assumptions);
}

void write_json(std::ostream& out, const Occupancy& curve) {
  Json document = report::document_of(curve.points.front());
  document.erase("warps");
  document["knee"] = curve.knee;
  document["points"] = Json::array();
  for (const Result& point : curve.points)
    document["points"].push_back({{"warps", point.warps},
                                  {"cycles_per_iteration", point.cycles_per_iteration},
                                  {"warp_iterations_per_1000_cycles", curve.rate(point.warps)},
                                  {"periodic", point.steady_state.periodic},
                                  {"slots", report::json_slots(point, point.slots)}});
  document["assumptions"] = curve.points.front().assumptions;
  report::write_document(out, document);
}

void write_csv(std::ostream& out, const Occupancy& curve) {
  out << "function,arch,warps,cycles_per_iteration,warp_iterations_per_1000_cycles";
  for (const StallReasonInfo& reason : kStallReasons) out << ',' << reason.name;
  out << '\n';
  for (const Result& point : curve.points) {
    out << fmt::format("{},{},{},{},{}", report::csv_field(point.function),
                       report::csv_field(point.arch), point.warps, point.cycles_per_iteration,
                       curve.rate(point.warps));
    for (std::size_t r = 0; r < kStallReasonCount; ++r)
      out << fmt::format(",{}", report::per_iteration(point, point.slots[r]));
    out << '\n';
  }
}

}  // namespace smsim
