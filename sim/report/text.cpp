// SPDX-License-Identifier: MIT
// The text output: summary, issue slots, the loop, pipes and banks, and what the figure rests on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "report/breakdown.hpp"
#include "report/layout.hpp"
#include "report/text_loop.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

using report::Ink;
using report::Paint;

constexpr int kLeastWidth = 80;
constexpr std::size_t kLabelColumns = 24;
constexpr std::size_t kBarColumns = 40;

/// What all sections write to and with.
struct Page {
  std::ostream& out;
  const Result& result;
  Paint paint;
  std::size_t width;
};

void write_title(const Page& page, std::string_view title, std::string_view aside) {
  page.out << '\n' << page.paint(Ink::bold, title);
  const std::string fitted = report::ellipsize(aside, page.width - title.size() - 2);
  if (!aside.empty()) page.out << "  " << page.paint(Ink::dim, fitted);
  page.out << "\n\n";
}

/// `label   text`, the text wrapped under itself.
void write_entry(const Page& page, std::string_view label, std::string_view text,
                 Ink ink = Ink::plain) {
  const std::string indent(kLabelColumns + 2, ' ');
  bool first = true;
  for (const std::string& line :
       report::wrap(report::printable(text), page.width - indent.size())) {
    page.out << (first ? "  " + report::pad_right(label, kLabelColumns) : indent)
             << page.paint(ink, line) << '\n';
    first = false;
  }
}

/// `16, 4 on each of 4 processing blocks`, or the blocks one by one.
std::string warps_text(const Result& result) {
  const int blocks = std::max(1, result.processing_blocks);
  const int each = result.warps / blocks;
  const int more = result.warps % blocks;
  if (more == 0)
    return fmt::format("{}, {} on each of {} processing blocks", result.warps, each, blocks);
  std::string split;
  for (int block = 0; block < blocks; ++block) {
    split += fmt::format("{}{}", block == 0 ? "" : ", ", each + (block < more ? 1 : 0));
  }
  return fmt::format("{}: {} on processing blocks 0 to {}", result.warps, split, blocks - 1);
}

std::string cycles_text(const Result& result) {
  const bool is_fraction = result.is_loop && result.steady_state.periodic &&
                           result.window_iterations != 0 &&
                           std::abs(static_cast<double>(result.window_cycles) /
                                        static_cast<double>(result.window_iterations) -
                                    result.cycles_per_iteration) < 1e-9;
  return is_fraction ? report::fraction(result.window_cycles, result.window_iterations)
                     : report::short_number(result.cycles_per_iteration);
}

std::string steady_text(const Result& result) {
  const SteadyState& steady = result.steady_state;
  if (!result.is_loop) return "none: one pass from the first instruction to EXIT";
  if (steady.periodic) {
    const std::string period = steady.period_iterations == 1
                                   ? "iteration"
                                   : report::counted(steady.period_iterations, "iteration");
    return fmt::format("exact: repeats every {} ({}); {} simulated", period,
                       report::counted(steady.period_cycles, "cycle"),
                       report::counted(steady.iterations_simulated, "iteration"));
  }
  return fmt::format("none in {}: a mean; iterations differ by up to {} cycles",
                     report::counted(steady.iterations_simulated, "iteration"),
                     report::short_number(steady.spread_cycles));
}

void write_summary(const Page& page) {
  const Result& result = page.result;
  const std::string own_sm = result.sm == 0 ? "" : fmt::format(" (sm_{})", result.sm);
  const std::string where = fmt::format(" on {}{}", report::printable(result.arch), own_sm);
  const std::size_t room = page.width > where.size() + 20 ? page.width - where.size() : 20;
  const std::string name = report::ellipsize(report::printable(result.function), room);
  page.out << page.paint(Ink::bold, name)
           << report::ellipsize(where, page.width - report::columns(name)) << "\n\n";
  write_entry(page, result.is_loop ? "Cycles per iteration" : "Cycles of one pass",
              cycles_text(result), Ink::bold);
  const int blocks = std::max(1, result.processing_blocks);
  write_entry(page, "Instructions per cycle",
              fmt::format("{} of at most {}",
                          report::short_number(result.warp_instructions_per_cycle), blocks));
  write_entry(page, result.is_loop ? "Loop" : "Code",
              fmt::format("{} to {}, {}", report::hex_address(result.loop.start),
                          report::hex_address(result.loop.end),
                          report::counted(result.loop.instructions, "instruction")));
  write_entry(page, "Warps", warps_text(result));
  write_entry(page, "Steady state", steady_text(result));
  if (!result.bottleneck.empty()) write_entry(page, "Bottleneck", result.bottleneck);
  if (result.incomplete) {
    write_entry(page, "Incomplete", "unknown opcodes were given a pipe; see the notes", Ink::worst);
  }
}

/// `name   amount   share  ####`
void write_share(const Page& page, std::string_view name, std::string_view amount, double share,
                 Ink ink) {
  const std::string start =
      fmt::format("  {}{}{}  ", report::pad_right(report::ellipsize(name, 30), 30),
                  report::pad_left(amount, 10), report::pad_left(report::percent(share), 10));
  const std::size_t room = page.width > start.size() ? page.width - start.size() : 0;
  page.out << start << page.paint(ink, report::bar(share, std::min(kBarColumns, room))) << '\n';
}

void write_slots(const Page& page) {
  const Result& result = page.result;
  const auto blocks = static_cast<std::uint64_t>(std::max(0, result.processing_blocks));
  const std::uint64_t all = result.window_cycles * blocks;
  write_title(page, "Issue slots",
              fmt::format("{} in {} on {}: {} slots",
                          report::counted(result.window_iterations, "iteration"),
                          report::counted(result.window_cycles, "cycle"),
                          report::counted(blocks, "processing block"), all));
  for (const report::ReasonCount& entry : report::sorted_reasons(result.slots)) {
    const double share = all == 0 ? 0 : static_cast<double>(entry.slots) / static_cast<double>(all);
    write_share(page, name_of(entry.reason), std::to_string(entry.slots), share,
                entry.reason == StallReason::selected ? Ink::good : Ink::lost);
  }
}

void write_units(const Page& page) {
  const Result& result = page.result;
  if (!result.pipes.empty()) {
    write_title(page, "Pipes", "busy share of the cycles");
    for (const PipeUse& pipe : result.pipes)
      write_share(page, report::printable(pipe.name), "", pipe.busy, Ink::good);
  }
  if (!result.banks.empty()) {
    write_title(page, "Register banks", "reads of one warp an iteration, busy share of the cycles");
    for (const BankUse& bank : result.banks) {
      write_share(page, fmt::format("bank {}", bank.bank),
                  report::short_number(bank.reads_per_iteration), bank.busy, Ink::good);
    }
  }
}

void write_item(const Page& page, std::string_view text) {
  bool first = true;
  for (const std::string& line : report::wrap(report::printable(text), page.width - 4)) {
    page.out << (first ? "  - " : "    ") << line << '\n';
    first = false;
  }
}

void write_notes(const Page& page) {
  const Result& result = page.result;
  if (!result.other_loops.empty()) {
    write_title(page, "Other loops", "--loop picks one");
    for (const Loop& loop : result.other_loops) {
      page.out << "  " << report::hex_address(loop.start) << "-" << report::hex_address(loop.end)
               << ", " << report::counted(loop.instructions, "instruction") << '\n';
    }
  }
  if (!result.assumptions.empty()) {
    write_title(page, "Assumptions", "");
    for (const std::string& assumption : result.assumptions) write_item(page, assumption);
  }
}

}  // namespace

void write_text(std::ostream& out, const Result& result, const TextOptions& options) {
  TextOptions fitted = options;
  fitted.width = std::max(options.width, kLeastWidth);
  const Page page{out, result, Paint(fitted.color), static_cast<std::size_t>(fitted.width)};
  write_summary(page);
  write_slots(page);
  if (!result.instructions.empty()) report::write_loop_table(out, result, fitted);
  write_units(page);
  write_notes(page);
}

}  // namespace smsim
