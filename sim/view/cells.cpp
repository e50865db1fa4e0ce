// SPDX-License-Identifier: MIT
// Cells: one recorded instruction as what it does in each cycle, for views with a column a cycle.
#include "view/cells.hpp"

#include <algorithm>
#include <bit>

namespace smsim::view {
namespace {

/// Writes cells into a row, which grows to the right as needed.
class Painter {
 public:
  explicit Painter(std::int64_t begin) { row_.begin = begin; }

  Cell& cell(std::int64_t cycle) {
    const auto at = static_cast<std::size_t>(std::max<std::int64_t>(0, cycle - row_.begin));
    if (at >= row_.cells.size()) row_.cells.resize(at + 1);
    return row_.cells[at];
  }

  void fill(std::int64_t begin, std::int64_t end, Phase phase,
            StallReason reason = StallReason::misc) {
    for (std::int64_t cycle = begin; cycle < end; ++cycle) cell(cycle) = {phase, reason, 0};
  }

  CellRow take() { return std::move(row_); }

 private:
  CellRow row_;
};

void paint_stops(const Recording& recording, std::size_t index, Painter& painter) {
  const RecordedInstruction& one = recording.instructions[index];
  const auto later = [](const RecordedStop& stop, std::int64_t at) { return stop.at <= at; };
  auto stop = std::lower_bound(recording.stops.begin(), recording.stops.end(), one.issue, later);
  for (; stop != recording.stops.end() && stop->at <= one.left; ++stop) {
    if (stop->block != one.block) continue;
    const bool conflict = stop->instruction == index && stop->reason == StallReason::bank_conflict;
    painter.cell(stop->at) = {conflict ? Phase::conflict : Phase::held, stop->reason, 0};
  }
}

void paint_reads(const Recording& recording, const RecordedInstruction& one, Painter& painter) {
  for (std::uint32_t i = one.first_read; i < one.first_read + one.read_count; ++i) {
    const RecordedRead& read = recording.reads[i];
    if (read.from == ReadFrom::reuse_cache) continue;
    Cell& cell = painter.cell(read.at);
    if (cell.phase != Phase::conflict) cell.phase = Phase::read;
    cell.banks = static_cast<std::uint16_t>(cell.banks | 1U << read.bank);
  }
}

void paint_unit(const RecordedInstruction& one, Painter& painter) {
  if (one.execute_begin < 0) return;
  const bool writes = one.write_begin >= 0;
  painter.fill(one.left + 1, one.execute_begin, Phase::queue);
  painter.fill(one.execute_begin, writes ? one.write_begin : one.execute_begin + 1, Phase::execute);
  if (writes) painter.fill(one.write_begin, one.write_end + 1, Phase::write);
}

}  // namespace

CellRow cells_of(const Recording& recording, std::size_t instruction) {
  const RecordedInstruction& one = recording.instructions[instruction];
  Painter painter(std::min(one.waits_from, one.issue));
  for (std::uint32_t i = one.first_wait; i < one.first_wait + one.wait_count; ++i) {
    const RecordedWait& wait = recording.waits[i];
    painter.fill(wait.begin, wait.end, Phase::wait, wait.reason);
  }
  painter.fill(one.issue, one.issue + 1, Phase::issue);
  painter.fill(one.issue + 1, one.left + 1, Phase::stage);
  if (one.left >= 0) paint_unit(one, painter);
  paint_stops(recording, instruction, painter);
  paint_reads(recording, one, painter);
  return painter.take();
}

char wait_letter(StallReason reason) {
  switch (reason) {
    case StallReason::selected:
      return 'n';
    case StallReason::stall_count:
      return '.';
    case StallReason::yield:
      return 'y';
    case StallReason::fixed_latency:
      return 'r';
    case StallReason::bank_conflict:
      return 'c';
    case StallReason::write_port:
      return 'w';
    case StallReason::math_pipe_throttle:
      return 'p';
    case StallReason::short_scoreboard:
      return 's';
    case StallReason::long_scoreboard:
      return 'l';
    case StallReason::mio_throttle:
      return 'q';
    case StallReason::lg_throttle:
      return 'g';
    case StallReason::tex_throttle:
      return 't';
    case StallReason::no_instruction:
      return 'f';
    case StallReason::branch_resolving:
      return 'b';
    case StallReason::barrier:
      return 'a';
    default:
      return '?';
  }
}

std::string wait_name(StallReason reason) {
  return std::string(reason == StallReason::selected ? "not_selected" : name_of(reason));
}

char letter_of(const Cell& cell) {
  switch (cell.phase) {
    case Phase::nothing:
      return ' ';
    case Phase::wait:
      return wait_letter(cell.reason);
    case Phase::issue:
      return 'I';
    case Phase::stage:
      return '-';
    case Phase::read:
      return std::has_single_bit(cell.banks) ? static_cast<char>('0' + std::countr_zero(cell.banks))
                                             : '+';
    case Phase::held:
      return ':';
    case Phase::conflict:
      return '!';
    case Phase::queue:
      return '~';
    case Phase::execute:
      return '=';
    default:
      return 'W';
  }
}

}  // namespace smsim::view
