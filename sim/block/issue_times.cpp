// SPDX-License-Identifier: MIT
// Issue times: when each instruction of the last iteration issues, on every warp, in a run of a
// fixed number of iterations.
#include "block/issue_times.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "block/compile.hpp"
#include "block/event_sink.hpp"
#include "block/last_pass.hpp"
#include "block/prepare.hpp"
#include "block/sm.hpp"
#include "block/split_warps.hpp"
#include "block/steady_state.hpp"
#include "block/with_policies.hpp"

namespace smsim {
namespace {

using BlockTimes = std::vector<std::vector<WarpIssueTimes>>;  ///< by block, by warp

/// Runs the loop on blocks with so many warps and records what happened; false if it got stuck.
bool record(const CompiledLoop& loop, const Arch& arch, const std::vector<int>& split,
            std::uint64_t iterations, int first_block, RecordIssues& into) {
  return with_policies(arch, [&]<typename Scheduler, typename OperandStage>() {
    Sm<Scheduler, OperandStage, RecordIssues> sm(loop, arch, split, iterations, into, first_block);
    SteadyStateRunner runner(sm, true);
    const bool finished = runner.run_until(kNever);
    const auto drained = [](const auto& block) { return block.operands_empty(); };
    for (Cycle now = runner.now();
         finished && !std::all_of(sm.blocks().begin(), sm.blocks().end(), drained); ++now) {
      sm.tick(now, true);  // the last instructions are still on their way to the clock
      sm.come_to(now + 1);
    }
    return finished;
  });
}

/// The cycle in which something that issued at `issue` reaches the given stage behind issue, the
/// first being 1. `standstills`: of its block, ascending.
Cycle reaches_stage(int stage, Cycle issue, const std::vector<Cycle>& standstills) {
  auto next = std::upper_bound(standstills.begin(), standstills.end(), issue);
  Cycle at = issue;
  for (int i = 0; i < stage; ++i) {
    ++at;
    for (; next != standstills.end() && *next == at; ++next) ++at;
  }
  return at;
}

/// The last issue of each instruction on each warp is that of the last iteration.
BlockTimes last_iteration(const RecordIssues& events, const std::vector<int>& split,
                          const CompiledLoop& loop, const Arch& arch) {
  BlockTimes times(split.size());
  for (std::size_t b = 0; b < split.size(); ++b)
    for (int w = 0; w < split[b]; ++w)
      times[b].push_back({static_cast<int>(b), w, std::vector<Cycle>(loop.length), {}});
  for (const IssueEvent& event : events.events)
    if (const auto step = loop.step_of(event.step))
      times[event.block][event.warp].issue[*step] = event.issue;
  std::vector<std::vector<Cycle>> standstills(split.size());
  for (const StandstillEvent& event : events.standstills)
    standstills[event.block].push_back(event.at);
  const int stage = arch.register_file.read_delay_cycles + 1;
  for (std::size_t b = 0; b < split.size(); ++b)
    for (WarpIssueTimes& warp : times[b])
      for (const Cycle issue : warp.issue)
        warp.clock_read.push_back(reaches_stage(stage, issue, standstills[b]));
  return times;
}

/// Blocks that share nothing are alike when they hold equally many warps, which
/// start alike: one of each kind is run.
class AllBlocks {
 public:
  AllBlocks(const CompiledLoop& loop, const Arch& arch, std::uint64_t iterations)
      : loop_(loop), arch_(arch), iterations_(iterations) {}

  std::vector<WarpIssueTimes> run(const std::vector<int>& split) {
    if (loop_.uses_shared_unit) return joined(run_together(split, 0));
    std::map<std::pair<int, int>, std::vector<WarpIssueTimes>> kinds;
    BlockTimes times;
    for (std::size_t b = 0; b < split.size(); ++b) {
      const auto block = static_cast<int>(b);
      const std::pair key(split[b], start_of(arch_.scheduler, block, split[b]));
      auto kind = kinds.find(key);
      if (kind == kinds.end())
        kind = kinds.emplace(key, run_together({split[b]}, block).front()).first;
      times.push_back(kind->second);
      for (WarpIssueTimes& warp : times.back()) warp.block = block;
    }
    return joined(times);
  }

  bool stuck() const { return stuck_; }

 private:
  BlockTimes run_together(const std::vector<int>& split, int first_block) {
    RecordIssues events;
    stuck_ = !record(loop_, arch_, split, iterations_, first_block, events) || stuck_;
    return last_iteration(events, split, loop_, arch_);
  }

  static std::vector<WarpIssueTimes> joined(const BlockTimes& blocks) {
    std::vector<WarpIssueTimes> warps;
    for (const auto& block : blocks) warps.insert(warps.end(), block.begin(), block.end());
    return warps;
  }

  const CompiledLoop& loop_;
  const Arch& arch_;
  std::uint64_t iterations_;
  bool stuck_ = false;
};

}  // namespace

Expected<IssueTimes> issue_times(const Program& program, const Arch& arch,
                                 const SimulateOptions& options, std::uint64_t iterations,
                                 const Function* behind) {
  if (auto misfit = check_warps(arch, options.warps)) return tl::unexpected(std::move(*misfit));
  const auto prepared = prepare(program, arch, options);
  if (!prepared) return tl::unexpected(prepared.error());
  auto compiled = compile(program, *prepared->function, prepared->path, arch, options);
  if (!compiled) return tl::unexpected(compiled.error());
  if (behind != nullptr && prepared->path.is_loop) {
    const auto added = add_last_pass(*prepared, *behind, arch, options, compiled->loop);
    if (!added) return tl::unexpected(added.error());
  }
  IssueTimes result;
  result.function = prepared->given;
  for (const PathStep& step : prepared->path.steps) result.instructions.push_back(step.index);
  AllBlocks blocks(compiled->loop, arch, iterations);
  result.warps = blocks.run(split_warps(options.warps, arch.processing_blocks));
  if (blocks.stuck())
    return fail(ErrorKind::bad_input, "a warp waits for ever", {program.source, 0, 0});
  return result;
}

}  // namespace smsim
