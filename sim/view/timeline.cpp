// SPDX-License-Identifier: MIT
// The timeline for a terminal: a row an instruction, a column a cycle, wrapped into panels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <ostream>
#include <set>

#include "report/layout.hpp"
#include "smsim/report.hpp"
#include "view/cells.hpp"

namespace smsim {
namespace {

using report::Ink;
using view::Cell;
using view::CellRow;
using view::Phase;

constexpr std::size_t kLeastLabel = 16;
constexpr std::size_t kMostLabel = 34;
constexpr std::size_t kShortLabel = 24;
constexpr std::size_t kGaps = 4;     ///< columns beside label and cells
constexpr std::int64_t kRuler = 10;  ///< columns between two numbers
constexpr int kLeastWidth = 60;

struct Row {
  const RecordedInstruction* instruction = nullptr;
  std::string label;
  CellRow cells;
};

/// What all panels share.
struct Sheet {
  const Recording& recording;
  report::Paint paint;
  std::size_t width = 100;
  std::size_t label = kLeastLabel;
  std::int64_t begin = 0;  ///< cycle 0 of the ruler
  std::int64_t end = 0;
  bool heading = true;
  std::vector<Row> rows;
};

bool is_shown(const RecordedInstruction& one, const TimelineOptions& options) {
  return options.block < 0 || one.block == options.block;
}

/// Columns of a panel: all cycles if they fit, else a multiple of the ruler's.
std::int64_t panel_columns(const Sheet& sheet, std::size_t label) {
  const auto room = static_cast<std::int64_t>(sheet.width - label - kGaps);
  const std::int64_t cycles = sheet.end - sheet.begin;
  return cycles <= room ? std::max<std::int64_t>(1, cycles) : room / kRuler * kRuler;
}

/// Shorter labels, where that saves a panel.
void shrink_labels(Sheet& sheet) {
  const auto panels = [&](std::size_t label) {
    const std::int64_t columns = panel_columns(sheet, label);
    return (sheet.end - sheet.begin + columns - 1) / columns;
  };
  const std::int64_t least = panels(std::min(sheet.label, kShortLabel));
  while (panels(sheet.label) > least) --sheet.label;
}

Sheet make_sheet(const Recording& recording, const TimelineOptions& options) {
  Sheet sheet{recording,
              report::Paint(options.color),
              static_cast<std::size_t>(std::max(kLeastWidth, options.width)),
              kLeastLabel,
              recording.end,
              recording.begin,
              options.heading,
              {}};
  for (std::size_t i = 0; i < recording.instructions.size(); ++i) {
    const RecordedInstruction& one = recording.instructions[i];
    if (!is_shown(one, options)) continue;
    const RecordedStep& step = recording.steps[one.step];
    Row row{&one,
            fmt::format("{} {}", report::hex_address(step.address), report::printable(step.text)),
            view::cells_of(recording, i)};
    sheet.begin = std::min(sheet.begin, row.cells.begin);
    sheet.end = std::max(sheet.end, row.cells.end());
    sheet.label = std::max(sheet.label, report::columns(row.label));
    sheet.rows.push_back(std::move(row));
  }
  sheet.label = std::min({sheet.label, kMostLabel, sheet.width / 3 + 1});
  if (options.cycles > 0) sheet.end = std::min(sheet.end, sheet.begin + options.cycles);
  shrink_labels(sheet);
  return sheet;
}

Ink ink_of(Phase phase) {
  switch (phase) {
    case Phase::wait:
      return Ink::lost;
    case Phase::issue:
      return Ink::bold;
    case Phase::conflict:
      return Ink::worst;
    case Phase::execute:
    case Phase::write:
      return Ink::good;
    case Phase::stage:
    case Phase::held:
    case Phase::queue:
      return Ink::dim;
    default:
      return Ink::plain;
  }
}

/// The cells of [from, to) as text, neighbours of one colour together.
std::string cells_text(const Sheet& sheet, const CellRow& row, std::int64_t from, std::int64_t to) {
  std::string text;
  std::string run;
  Ink ink = Ink::plain;
  for (std::int64_t cycle = from; cycle < std::min(to, row.end()); ++cycle) {
    const Cell cell = row.at(cycle);
    if (ink_of(cell.phase) != ink) {
      text += sheet.paint(ink, run);
      run.clear();
      ink = ink_of(cell.phase);
    }
    run += view::letter_of(cell);
  }
  return text + sheet.paint(ink, run);
}

void write_ruler(std::ostream& out, const Sheet& sheet, std::int64_t from, std::int64_t to) {
  std::string line(2 + sheet.label + 2, ' ');
  std::string ticks = line;
  for (std::int64_t cycle = from; cycle < to; ++cycle) {
    const std::int64_t shown = cycle - sheet.begin;
    ticks += shown % kRuler == 0 ? '|' : ' ';
    const auto column = line.size();
    const std::string number = std::to_string(shown);
    if (shown % kRuler == 0 && column + number.size() <= sheet.width)
      line += number;
    else if (column < ticks.size())
      line += ' ';
  }
  line.erase(line.find_last_not_of(' ') + 1);
  ticks.erase(ticks.find_last_not_of(' ') + 1);
  out << sheet.paint(Ink::dim, line) << '\n' << sheet.paint(Ink::dim, ticks) << '\n';
}

bool crosses(const Row& row, std::int64_t from, std::int64_t to) {
  return row.cells.begin < to && row.cells.end() > from;
}

void write_panel(std::ostream& out, const Sheet& sheet, std::int64_t from, std::int64_t to) {
  out << '\n';
  write_ruler(out, sheet, from, to);
  const RecordedInstruction* last = nullptr;
  for (const Row& row : sheet.rows) {
    if (!crosses(row, from, to)) continue;
    const RecordedInstruction& one = *row.instruction;
    const bool begins =
        last == nullptr || last->warp != one.warp || last->iteration != one.iteration;
    if (begins && sheet.heading)
      out << sheet.paint(Ink::bold, fmt::format("warp {}, iteration {}", one.warp, one.iteration))
          << '\n';
    last = &one;
    out << "  " << report::pad_right(report::ellipsize(row.label, sheet.label), sheet.label) << "  "
        << cells_text(sheet, row.cells, from, to) << '\n';
  }
}

struct Seen {
  std::set<StallReason> waits;
  std::set<Phase> phases;
  std::set<char> banks;
};

Seen seen_in(const Sheet& sheet) {
  Seen seen;
  for (const Row& row : sheet.rows)
    for (std::int64_t cycle = row.cells.begin; cycle < std::min(sheet.end, row.cells.end());
         ++cycle) {
      const Cell cell = row.cells.at(cycle);
      seen.phases.insert(cell.phase);
      if (cell.phase == Phase::wait) seen.waits.insert(cell.reason);
      if (cell.phase == Phase::read) seen.banks.insert(view::letter_of(cell));
    }
  return seen;
}

std::vector<std::string> legend(const Sheet& sheet) {
  constexpr std::array<std::pair<Phase, const char*>, 7> kPhases{
      {{Phase::issue, "I issue"},
       {Phase::stage, "- read pipeline"},
       {Phase::conflict, "! bank conflict: an operand is missing, the front end stands still"},
       {Phase::held, ": stands still"},
       {Phase::queue, "~ queue"},
       {Phase::execute, "= execute"},
       {Phase::write, "W write back"}}};
  const Seen seen = seen_in(sheet);
  std::vector<std::string> parts;
  for (const auto& [phase, text] : kPhases) {
    if (phase == Phase::conflict) {
      const std::string digits(seen.banks.begin(), seen.banks.end());
      for (const char digit : digits)
        if (digit != '+') parts.push_back(fmt::format("{} reads bank {}", digit, digit));
      if (digits.find('+') != std::string::npos) parts.emplace_back("+ reads several banks");
    }
    if (seen.phases.contains(phase)) parts.emplace_back(text);
  }
  for (const StallReason reason : seen.waits)
    parts.push_back(fmt::format("{} {}", view::wait_letter(reason), view::wait_name(reason)));
  return parts;
}

/// `name: part, part, ...`, wrapped between parts only.
void write_parts(std::ostream& out, const std::string& name, const std::vector<std::string>& parts,
                 std::size_t width) {
  std::string line = name;
  const std::string indent(name.size(), ' ');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = parts[i] + (i + 1 < parts.size() ? ", " : "");
    if (line.size() + part.size() > width && line.size() > name.size()) {
      out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
      line = indent;
    }
    line += part;
  }
  out << line << '\n';
}

void write_header(std::ostream& out, const Sheet& sheet, const TimelineOptions& options) {
  const Recording& recording = sheet.recording;
  const Result& result = recording.result;
  if (!options.heading) return write_parts(out, "", legend(sheet), sheet.width);
  out << sheet.paint(Ink::bold, report::ellipsize(report::printable(result.function), 40))
      << fmt::format(" on {}: {} cycles per iteration of {}\n\n", report::printable(result.arch),
                     report::short_number(result.cycles_per_iteration),
                     report::counted(static_cast<std::uint64_t>(result.warps), "warp"));
  const std::string iterations =
      recording.first_iteration == recording.last_iteration
          ? fmt::format("iteration {}", recording.first_iteration)
          : fmt::format("iterations {} to {}", recording.first_iteration, recording.last_iteration);
  const std::string blocks = options.block < 0 ? std::string("all processing blocks")
                                               : fmt::format("processing block {}", options.block);
  write_parts(
      out, "Shown   ",
      {iterations +
           (result.steady_state.periodic && recording.first_iteration > 1 ? " (steady state)" : ""),
       blocks,
       fmt::format("cycles {} to {} of the run, counted from 0 here", sheet.begin, sheet.end - 1)},
      sheet.width);
  write_parts(out, "Legend  ", legend(sheet), sheet.width);
}

}  // namespace

void write_timeline(std::ostream& out, const Recording& recording, const TimelineOptions& options) {
  const Sheet sheet = make_sheet(recording, options);
  write_header(out, sheet, options);
  const std::int64_t columns = panel_columns(sheet, sheet.label);
  for (std::int64_t from = sheet.begin; from < sheet.end; from += columns)
    write_panel(out, sheet, from, std::min(from + columns, sheet.end));
  if (!recording.complete) out << "\nThe recording ended before the last iteration did.\n";
}

}  // namespace smsim
