// SPDX-License-Identifier: MIT
// What remap found, as text and JSON.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "report/document.hpp"
#include "report/page.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

using report::Ink;
using report::Json;

const Bound* largest(const Bounds& bounds) {
  return bounds.bounds.empty() ? nullptr : &bounds.bounds.front();
}

double gain(const Remapped& remapped) {
  return remapped.before.simulated.cycles_per_iteration / remapped.after.cycles_per_iteration - 1;
}

std::string bound_text(const Remapped& remapped) {
  std::string text = fmt::format("{} cycles if no read ever waited for a bank",
                                 report::short_number(remapped.floor));
  if (const Bound* bound = largest(remapped.before))
    text += fmt::format("; the largest other limit is {}: {}", bound->name,
                        report::short_number(bound->cycles));
  return text;
}

std::string names_text(const Remapped& remapped) {
  if (!remapped.obstacle.empty())
    return fmt::format("none may change its name ({})", remapped.obstacle);
  return fmt::format("{} of {} may have another name{}", remapped.movable, remapped.values,
                     remapped.movable > 0
                         ? ""
                         : ": without its kernel around it, a loop's values are used outside");
}

std::string registers_text(const Remapped& remapped) {
  return remapped.registers_before == remapped.registers_after
             ? fmt::format("{} before and after", remapped.registers_before)
             : fmt::format("{} before, {} after", remapped.registers_before,
                           remapped.registers_after);
}

void write_changes(const report::Page& page, const Remapped& remapped) {
  const auto inside = std::count_if(remapped.changes.begin(), remapped.changes.end(),
                                    [](const RemapChange& c) { return c.in_loop; });
  page.title("Changes", fmt::format("{} in the loop, {} elsewhere", inside,
                                    static_cast<std::ptrdiff_t>(remapped.changes.size()) - inside));
  report::Table table({"address", "before", "after"}, {1, 2});
  for (const RemapChange& change : remapped.changes)
    table.row({report::hex_address(change.address), report::printable(change.before),
               report::printable(change.after)});
  table.write(page);
}

void write_others(const report::Page& page, const Remapped& remapped) {
  if (remapped.other_before.empty()) return;
  page.title("Other loops", "cycles per iteration, before and after");
  report::Table table({"loop", "before", "after"});
  for (std::size_t i = 0; i < remapped.other_before.size(); ++i) {
    const Result& before = remapped.other_before[i];
    table.row({report::hex_address(before.loop.start) + "-" + report::hex_address(before.loop.end),
               report::short_number(before.cycles_per_iteration),
               report::short_number(remapped.other_after[i].cycles_per_iteration)});
  }
  table.write(page);
}

}  // namespace

void write_text(std::ostream& out, const Remapped& remapped, const TextOptions& options) {
  const report::Page page(out, options);
  const Result& before = remapped.before.simulated;
  page.heading(before);
  page.entry(
      before.is_loop ? "Cycles per iteration" : "Cycles of one pass",
      remapped.changes.empty()
          ? fmt::format("{}: nothing to gain by names and reuse flags", report::cycles_text(before))
          : fmt::format("{} -> {}, {} faster", report::cycles_text(before),
                        report::cycles_text(remapped.after), report::percent(gain(remapped))),
      Ink::bold);
  page.entry("Bound", bound_text(remapped));
  page.entry("Warps", report::warps_text(before));
  page.entry("Values", names_text(remapped));
  page.entry("Registers", registers_text(remapped));
  if (!remapped.changes.empty()) {
    write_changes(page, remapped);
    write_others(page, remapped);
  }
  page.assumptions(remapped.after.assumptions);
}

void write_json(std::ostream& out, const Remapped& remapped) {
  Json document = report::document_of(remapped.before.simulated);
  document["cycles_before"] = remapped.before.simulated.cycles_per_iteration;
  document["cycles_after"] = remapped.after.cycles_per_iteration;
  document["cycles_without_bank_conflicts"] = remapped.floor;
  if (const Bound* bound = largest(remapped.before))
    document["bound"] = {{"name", bound->name}, {"cycles", bound->cycles}};
  document["values"] = remapped.values;
  document["movable_values"] = remapped.movable;
  document["obstacle"] = remapped.obstacle;
  document["registers_before"] = remapped.registers_before;
  document["registers_after"] = remapped.registers_after;
  document["changes"] = Json::array();
  for (const RemapChange& change : remapped.changes)
    document["changes"].push_back({{"address", report::json_address(change.address)},
                                   {"before", change.before},
                                   {"after", change.after},
                                   {"in_loop", change.in_loop}});
  document["other_loops"] = Json::array();
  for (std::size_t i = 0; i < remapped.other_before.size(); ++i)
    document["other_loops"].push_back(
        {{"start", report::json_address(remapped.other_before[i].loop.start)},
         {"end", report::json_address(remapped.other_before[i].loop.end)},
         {"cycles_before", remapped.other_before[i].cycles_per_iteration},
         {"cycles_after", remapped.other_after[i].cycles_per_iteration}});
  document["assumptions"] = remapped.after.assumptions;
  report::write_document(out, document);
}

}  // namespace smsim
