// SPDX-License-Identifier: MIT
// Konata export: the log that the pipeline viewer Konata reads (Kanata 0004).
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "report/breakdown.hpp"
#include "smsim/report.hpp"
#include "view/cells.hpp"
#include "view/links.hpp"

namespace smsim {
namespace {

using view::Cell;
using view::Phase;

/// A line of the log and the cycle it belongs to; lines of one cycle keep their order.
struct Entry {
  std::int64_t at = 0;
  int order = 0;       ///< ends before begins
  std::size_t id = 0;  ///< of the row
  std::string text;
};

/// Konata colours a stage by its name, which is at most a few letters long.
const char* stage_name(Phase phase) {
  switch (phase) {
    case Phase::wait:
      return "Wt";
    case Phase::issue:
      return "Is";
    case Phase::stage:
    case Phase::read:
      return "Rd";
    case Phase::held:
    case Phase::conflict:
      return "St";
    case Phase::queue:
      return "Qu";
    case Phase::execute:
      return "Ex";
    default:
      return "Wb";
  }
}

std::string reads_text(const Recording& recording, const RecordedInstruction& one) {
  std::string text;
  for (std::uint32_t i = one.first_read; i < one.first_read + one.read_count; ++i) {
    const RecordedRead& read = recording.reads[i];
    const std::string name = read.reg < 0 ? "a register" : fmt::format("R{}", read.reg);
    text +=
        fmt::format("\\n{}: {} {}", read.at, name,
                    read.from == ReadFrom::reuse_cache ? std::string("from the reuse cache")
                                                       : fmt::format("from bank {}", read.bank));
  }
  return text;
}

std::string hover_text(const Recording& recording, const RecordedInstruction& one) {
  const RecordedStep& step = recording.steps[one.step];
  std::string text = fmt::format("warp {} (block {}), iteration {}, {}", one.warp, one.block,
                                 one.iteration, report::control_notation(step.control));
  for (std::uint32_t i = one.first_wait; i < one.first_wait + one.wait_count; ++i) {
    const RecordedWait& wait = recording.waits[i];
    text += fmt::format("\\n{} to {}: {}", wait.begin, wait.end - 1, view::wait_name(wait.reason));
  }
  return text + reads_text(recording, one);
}

/// Rows are numbered in the order in which they appear, and once more as they end.
struct Numbers {
  std::vector<std::size_t> row;
  std::vector<std::size_t> end;
};

std::vector<std::size_t> ranks(const std::vector<std::int64_t>& times) {
  std::vector<std::size_t> order(times.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  std::vector<std::size_t> rank(times.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  return rank;
}

void add_stages(const view::CellRow& row, std::size_t id, std::vector<Entry>& log) {
  std::int64_t begin = row.begin;
  while (begin < row.end()) {
    const std::string_view name = stage_name(row.at(begin).phase);
    std::int64_t end = begin + 1;
    while (end < row.end() && stage_name(row.at(end).phase) == name) ++end;
    if (row.at(begin).phase != Phase::nothing) {
      log.push_back({begin, 2, id, fmt::format("S\t{}\t0\t{}", id, name)});
      log.push_back({end, 0, id, fmt::format("E\t{}\t0\t{}", id, name)});
    }
    begin = end;
  }
}

void add_arrows(const Recording& recording, const view::Links& links, std::size_t index,
                const Numbers& numbers, std::vector<Entry>& log) {
  const RecordedInstruction& one = recording.instructions[index];
  const RecordedStep& step = recording.steps[one.step];
  std::set<std::uint32_t> sources;
  for (std::uint32_t i = 0; i < step.dependence_count; ++i) {
    const auto source = links.source(one, recording.dependences[step.first_dependence + i]);
    if (source && *source != index && sources.insert(*source).second)
      log.push_back({one.issue, 3, numbers.row[index],
                     fmt::format("W\t{}\t{}\t0", numbers.row[index], numbers.row[*source])});
  }
}

void add_instruction(const Recording& recording, std::size_t index, const Numbers& numbers,
                     std::vector<Entry>& log) {
  const RecordedInstruction& one = recording.instructions[index];
  const view::CellRow row = view::cells_of(recording, index);
  const std::size_t id = numbers.row[index];
  const std::int64_t at = row.begin;
  log.push_back({at, 1, id, fmt::format("I\t{}\t{}\t{}", id, index, one.warp)});
  log.push_back({at, 1, id, fmt::format("L\t{}\t0\t{}", id, view::title_of(recording, one))});
  log.push_back({at, 1, id, fmt::format("L\t{}\t1\t{}", id, hover_text(recording, one))});
  add_stages(row, id, log);
  log.push_back(
      {row.end(), 4, numbers.end[index], fmt::format("R\t{}\t{}\t0", id, numbers.end[index])});
}

Numbers numbers_of(const Recording& recording) {
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> ends;
  for (std::size_t i = 0; i < recording.instructions.size(); ++i) {
    const view::CellRow row = view::cells_of(recording, i);
    begins.push_back(row.begin);
    ends.push_back(row.end());
  }
  return {ranks(begins), ranks(ends)};
}

}  // namespace

void write_konata(std::ostream& out, const Recording& recording) {
  const view::Links links(recording);
  std::vector<Entry> log;
  const Numbers numbers = numbers_of(recording);
  for (std::size_t i = 0; i < recording.instructions.size(); ++i) {
    add_instruction(recording, i, numbers, log);
    add_arrows(recording, links, i, numbers, log);
  }
  const auto key = [](const Entry& entry) { return std::tuple(entry.at, entry.order, entry.id); };
  std::stable_sort(log.begin(), log.end(),
                   [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  out << "Kanata\t0004\n";
  if (log.empty()) return;
  std::int64_t now = log.front().at;
  out << "C=\t" << now << '\n';
  for (const Entry& entry : log) {
    if (entry.at != now) out << "C\t" << entry.at - now << '\n';
    now = entry.at;
    out << entry.text << '\n';
  }
}

}  // namespace smsim
