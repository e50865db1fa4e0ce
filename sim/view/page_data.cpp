// SPDX-License-Identifier: MIT
// Page data: a recording in the short form that the script of a report page reads.
#include "view/page_data.hpp"

#include <fmt/format.h>

#include <set>

#include "report/breakdown.hpp"
#include "report/layout.hpp"
#include "view/look.hpp"

namespace smsim::view {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostInstructions = 1600;  ///< about 400 bytes each

constexpr std::array<Phase, 10> kPhases{Phase::nothing, Phase::wait, Phase::issue,    Phase::stage,
                                        Phase::read,    Phase::held, Phase::conflict, Phase::queue,
                                        Phase::execute, Phase::write};

Json phases_json() {
  Json all = Json::array();
  for (const Phase phase : kPhases) {
    const Look look = look_of({phase, StallReason::misc, 0});
    all.push_back({{"look", look.name}, {"name", look.meaning}});
  }
  return all;
}

Json reasons_json() {
  Json all = Json::array();
  for (std::size_t r = 0; r < kStallReasonCount; ++r) {
    const auto reason = static_cast<StallReason>(r);
    const std::string_view help = reason == StallReason::selected
                                      ? "it could have issued, but another warp did"
                                      : kStallReasons[r].help;
    all.push_back(
        {{"name", wait_name(reason)}, {"help", help}, {"look", look_of_wait(reason).name}});
  }
  return all;
}

std::string need_text(const RecordedDependence& one) {
  switch (one.kind) {
    case DependenceKind::reg:
      return fmt::format("R{}", one.index);
    case DependenceKind::predicate:
      return fmt::format("P{}", one.index);
    case DependenceKind::write_barrier:
      return fmt::format("barrier {}, lowered with its result", one.index);
    default:
      return fmt::format("barrier {}, lowered when its sources are read", one.index);
  }
}

Json page_steps(const Recording& recording) {
  Json steps = Json::array();
  for (const RecordedStep& step : recording.steps) {
    Json needs = Json::array();
    for (std::uint32_t i = 0; i < step.dependence_count; ++i) {
      const RecordedDependence& one = recording.dependences[step.first_dependence + i];
      needs.push_back({one.step, one.distance, need_text(one)});
    }
    steps.push_back({{"address", step.address},
                     {"text", report::printable(step.text)},
                     {"control", report::control_notation(step.control)},
                     {"pipe", step.pipe},
                     {"needs", std::move(needs)}});
  }
  return steps;
}

/// [first cycle, cycles, phase, reason or bit mask of banks]
Json runs_json(const CellRow& row) {
  Json runs = Json::array();
  std::int64_t begin = row.begin;
  while (begin < row.end()) {
    const Cell cell = row.at(begin);
    std::int64_t end = begin + 1;
    while (end < row.end() && row.at(end) == cell) ++end;
    const int extra = cell.phase == Phase::read ? cell.banks : static_cast<int>(cell.reason);
    if (cell.phase != Phase::nothing)
      runs.push_back({begin, end - begin, static_cast<int>(cell.phase), extra});
    begin = end;
  }
  return runs;
}

/// [cycle, register, bank, b bank, r reuse cache, f feed]
Json page_reads(const Recording& recording, const RecordedInstruction& one) {
  constexpr std::array<const char*, 3> kFrom{"b", "r", "f"};
  Json reads = Json::array();
  for (std::uint32_t i = 0; i < one.read_count; ++i) {
    const RecordedRead& read = recording.reads[one.first_read + i];
    reads.push_back({read.at, read.reg, read.bank, kFrom[static_cast<std::size_t>(read.from)]});
  }
  return reads;
}

}  // namespace

PageData page_data(const Recording& recording) {
  PageData page;
  Json instructions = Json::array();
  std::set<std::uint16_t> shown;
  std::set<std::uint16_t> all;
  for (std::size_t i = 0; i < recording.instructions.size(); ++i) {
    const RecordedInstruction& one = recording.instructions[i];
    if (one.block != page.block) continue;
    all.insert(one.warp);
    const bool full = instructions.size() >= kMostInstructions && !shown.contains(one.warp);
    if (full) continue;
    shown.insert(one.warp);
    instructions.push_back({one.step, one.iteration, one.warp, one.issue,
                            runs_json(cells_of(recording, i)), page_reads(recording, one)});
  }
  Json stops = Json::array();
  for (const RecordedStop& stop : recording.stops)
    if (stop.block == page.block) stops.push_back({stop.at, static_cast<int>(stop.reason)});
  Json looks = Json::object();
  for (const StallReason reason :
       {StallReason::stall_count, StallReason::short_scoreboard, StallReason::math_pipe_throttle}) {
    const Look look = look_of_wait(reason);
    looks[look.name] = look.meaning;
  }
  page.json = {{"banks", recording.banks},       {"phases", phases_json()},
               {"reasons", reasons_json()},      {"looks", std::move(looks)},
               {"steps", page_steps(recording)}, {"instructions", std::move(instructions)},
               {"stops", std::move(stops)}};
  page.warps = shown.size();
  page.left_out = all.size() - shown.size();
  return page;
}

}  // namespace smsim::view
