// SPDX-License-Identifier: MIT
// The text output: summary, issue slots, the loop, pipes and banks, and what the figure rests on.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "report/assumed_way.hpp"
#include "report/breakdown.hpp"
#include "report/layout.hpp"
#include "report/page.hpp"
#include "report/text_loop.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

using report::Ink;
using report::Page;

constexpr std::size_t kBarColumns = 40;

/// What all sections write to and with.
struct Report {
  Page page;
  const Result& result;
};

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

void write_summary(const Report& report) {
  const Result& result = report.result;
  const Page& page = report.page;
  page.heading(result);
  page.entry(result.is_loop ? "Cycles per iteration" : "Cycles of one pass",
             report::cycles_text(result), Ink::bold);
  page.entry("Instructions per cycle", report::issue_rate_text(result));
  page.entry(result.is_loop ? "Loop" : "Code",
             fmt::format("{} to {}, {}", report::hex_address(result.loop.start),
                         report::hex_address(result.loop.end),
                         report::counted(result.loop.instructions, "instruction")));
  page.entry("Warps", report::warps_text(result));
  page.entry("Steady state", steady_text(result));
  if (!result.bottleneck.empty()) page.entry("Bottleneck", result.bottleneck);
  if (result.is_loop)
    page.entry("What to change", "`smsim whatif` says: the largest loss is not always the gain");
  if (const std::string way = report::assumed_way(result); !way.empty())
    page.entry("Slow path", way, Ink::worst);
  if (result.dependency_mode)
    page.entry("Dependency mode", "no control words in the input; they were made up; see the notes",
               Ink::worst);
  if (result.incomplete)
    page.entry("Incomplete", "unknown opcodes were given a pipe; see the notes", Ink::worst);
}

/// `name   amount   share  ####`
void write_share(const Page& page, std::string_view name, std::string_view amount, double share,
                 Ink ink) {
  const std::string start =
      fmt::format("  {}{}{}  ", report::pad_right(page.fitted(name, 30), 30),
                  report::pad_left(amount, 10), report::pad_left(report::percent(share), 10));
  const std::size_t room = page.width() > start.size() ? page.width() - start.size() : 0;
  page.out() << start << page.paint()(ink, report::bar(share, std::min(kBarColumns, room))) << '\n';
}

void write_slots(const Report& report) {
  const Result& result = report.result;
  const auto blocks = static_cast<std::uint64_t>(std::max(0, result.processing_blocks));
  const std::uint64_t all = result.window_cycles * blocks;
  report.page.title("Issue slots",
                    fmt::format("{} in {} on {}: {} slots",
                                report::counted(result.window_iterations, "iteration"),
                                report::counted(result.window_cycles, "cycle"),
                                report::counted(blocks, "processing block"), all));
  for (const report::ReasonCount& entry : report::sorted_reasons(result.slots)) {
    const double share = all == 0 ? 0 : static_cast<double>(entry.slots) / static_cast<double>(all);
    write_share(report.page, name_of(entry.reason), std::to_string(entry.slots), share,
                entry.reason == StallReason::selected ? Ink::good : Ink::lost);
  }
}

void write_units(const Report& report) {
  const Result& result = report.result;
  if (!result.pipes.empty()) {
    report.page.title("Pipes", "busy share of the cycles");
    for (const PipeUse& pipe : result.pipes)
      write_share(report.page, report::printable(pipe.name), "", pipe.busy, Ink::good);
  }
  if (!result.banks.empty()) {
    report.page.title("Register banks", "reads of one warp an iteration, busy share of the cycles");
    for (const BankUse& bank : result.banks) {
      write_share(report.page, fmt::format("bank {}", bank.bank),
                  report::short_number(bank.reads_per_iteration), bank.busy, Ink::good);
    }
  }
}

void write_other_loops(const Report& report) {
  if (report.result.other_loops.empty()) return;
  report.page.title("Other loops", "--loop picks one");
  for (const Loop& loop : report.result.other_loops) {
    report.page.out() << "  " << report::hex_address(loop.start) << "-"
                      << report::hex_address(loop.end) << ", "
                      << report::counted(loop.instructions, "instruction") << '\n';
  }
}

}  // namespace

void write_text(std::ostream& out, const Result& result, const TextOptions& options) {
  const Report report{Page(out, options), result};
  TextOptions fitted = options;
  fitted.width = static_cast<int>(report.page.width());
  write_summary(report);
  write_slots(report);
  if (!result.instructions.empty()) report::write_loop_table(out, result, fitted);
  write_units(report);
  write_other_loops(report);
  report.page.assumptions(result.assumptions);
}

}  // namespace smsim
