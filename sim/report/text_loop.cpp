// SPDX-License-Identifier: MIT
// The loop in the text report: one line an instruction, with its control word and the slots lost
// before it.
#include "report/text_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "report/breakdown.hpp"

namespace smsim::report {
namespace {

constexpr std::size_t kControlColumns = 19;   // B------:R-:W-:-:S01
constexpr std::size_t kLeastWhyColumns = 22;  // "barrier 12.5, yield 1"
constexpr std::size_t kMostWhyColumns = 44;
constexpr std::size_t kAllWhyColumns = 1000;  // of lines that are not cut

/// One line's texts, before they are cut to their columns.
struct Line {
  std::string address;
  std::string control;
  std::string text;
  std::string lost;
  std::vector<std::string> reasons;
  double slots = 0;
};

/// `stall_count 3`, `bank_conflict 1`: the main reasons with their slots per iteration.
std::vector<std::string> main_reasons(const Result& result, const InstructionRow& row) {
  std::vector<std::string> reasons;
  for (const ReasonCount& entry : lost_reasons(result, row))
    reasons.push_back(fmt::format("{} {}", leaf_name(entry.reason),
                                  short_number(per_iteration(result, entry.slots))));
  return reasons;
}

/// As many whole reasons as fit, and dots for the others.
std::string join_reasons(const std::vector<std::string>& reasons, std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const std::string next = (i == 0 ? "" : ", ") + reasons[i];
    const std::string_view dots = i + 1 == reasons.size() ? "" : ", ...";
    if (i != 0 && text.size() + next.size() + dots.size() > width) return text + ", ...";
    text += next;
  }
  return text;
}

std::vector<Line> lines_of(const Result& result) {
  std::vector<Line> lines;
  for (const InstructionRow& row : result.instructions) {
    Line line;
    line.address = hex_address(row.address);
    line.control = control_notation(row.control);
    line.text = printable(row.text);
    line.slots = per_iteration(result, lost_slots(row.slots));
    line.lost = short_number(line.slots);
    if (line.lost == "0") line.lost.clear();
    line.reasons = main_reasons(result, row);
    lines.push_back(std::move(line));
  }
  return lines;
}

struct Columns {
  std::size_t address = 7;
  std::size_t text = 11;
  std::size_t lost = 6;
  std::size_t why = 3;
};

/// The instruction gets what it needs as long as the reasons keep kLeastWhyColumns.
Columns fit(const std::vector<Line>& lines, const TextOptions& options) {
  const auto width = static_cast<std::size_t>(options.width);
  Columns need;
  for (const Line& line : lines) {
    need.address = std::max(need.address, line.address.size());
    need.text = std::max(need.text, columns(line.text));
    need.lost = std::max(need.lost, line.lost.size());
    need.why = std::max(need.why, join_reasons(line.reasons, kMostWhyColumns).size());
  }
  if (!options.cut) {
    need.why = kAllWhyColumns;
    return need;
  }
  constexpr std::size_t kGaps = 5 * 2;
  const std::size_t fixed = kGaps + need.address + kControlColumns + need.lost;
  constexpr std::size_t kLeast = 12;
  const std::size_t left = width > fixed + kLeast ? width - fixed : kLeast;
  if (need.text + need.why <= left) return need;
  const std::size_t least = std::min({need.why, kLeastWhyColumns, left / 2});
  need.text = std::min(need.text, left - least);
  need.why = left - need.text;
  return need;
}

void write_line(std::ostream& out, const Columns& fitted, const Line& line, const Paint& paint,
                Ink ink) {
  const std::string why = ellipsize(join_reasons(line.reasons, fitted.why), fitted.why);
  out << "  " << paint(Ink::dim, pad_right(line.address, fitted.address)) << "  "
      << pad_right(line.control, kControlColumns) << "  ";
  if (line.lost.empty() && why.empty()) {
    out << ellipsize(line.text, fitted.text) << '\n';
    return;
  }
  out << pad_right(ellipsize(line.text, fitted.text), fitted.text) << "  "
      << paint(ink, pad_left(line.lost, fitted.lost)) << "  " << paint(ink, why) << '\n';
}

/// Whether a row's figure is none that any processing block has: the mean of different ones.
bool blocks_differ(const Result& result) {
  return result.window_iterations == 1 && busy_blocks(result) > 1 &&
         std::any_of(
             result.instructions.begin(), result.instructions.end(),
             [&](const InstructionRow& row) {
               return lost_slots(row.slots) % static_cast<std::uint64_t>(busy_blocks(result)) != 0;
             });
}

/// Issued and lost slots beside the cycles that they add up to.
void write_sum(std::ostream& out, const Result& result, std::size_t width) {
  std::uint64_t issued = 0;
  std::uint64_t lost = 0;
  for (const InstructionRow& row : result.instructions) {
    issued += row.slots[static_cast<std::size_t>(StallReason::selected)];
    lost += lost_slots(row.slots);
  }
  const double cycles = per_iteration(result, result.window_cycles) * busy_blocks(result);
  const double rest = cycles - per_iteration(result, issued + lost);
  std::string sum =
      fmt::format("  {} issued + {} lost", short_number(per_iteration(result, issued)),
                  short_number(per_iteration(result, lost)));
  if (std::abs(rest) > 0.005) sum += fmt::format(" + {} without a warp", short_number(rest));
  sum += fmt::format(" = {} cycles of a processing block", short_number(cycles));
  out << '\n' << ellipsize(sum, width) << '\n';
  if (blocks_differ(result))
    out << "  A fraction is a mean of processing blocks that differ; `smsim timeline --block 1` "
           "shows "
           "one.\n";
  if (!result.is_loop || std::abs(cycles - result.cycles_per_iteration) < 0.005) return;
  const std::string why = fmt::format(
      "These are the {} of the window that slots were counted in; the {} on top are the mean of "
      "all "
      "iterations.",
      counted(result.window_iterations, "iteration"), short_number(result.cycles_per_iteration));
  for (const std::string& line : wrap(why, width - 2)) out << "  " << line << '\n';
}

}  // namespace

void write_loop_table(std::ostream& out, const Result& result, const TextOptions& options) {
  const Paint paint(options.color);
  const std::vector<Line> lines = lines_of(result);
  const Columns fitted = fit(lines, options);
  double worst = 0;
  for (const Line& line : lines) worst = std::max(worst, line.slots);

  out << '\n'
      << paint(Ink::bold, result.is_loop ? "The loop" : "The pass") << "  "
      << paint(Ink::dim, result.is_loop
                             ? "lost: issue slots before it, per iteration and processing block"
                             : "lost: issue slots before it, per processing block")
      << "\n\n";
  const Line heading{"address", "control", "instruction", "lost", {"why"}, 0};
  write_line(out, fitted, heading, paint, Ink::plain);
  for (const Line& line : lines) {
    const bool is_worst = line.slots > 0 && line.slots == worst;
    write_line(out, fitted, line, paint, is_worst ? Ink::worst : Ink::lost);
  }
  write_sum(out, result, static_cast<std::size_t>(options.width));
}

}  // namespace smsim::report
