// SPDX-License-Identifier: MIT
// Finite run: every warp does a fixed number of iterations; periods that repeat are jumped over.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "block/checkpoints.hpp"
#include "block/count_history.hpp"
#include "block/event_sink.hpp"
#include "block/steady_state.hpp"

namespace smsim {

/// One machine that runs a number of iterations to the end, as a measurement does. While the state
/// repeats, whole periods are skipped as long as no warp would end in them: the figures are those
/// of plain running, cycle after cycle, which it does without `skip_ahead` (tests/unit/block). Its
/// machine's clock does not count what was skipped.
template <typename Machine>
class FiniteRun {
 public:
  FiniteRun(const CompiledLoop& loop, const Arch& arch, const std::vector<int>& warps,
            std::uint64_t iterations, bool skip_ahead, int first_block = 0)
      : limit_(iterations),
        sm_(loop, arch, warps, iterations, none_, first_block),
        runner_(sm_, skip_ahead),
        skipped_counts_(arch) {
    run(arch, skip_ahead);
  }

  using Repeat = typename SteadyStateRunner<Machine>::Repeat;

  /// A search's end: the repeat that it found, and what was counted at its looks.
  struct Found {
    const Repeat& repeat;
    const CountHistory<Machine>& history;
  };

  /// Goes on from a moment in which no warp has done as many iterations; from a search's end, if
  /// that is `found`.
  FiniteRun(const Moment<Machine>& from, std::uint64_t iterations, const Arch& arch,
            bool skip_ahead, const Found* found = nullptr)
      : limit_(iterations), sm_(from.machine), runner_(sm_, from.runner), skipped_counts_(arch) {
    sm_.set_limit(iterations);
    if (found != nullptr && skip_ahead) skip(found->repeat, found->history);
    run(arch, skip_ahead);
  }

  const Machine& sm() const { return sm_; }
  bool stuck() const { return runner_.stuck(); }

  /// The first cycle in which nothing is booked any more.
  Cycle end() const {
    Cycle end = 0;
    for (const auto& block : sm_.blocks()) end = std::max(end, block.booked_until());
    return end + skipped_;
  }

  Cycle finished_at(const Warp& warp) const { return warp.finished_at + skipped_; }

  /// Adds all counts, `copies` times; the slots from the last issue to `end` are idle.
  void add_counts_until(Cycle end, std::uint64_t copies, Counts& out) {
    for (auto& block : sm_.blocks()) block.finish(end - skipped_);
    out.add_machine(sm_, copies);
    out.add(skipped_counts_, copies);
  }

 private:
  void run(const Arch& arch, bool skip_ahead) {
    bool repeats = skip_ahead;
    while (repeats) {
      CountHistory<Machine> history(arch);
      const Repeat repeat = runner_.find(limit_, [&] { history.look(sm_, runner_.now()); });
      repeats = repeat.found;
      if (repeats) skip(repeat, history);
    }
    runner_.run_until(kNever);
  }

  /// The state is that of another moment. Counts what has happened since, or in one period more,
  /// as often as it fits before a warp ends, and jumps over that.
  void skip(const Repeat& repeat, const CountHistory<Machine>& history) {
    const Cycle period = repeat.end - repeat.begin;
    std::vector<std::uint64_t> each = runner_.iterations();
    std::uint64_t jumps = limit_;
    for (std::size_t w = 0; w < each.size(); ++w) {
      const std::uint64_t left = limit_ - each[w];
      each[w] -= repeat.before[w];
      if (each[w] > 0) jumps = std::min(jumps, (left - 1) / each[w]);
    }
    if (jumps == 0) return;
    if (!history.add_since(repeat.look, sm_, runner_.now(), jumps, skipped_counts_)) {
      if (--jumps == 0) return;
      skipped_counts_.add_machine(sm_, 0 - jumps);
      runner_.run_until(runner_.now() + period);
      skipped_counts_.add_machine(sm_, jumps);
    }
    auto warp = each.begin();
    for (auto& block : sm_.blocks()) warp = block.skip(warp, runner_.now(), jumps, period);
    skipped_ += static_cast<Cycle>(jumps) * period;
  }

  std::uint64_t limit_;
  NoEvents none_;
  Machine sm_;
  SteadyStateRunner<Machine> runner_;
  Counts skipped_counts_;
  Cycle skipped_ = 0;  ///< cycles that were jumped over
};

}  // namespace smsim
