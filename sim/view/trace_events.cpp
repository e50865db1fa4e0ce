// SPDX-License-Identifier: MIT
// Trace-event export: the JSON that Perfetto and chrome://tracing open. A cycle is a microsecond.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "report/breakdown.hpp"
#include "report/document.hpp"
#include "smsim/report.hpp"
#include "view/cells.hpp"
#include "view/links.hpp"

namespace smsim {
namespace {

using report::Json;

constexpr int kTracksOfWarp = 100;  ///< thread ids that a warp has: 0 issue, then its lanes

/// Instructions in flight overlap: each takes the first lane of its warp that is free, so that on a
/// track slices only nest.
class Lanes {
 public:
  int take(std::uint16_t warp, std::int64_t begin, std::int64_t end) {
    auto& free_at = free_at_[warp];
    std::size_t lane = 0;
    while (lane < free_at.size() && free_at[lane] > begin) ++lane;
    if (lane == free_at.size()) free_at.push_back(0);
    free_at[lane] = end;
    return static_cast<int>(lane) + 1;
  }
  const std::map<std::uint16_t, std::vector<std::int64_t>>& all() const { return free_at_; }

 private:
  std::map<std::uint16_t, std::vector<std::int64_t>> free_at_;
};

class Exporter {
 public:
  explicit Exporter(const Recording& recording) : recording_(recording), links_(recording) {}

  Json run() {
    for (std::size_t i = 0; i < recording_.instructions.size(); ++i) add_instruction(i);
    for (std::size_t i = 0; i < recording_.instructions.size(); ++i) add_flows(i);
    add_counters();
    add_names();
    return {{"traceEvents", std::move(events_)},
            {"displayTimeUnit", "ns"},
            {"otherData",
             {{"tool", "smsim"},
              {"function", recording_.result.function},
              {"arch", recording_.result.arch},
              {"unit", "a microsecond of the trace is a cycle of the SM"}}}};
  }

 private:
  static int track(const RecordedInstruction& one, int lane) {
    return one.warp * kTracksOfWarp + lane;
  }

  void slice(const std::string& name, const char* category, const RecordedInstruction& one,
             int lane, std::int64_t begin, std::int64_t end, Json args = Json::object()) {
    if (end <= begin) return;
    events_.push_back({{"name", name},
                       {"cat", category},
                       {"ph", "X"},
                       {"ts", begin},
                       {"dur", end - begin},
                       {"pid", one.block},
                       {"tid", track(one, lane)},
                       {"args", std::move(args)}});
  }

  void add_instruction(std::size_t index) {
    const RecordedInstruction& one = recording_.instructions[index];
    const RecordedStep& step = recording_.steps[one.step];
    const std::string title = view::title_of(recording_, one);
    const Json args = {{"iteration", one.iteration},
                       {"control", report::control_notation(step.control)},
                       {"pipe", step.pipe}};
    slice(title, "issue", one, 0, one.waits_from, one.issue + 1, args);
    for (std::uint32_t i = 0; i < one.wait_count; ++i) {
      const RecordedWait& wait = recording_.waits[one.first_wait + i];
      slice(view::wait_name(wait.reason), "wait", one, 0, wait.begin, wait.end);
    }
    slice("issue", "issue", one, 0, one.issue, one.issue + 1);
    const std::int64_t end = view::end_of(recording_, one);
    const int lane = lanes_.take(one.warp, one.issue, end);
    lane_of_.push_back(lane);
    slice(title, "instruction", one, lane, one.issue, end, args);
    add_parts(index, one, lane);
  }

  void add_parts(std::size_t index, const RecordedInstruction& one, int lane) {
    const view::CellRow row = view::cells_of(recording_, index);
    std::int64_t begin = one.issue;
    while (begin < row.end()) {
      const view::Cell cell = row.at(begin);
      std::int64_t end = begin + 1;
      while (end < row.end() && row.at(end) == cell) ++end;
      if (cell.phase != view::Phase::nothing) slice(part_name(cell), "part", one, lane, begin, end);
      begin = end;
    }
  }

  static std::string part_name(const view::Cell& cell) {
    switch (cell.phase) {
      case view::Phase::issue:
        return "issue";
      case view::Phase::stage:
        return "read pipeline";
      case view::Phase::read:
        return "read of" + banks_text(cell.banks);
      case view::Phase::held:
      case view::Phase::conflict:
        return view::wait_name(cell.reason);
      case view::Phase::queue:
        return "queue";
      case view::Phase::execute:
        return "execute";
      default:
        return "write back";
    }
  }

  static std::string banks_text(unsigned banks) {
    std::string text;
    for (int b = 0; banks >> b != 0; ++b)
      if (((banks >> b) & 1U) != 0) text += fmt::format("{} bank {}", text.empty() ? "" : ",", b);
    return text;
  }

  /// From the slice of the instruction that set a barrier to the wait for it.
  void add_flows(std::size_t index) {
    const RecordedInstruction& one = recording_.instructions[index];
    const RecordedStep& step = recording_.steps[one.step];
    for (std::uint32_t i = 0; i < step.dependence_count; ++i) {
      const RecordedDependence& dependence = recording_.dependences[step.first_dependence + i];
      if (!view::is_barrier(dependence.kind)) continue;
      const auto source = links_.source(one, dependence);
      if (!source || *source == index) continue;
      const RecordedInstruction& setter = recording_.instructions[*source];
      const std::string name = fmt::format("barrier {}", dependence.index);
      const std::size_t id = ++flows_;
      events_.push_back({{"name", name},
                         {"cat", "barrier"},
                         {"ph", "s"},
                         {"id", id},
                         {"ts", setter.issue},
                         {"pid", setter.block},
                         {"tid", track(setter, lane_of_[*source])}});
      events_.push_back({{"name", name},
                         {"cat", "barrier"},
                         {"ph", "f"},
                         {"bp", "e"},
                         {"id", id},
                         {"ts", waited_at(one, dependence.index)},
                         {"pid", one.block},
                         {"tid", track(one, 0)}});
    }
  }

  /// The last cycle of the wait for a barrier; the issue if there was none.
  std::int64_t waited_at(const RecordedInstruction& one, std::uint8_t barrier) const {
    for (std::uint32_t i = one.wait_count; i-- > 0;) {
      const RecordedWait& wait = recording_.waits[one.first_wait + i];
      if (((wait.barriers >> barrier) & 1U) != 0) return wait.end - 1;
    }
    return one.issue;
  }

  /// Reads of each bank in each cycle, and dependency barriers that are up, by block.
  void add_counters() {
    std::map<std::pair<int, std::int64_t>, std::map<int, int>> reads;
    for (const RecordedInstruction& one : recording_.instructions)
      for (std::uint32_t i = 0; i < one.read_count; ++i) {
        const RecordedRead& read = recording_.reads[one.first_read + i];
        if (read.from == ReadFrom::reuse_cache) continue;
        ++reads[{one.block, read.at}][read.bank];
        reads[{one.block, read.at + 1}];
      }
    for (const auto& [place, banks] : reads) {
      Json args = Json::object();
      for (int b = 0; b < recording_.banks; ++b)
        args[fmt::format("bank {}", b)] = banks.contains(b) ? banks.at(b) : 0;
      counter("register reads", place.first, place.second, std::move(args));
    }
    std::map<int, int> up;
    for (const RecordedBarrier& event : recording_.barriers) {
      int& n = up[event.block];
      n = std::max(0, n + (event.up ? 1 : -1));
      counter("dependency barriers up", event.block, event.at, {{"barriers", n}});
    }
  }

  void counter(const char* name, int block, std::int64_t at, Json args) {
    events_.push_back(
        {{"name", name}, {"ph", "C"}, {"ts", at}, {"pid", block}, {"args", std::move(args)}});
  }

  void metadata(const char* what, int block, int thread, Json args) {
    events_.push_back(
        {{"name", what}, {"ph", "M"}, {"pid", block}, {"tid", thread}, {"args", std::move(args)}});
  }

  void add_names() {
    std::map<int, bool> blocks;
    for (const auto& [warp, lanes] : lanes_.all()) {
      const int block = warp % std::max(1, recording_.result.processing_blocks);
      if (blocks.emplace(block, true).second)
        metadata("process_name", block, 0, {{"name", fmt::format("processing block {}", block)}});
      for (int lane = 0; lane <= static_cast<int>(lanes.size()); ++lane) {
        const int thread = warp * kTracksOfWarp + lane;
        const std::string name = lane == 0 ? fmt::format("warp {} issue", warp)
                                           : fmt::format("warp {} in flight {}", warp, lane);
        metadata("thread_name", block, thread, {{"name", name}});
        metadata("thread_sort_index", block, thread, {{"sort_index", thread}});
      }
    }
  }

  const Recording& recording_;
  view::Links links_;
  Lanes lanes_;
  std::vector<int> lane_of_;
  std::size_t flows_ = 0;
  Json events_ = Json::array();
};

}  // namespace

void write_trace_events(std::ostream& out, const Recording& recording) {
  report::write_document(out, Exporter(recording).run(), -1);
}

}  // namespace smsim
