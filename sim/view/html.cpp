// SPDX-License-Identifier: MIT
// The report page: one HTML file with everything in it, which opens without a network.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "report/assumed_way.hpp"
#include "report/breakdown.hpp"
#include "report/layout.hpp"
#include "report/page.hpp"
#include "smsim/report.hpp"
#include "view/assets.hpp"
#include "view/control_fields.hpp"
#include "view/html_analysis.hpp"
#include "view/look.hpp"
#include "view/page_data.hpp"

namespace smsim {
namespace {

using report::escaped;
using view::meter;

std::string fact(const char* name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
}

std::string facts(const Result& result) {
  const SteadyState& steady = result.steady_state;
  std::string text;
  text += fact("Device", escaped(result.arch));
  text += fact("Warps",
               fmt::format("{}, on {}", result.warps,
                           report::counted(static_cast<std::uint64_t>(report::busy_blocks(result)),
                                           "processing block")));
  text += fact("Instructions per cycle", report::issue_rate_text(result));
  text += fact("Code", fmt::format("{} to {}, {}", report::hex_address(result.loop.start),
                                   report::hex_address(result.loop.end),
                                   report::counted(result.loop.instructions, "instruction")));
  if (result.is_loop)
    text += fact(
        "Steady state",
        steady.periodic
            ? fmt::format("exact, repeats every {}", report::counted(steady.period_cycles, "cycle"))
            : fmt::format("none in {}; a mean",
                          report::counted(steady.iterations_simulated, "iteration")));
  if (const std::string way = report::assumed_way(result); !way.empty())
    text += fact("Slow path", escaped(way));
  if (result.dependency_mode)
    text += fact("Dependency mode", "control words were made up from latencies");
  if (result.incomplete) text += fact("Incomplete", "unknown opcodes were given a pipe");
  return text;
}

std::string slots_table(const Result& result) {
  const double all = static_cast<double>(result.window_cycles) * result.processing_blocks;
  std::string text =
      "<table><thead><tr><th>Reason</th><th class=\"n\">Slots</th><th class=\"n\">Share</th>"
      "<th class=\"wide\">&nbsp;</th><th>Meaning</th></tr></thead><tbody>\n";
  for (const report::ReasonCount& entry : report::sorted_reasons(result.slots)) {
    const double share = all > 0 ? static_cast<double>(entry.slots) / all : 0;
    text += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td><td>{}</td><td>{}</td></tr>\n",
        name_of(entry.reason), entry.slots, report::percent(share),
        meter(share, entry.reason == StallReason::selected ? "good" : ""),
        escaped(kStallReasons[static_cast<std::size_t>(entry.reason)].help));
  }
  return text + "</tbody></table>\n";
}

std::string control_cell(const ControlWord& control) {
  std::string text;
  for (const view::ControlField& field : view::control_fields(control))
    text += fmt::format(
        "<span class=\"f{}\" tabindex=\"0\" data-tip=\"{}\" aria-label=\"{}: {}\">{}</span>",
        field.set ? " set" : "", escaped(field.help), escaped(field.text), escaped(field.help),
        escaped(field.text));
  return text;
}

std::string instruction_cell(const InstructionRow& row) {
  const std::string reuse = view::reuse_help(row.control);
  if (reuse.empty()) return escaped(row.text);
  return fmt::format("<span class=\"f\" tabindex=\"0\" data-tip=\"{}\">{}</span>", escaped(reuse),
                     escaped(row.text));
}

std::string reasons_text(const Result& result, const InstructionRow& row) {
  std::string text;
  for (const report::ReasonCount& entry : report::lost_reasons(result, row))
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", report::leaf_name(entry.reason),
                        report::short_number(report::per_iteration(result, entry.slots)));
  return text;
}

std::string loop_table(const Result& result) {
  std::uint64_t worst = 1;
  for (const InstructionRow& row : result.instructions)
    worst = std::max(worst, report::lost_slots(row.slots));
  std::string text =
      "<div class=\"table\"><table><thead><tr><th>Address</th><th>Control word</th>"
      "<th>Instruction</th><th>Pipe</th><th "
      "class=\"n\">Lost</th><th>Why</th></tr></thead><tbody>\n";
  for (const InstructionRow& row : result.instructions) {
    const std::uint64_t lost = report::lost_slots(row.slots);
    const std::string slots = report::short_number(report::per_iteration(result, lost));
    text += fmt::format(
        "<tr{}><td class=\"code\">{}</td><td class=\"code\">{}</td><td class=\"code\">{}</td>"
        "<td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
        lost == worst ? " class=\"worst\"" : "", report::hex_address(row.address),
        control_cell(row.control), instruction_cell(row), escaped(row.pipe),
        slots == "0" ? "" : slots, reasons_text(result, row));
  }
  return text + "</tbody></table></div>\n";
}

std::string banks_table(const Result& result) {
  std::string text =
      "<table><thead><tr><th>Bank</th><th class=\"n\">Reads of a warp an iteration</th>"
      "<th class=\"n\">Busy</th><th class=\"wide\">&nbsp;</th></tr></thead><tbody>\n";
  for (const BankUse& bank : result.banks)
    text += fmt::format(
        "<tr><td>bank {}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
        bank.bank, report::short_number(bank.reads_per_iteration), report::percent(bank.busy),
        meter(bank.busy, "good"));
  return text + "</tbody></table>\n";
}

std::string assumptions(const Result& result) {
  if (result.assumptions.empty()) return "<p>Nothing had to be assumed.</p>\n";
  std::string text = "<ul>\n";
  for (const std::string& one : result.assumptions)
    text += fmt::format("<li>{}</li>\n", escaped(one));
  return text + "</ul>\n";
}

std::string timeline_note(const Recording& recording, const view::PageData& page) {
  std::string text =
      recording.first_iteration == recording.last_iteration
          ? fmt::format("Iteration {}", recording.first_iteration)
          : fmt::format("Iterations {} to {}", recording.first_iteration, recording.last_iteration);
  text += fmt::format(" of the warps of processing block {}.", page.block);
  if (page.left_out > 0) text += fmt::format(" {} of its warps are left out.", page.left_out);
  return text;
}

/// JSON inside a script element may not end it.
std::string in_script(const nlohmann::ordered_json& json) {
  std::string text = json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  for (std::size_t at = text.find("</"); at != std::string::npos; at = text.find("</", at + 3))
    text.replace(at, 2, "<\\/");
  return text;
}

std::map<std::string, std::string, std::less<>> parts_of(const LoopReport& report) {
  const Recording& recording = report.recording;
  const Result& result = recording.result;
  const view::PageData page = view::page_data(recording);
  const std::string heading = escaped(result.function) + " on " + escaped(result.arch);
  return {
      {"TITLE", heading + ": smsim report"},
      {"HEADING", heading},
      {"STYLE", std::string(assets::report_css)},
      {"SCRIPT", std::string(assets::report_js)},
      {"CYCLES", report::short_number(result.cycles_per_iteration)},
      {"CYCLES_UNIT", result.is_loop ? "cycles per iteration" : "cycles for one pass"},
      {"BOTTLENECK", escaped(result.bottleneck)},
      {"FACTS", facts(result)},
      {"SLOTS_NOTE",
       fmt::format("{} cycles on {} processing blocks: each of the {} slots issued an instruction, "
                   "or was lost to one reason.",
                   result.window_cycles, result.processing_blocks,
                   result.window_cycles * static_cast<std::uint64_t>(result.processing_blocks))},
      {"SLOTS", slots_table(result)},
      {"LOOP_HEADING", result.is_loop ? "The loop" : "The pass"},
      {"LOOP", loop_table(result)},
      {"TIMELINE_NOTE", timeline_note(recording, page)},
      {"BANKS", banks_table(result)},
      {"BOUNDS", view::bounds_table(report.bounds)},
      {"WHAT_IF", view::what_if_table(report.what_if)},
      {"GRAPH", view::graph_figure(report.graph)},
      {"OCCUPANCY_NOTE", view::occupancy_note(report.occupancy, result.warps)},
      {"OCCUPANCY", view::occupancy_figure(report.occupancy, result.warps)},
      {"LINT", view::lint_list(report.findings, result)},
      {"ASSUMPTIONS", assumptions(result)},
      {"FOOTER", "Made by smsim. Figures are predictions, in cycles of the SM."},
      {"DATA", in_script(page.json)},
  };
}

}  // namespace

void write_html(std::ostream& out, const LoopReport& report) {
  const auto parts = parts_of(report);
  std::string_view page = assets::report_html;
  while (!page.empty()) {
    const std::size_t at = page.find('@');
    out << page.substr(0, at);
    if (at == std::string_view::npos) return;
    const std::size_t end = page.find('@', at + 1);
    out << parts.at(std::string(page.substr(at + 1, end - at - 1)));
    page.remove_prefix(end + 1);
  }
}

}  // namespace smsim
