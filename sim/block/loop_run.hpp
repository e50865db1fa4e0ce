// SPDX-License-Identifier: MIT
// Runs a loop on one set of policies and gathers the counts of one window.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "block/checkpoints.hpp"
#include "block/count_history.hpp"
#include "block/event_sink.hpp"
#include "block/finite_run.hpp"
#include "block/run_outcome.hpp"
#include "block/sm.hpp"
#include "block/split_warps.hpp"
#include "block/steady_state.hpp"
#include "block/with_policies.hpp"

namespace smsim {

template <typename Machine>
std::int64_t stuck_at(const Machine& sm) {
  for (const auto& block : sm.blocks())
    for (const Warp& w : block.warps())
      if (w.running) return static_cast<std::int64_t>(w.pc);
  return -1;
}

template <typename Scheduler, typename OperandStage>
class LoopRun {
 public:
  using Machine = Sm<Scheduler, OperandStage, NoEvents>;
  using Runner = SteadyStateRunner<Machine>;
  using Finite = FiniteRun<Machine>;

  LoopRun(const CompiledLoop& loop, const Arch& arch, const RunOptions& options)
      : loop_(loop),
        arch_(arch),
        options_(options),
        split_(split_warps(options.warps, arch.processing_blocks)) {
    static_cast<Counts&>(out_) = Counts(arch);
    out_.blocks_with_warps = static_cast<int>(split_.size());
  }

  RunOutcome run() {
    if (!loop_.is_loop) {
      whole_run(1);
      return std::move(out_);
    }
    if (!find(groups()) && out_.stuck_instruction < 0)
      whole_run(out_.uneven ? kLongRun : long_run());
    return std::move(out_);
  }

 private:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  /// Iteration counts of the fallback, as the H200 suites were measured: their difference takes
  /// start and end out. Long loops whose state does not repeat do with fewer.
  static constexpr std::uint64_t kShortRun = 64;
  static constexpr std::uint64_t kLongRun = 320;
  static constexpr std::uint64_t kRunWork = 500'000;  ///< warp instructions of one block, about

  std::uint64_t long_run() const {
    const auto warps = static_cast<std::uint64_t>(*std::max_element(split_.begin(), split_.end()));
    const auto most = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(options_.max_iterations),
                                                20, kLongRun);
    return std::clamp<std::uint64_t>(kRunWork / (warps * loop_.length), 20, most);
  }
  static std::uint64_t short_run(std::uint64_t longer) { return longer * kShortRun / kLongRun; }

  struct Group {
    std::vector<int> warps;  ///< of its blocks
    std::uint64_t copies;
    int first_block;
  };
  using Groups = std::vector<Group>;

  /// Blocks that share a unit are run together. Blocks that share nothing are alike when they hold
  /// equally many warps that start alike: one of each kind is run, and counted as often as there
  /// are such blocks.
  Groups groups() const {
    if (loop_.uses_shared_unit) return {{split_, 1, 0}};
    Groups all;
    for (std::size_t b = 0; b < split_.size(); ++b) {
      const auto block = static_cast<int>(b);
      const auto like = std::find_if(all.begin(), all.end(), [&](const Group& group) {
        return group.warps.front() == split_[b] &&
               start_of(arch_.scheduler, group.first_block, split_[b]) ==
                   start_of(arch_.scheduler, block, split_[b]);
      });
      if (like != all.end())
        ++like->copies;
      else
        all.push_back({{split_[b]}, 1, block});
    }
    return all;
  }

  /// One machine on its way to the steady state. It refers to itself: it may not move.
  struct Search {
    Search(const LoopRun& run, const Group& group)
        : sm(run.loop_, run.arch_, group.warps, kNoLimit, none, group.first_block),
          runner(sm, run.options_.skip_ahead),
          checkpoints(run.limits()),
          history(run.arch_) {}

    void find(int max_iterations) {
      repeat = runner.find(static_cast<std::uint64_t>(max_iterations), [this] {
        checkpoints.look(runner);
        history.look(sm, runner.now());
      });
    }

    NoEvents none;
    Machine sm;
    Runner runner;
    Checkpoints<Machine> checkpoints;
    CountHistory<Machine> history;
    typename Runner::Repeat repeat;
  };

  /// Iterations of the runs that are averaged if there is no repeat, or an uneven one.
  std::vector<std::uint64_t> limits() const {
    const std::uint64_t longer = long_run();
    return {short_run(longer), longer, short_run(kLongRun), kLongRun};
  }

  /// Finds each group's period; the slowest one's is the window in which all are counted.
  bool find(const Groups& groups) {
    std::size_t slowest = 0;
    double worst = -1;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto& repeat = find_one(searches_.emplace_back(*this, groups[g]));
      if (!repeat.found || repeat.uneven) return false;
      const double rate =
          static_cast<double>(repeat.end - repeat.begin) / static_cast<double>(repeat.iterations);
      if (rate <= worst) continue;
      worst = rate;
      slowest = g;
    }
    const auto& window = searches_[slowest].repeat;
    const Cycle period = window.end - window.begin;
    out_.cycles_per_iteration = worst;
    out_.steady.periodic = true;
    out_.steady.period_cycles = static_cast<std::uint64_t>(period);
    out_.steady.period_iterations = window.iterations;
    out_.window_iterations = window.iterations;
    out_.window_begin = window.end;
    out_.window_end = window.end + period;
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (g != slowest || !count_seen(searches_[g], groups[g]))
        count(searches_[g], groups[g], g == slowest);
    return true;
  }

  const typename Runner::Repeat& find_one(Search& search) {
    search.find(options_.max_iterations);
    const auto done = search.runner.iterations();
    out_.steady.iterations_simulated =
        std::max(out_.steady.iterations_simulated, *std::min_element(done.begin(), done.end()));
    if (search.runner.stuck()) out_.stuck_instruction = stuck_at(search.sm);
    out_.uneven = out_.uneven || search.repeat.uneven;
    return search.repeat;
  }

  /// Counts the group whose period is the window, by what it has done before; false if that is not
  /// known. Plain running does it the long way: it is what the other one is held against.
  bool count_seen(const Search& search, const Group& group) {
    return options_.skip_ahead && search.history.add_since(search.repeat.look, search.sm,
                                                           search.repeat.end, group.copies, out_);
  }

  /// Counts a group over the window, on the machine that found its repeat unless that is past the
  /// window's begin. In its own period the slots pending at the begin equal those at the end, so
  /// they may carry over; in somebody else's they are cut at both edges.
  void count(Search& search, const Group& group, bool own_period) {
    if (search.runner.now() > out_.window_begin) {
      Search again(*this, group);
      return count(again, group, own_period);
    }
    search.runner.run_until(out_.window_begin);
    for (auto& block : search.sm.blocks()) block.reset_counts(out_.window_begin);
    if (!own_period)
      for (auto& block : search.sm.blocks()) block.cut(out_.window_begin);
    search.runner.run_until(out_.window_end);
    if (!own_period)
      for (auto& block : search.sm.blocks()) block.close(out_.window_end);
    out_.add_machine(search.sm, group.copies);
  }

  /// A run of so many iterations, which goes on from a search that did not get past them.
  Finite& finite_run(std::size_t g, const Group& group, std::uint64_t iterations,
                     std::deque<Finite>& into) {
    if (g < searches_.size()) {
      const Search& search = searches_[g];
      const bool skip_ahead = options_.skip_ahead;
      if (const auto* from = search.checkpoints.before(iterations))
        return into.emplace_back(*from, iterations, arch_, skip_ahead);
      const typename Finite::Found found{search.repeat, search.history};
      if (search.runner.most_iterations() < iterations)
        return into.emplace_back(Moment(search.runner), iterations, arch_, skip_ahead,
                                 search.repeat.found ? &found : nullptr);
    }
    return into.emplace_back(loop_, arch_, group.warps, iterations, options_.skip_ahead,
                             group.first_block);
  }

  /// Runs a fixed number of iterations to the end, and for loops a short run as well to take the
  /// ends out.
  void whole_run(std::uint64_t iterations) {
    const Groups all = groups();
    std::deque<Finite> runs;  // a machine refers to itself: it may not move
    Cycle short_end = 0;
    Cycle end = 0;
    for (std::size_t g = 0; g < all.size(); ++g) {
      if (loop_.is_loop && g == searches_.size())
        searches_.emplace_back(*this, all[g])
            .find(std::min(options_.max_iterations, static_cast<int>(iterations)));
      if (loop_.is_loop) {
        Finite& shorter = finite_run(g, all[g], short_run(iterations), runs);
        short_end = std::max(short_end, shorter.end());
        if (!shorter.extend(iterations - short_run(iterations))) runs.pop_back();
      }
      const Finite& run = g < runs.size() ? runs[g] : finite_run(g, all[g], iterations, runs);
      if (run.stuck()) out_.stuck_instruction = stuck_at(run.sm());
      end = std::max(end, run.end());
    }
    for (std::size_t g = 0; g < all.size(); ++g) runs[g].add_counts_until(end, all[g].copies, out_);
    if (loop_.is_loop) out_.steady.spread_cycles = spread(runs) / static_cast<double>(iterations);
    out_.window_begin = 0;
    out_.window_end = end;
    out_.window_iterations = iterations;
    out_.steady.iterations_simulated = std::max(out_.steady.iterations_simulated, iterations);
    out_.cycles_per_iteration =
        static_cast<double>(end - short_end) /
        static_cast<double>(loop_.is_loop ? iterations - short_run(iterations) : 1);
  }

  /// Cycles between the first and the last warp's end.
  template <typename Runs>
  static double spread(const Runs& runs) {
    Cycle first = kNever;
    Cycle last = 0;
    for (const auto& run : runs)
      for (const auto& block : run.sm().blocks())
        for (const Warp& w : block.warps()) {
          first = std::min(first, run.finished_at(w));
          last = std::max(last, run.finished_at(w));
        }
    return static_cast<double>(last - first);
  }

  const CompiledLoop& loop_;
  const Arch& arch_;
  const RunOptions& options_;
  std::vector<int> split_;
  std::deque<Search> searches_;  ///< by group, as far as they were begun
  RunOutcome out_;
};

/// The same for each scheduler that goes with an operand stage. A source file builds each stage's,
/// side by side: together they take half a minute.
template <typename OperandStage>
RunOutcome run_on(const CompiledLoop& loop, const Arch& arch, const RunOptions& options) {
  return with_scheduler(arch, [&]<typename Scheduler>() {
    return LoopRun<Scheduler, OperandStage>(loop, arch, options).run();
  });
}

extern template RunOutcome run_on<ReadPipeline>(const CompiledLoop&, const Arch&,
                                                const RunOptions&);
extern template RunOutcome run_on<OperandCollector>(const CompiledLoop&, const Arch&,
                                                    const RunOptions&);
extern template RunOutcome run_on<OverlappedReads>(const CompiledLoop&, const Arch&,
                                                   const RunOptions&);

}  // namespace smsim
