// SPDX-License-Identifier: MIT
// Finite run: every warp does a fixed number of iterations; periods that repeat are jumped over.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "block/checkpoints.hpp"
#include "block/event_sink.hpp"
#include "block/run_outcome.hpp"
#include "block/steady_state.hpp"

namespace smsim {

/// Adds what the blocks of a machine have counted, `copies` times, modulo 2^64: so a difference of
/// two moments is one call with -1 and one with 1.
template <typename Machine>
void add_counts(const Machine& sm, std::uint64_t copies, RunOutcome& out) {
  for (const auto& block : sm.blocks()) {
    const auto& rows = block.account().rows();
    out.rows.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t r = 0; r < kStallReasonCount; ++r) out.rows[i][r] += copies * rows[i][r];
    const auto& pairs = block.account().pairs();
    out.pairs.resize(std::max(out.pairs.size(), pairs.size()));
    for (std::size_t i = 0; i < pairs.size(); ++i) out.pairs[i] += copies * pairs[i];
    out.idle_slots += copies * block.account().idle_slots();
    for (std::size_t p = 0; p < out.pipe_busy.size(); ++p)
      out.pipe_busy[p] += copies * block.pipe_busy(p);
    for (std::size_t b = 0; b < out.bank_reads.size(); ++b)
      out.bank_reads[b] += copies * block.operands().reads()[b];
  }
}

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
        runner_(sm_, skip_ahead) {
    start(arch, skip_ahead);
  }

  /// Goes on from a moment in which no warp has done as many iterations.
  FiniteRun(const Moment<Machine>& from, std::uint64_t iterations, const Arch& arch,
            bool skip_ahead)
      : limit_(iterations), sm_(from.machine), runner_(sm_, from.runner) {
    sm_.set_limit(iterations);
    start(arch, skip_ahead);
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
  void add_counts_until(Cycle end, std::uint64_t copies, RunOutcome& out) {
    for (auto& block : sm_.blocks()) block.finish(end - skipped_);
    add_counts(sm_, copies, out);
    skipped_counts_.rows.resize(out.rows.size());
    for (std::size_t i = 0; i < out.rows.size(); ++i)
      for (std::size_t r = 0; r < kStallReasonCount; ++r)
        out.rows[i][r] += copies * skipped_counts_.rows[i][r];
    out.pairs.resize(std::max(out.pairs.size(), skipped_counts_.pairs.size()));
    for (std::size_t i = 0; i < skipped_counts_.pairs.size(); ++i)
      out.pairs[i] += copies * skipped_counts_.pairs[i];
    out.idle_slots += copies * skipped_counts_.idle_slots;
    for (std::size_t p = 0; p < out.pipe_busy.size(); ++p)
      out.pipe_busy[p] += copies * skipped_counts_.pipe_busy[p];
    for (std::size_t b = 0; b < out.bank_reads.size(); ++b)
      out.bank_reads[b] += copies * skipped_counts_.bank_reads[b];
  }

 private:
  using Iterations = std::vector<std::uint64_t>;
  struct Seen {
    Cycle at;
    Iterations iterations;
  };

  void start(const Arch& arch, bool skip_ahead) {
    skipped_counts_.pipe_busy.assign(arch.pipes.size(), 0);
    skipped_counts_.bank_reads.assign(static_cast<std::size_t>(arch.register_file.banks), 0);
    if (skip_ahead)
      run();
    else
      runner_.run_until(kNever);
  }

  void run() {
    std::unordered_map<std::string, Seen> seen;
    while (runner_.run_iteration()) {
      auto [it, fresh] =
          seen.try_emplace(runner_.state(), Seen{runner_.now(), runner_.iterations()});
      if (fresh) continue;
      skip(runner_.now() - it->second.at, it->second.iterations);
      seen.clear();
    }
  }

  /// The state is that of `period` cycles ago. Runs one more period to count what happens in one,
  /// then jumps over as many as fit before a warp ends.
  void skip(Cycle period, const Iterations& before) {
    Iterations each = runner_.iterations();
    std::uint64_t fits = limit_;
    for (std::size_t w = 0; w < each.size(); ++w) {
      const std::uint64_t left = limit_ - each[w];
      each[w] -= before[w];
      if (each[w] > 0) fits = std::min(fits, (left - 1) / each[w]);
    }
    if (fits < 2) return;
    const std::uint64_t jumps = fits - 1;
    add_counts(sm_, 0 - jumps, skipped_counts_);
    runner_.run_until(runner_.now() + period);
    add_counts(sm_, jumps, skipped_counts_);
    const Cycle cycles = static_cast<Cycle>(jumps) * period;
    auto warp = each.begin();
    for (auto& block : sm_.blocks()) warp = block.skip(warp, jumps, cycles);
    skipped_ += cycles;
  }

  std::uint64_t limit_;
  NoEvents none_;
  Machine sm_;
  SteadyStateRunner<Machine> runner_;
  RunOutcome skipped_counts_;
  Cycle skipped_ = 0;  ///< cycles that were jumped over
};

}  // namespace smsim
