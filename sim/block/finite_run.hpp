// SPDX-License-Identifier: MIT
// Finite run: every warp does a fixed number of iterations; periods that repeat are jumped over.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "block/checkpoints.hpp"
#include "block/count_history.hpp"
#include "block/event_sink.hpp"
#include "block/jump.hpp"
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
        none_counted_(arch),
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
      : limit_(iterations),
        sm_(from.machine),
        runner_(sm_, from.runner),
        none_counted_(arch),
        skipped_counts_(arch) {
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

  /// Makes it the run of `more` iterations more, which takes the same course if it only stays
  /// longer in what repeats; false, and nothing changed, if that is not so.
  bool extend(std::uint64_t more) {
    if (stuck() || !jumps_complete_) return false;
    const auto periods = periods_for(jumps_, more);
    if (!periods) return false;
    for (std::size_t k = 0; k < jumps_.size(); ++k) put_in(jumps_[k], (*periods)[k]);
    return true;
  }

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
    Jump jump = jump_at(repeat);
    std::uint64_t periods = periods_before_end(jump.each, runner_.iterations(), limit_);
    if (!history.add_since(repeat.look, sm_, runner_.now(), 1, jump.counts)) {
      if (periods <= 1) {
        jumps_complete_ = false;
        return;
      }
      --periods;
      jump.counts.add_machine(sm_, 0 - std::uint64_t{1});
      runner_.run_until(runner_.now() + jump.period);
      jump.counts.add_machine(sm_, 1);
    }
    auto each = jump.each.begin();
    for (auto& block : sm_.blocks()) each = block.add_iterations(each, periods);
    put_in(jump, periods);
    jumps_.push_back(std::move(jump));
  }

  Jump jump_at(const Repeat& repeat) const {
    Jump jump{repeat.end - repeat.begin, repeat.each, none_counted_, {}, {}};
    for (const auto& block : sm_.blocks()) {
      jump.idle.push_back(block.books_nothing_since(runner_.now() - jump.period));
      for (const Warp& warp : block.warps()) jump.ended.push_back(!warp.running);
    }
    return jump;
  }

  /// Times of the machine stay as they are, so what ended before lies further back.
  void put_in(const Jump& jump, std::uint64_t periods) {
    const Cycle cycles = static_cast<Cycle>(periods) * jump.period;
    auto ended = jump.ended.begin();
    for (std::size_t b = 0; b < sm_.blocks().size(); ++b) {
      for (Warp& warp : sm_.blocks()[b].warps())
        if (*ended++) warp.finished_at -= cycles;
      if (jump.idle[b]) sm_.blocks()[b].account().ended_earlier(cycles);
    }
    skipped_counts_.add(jump.counts, periods);
    skipped_ += cycles;
  }

  std::uint64_t limit_;
  NoEvents none_;
  Machine sm_;
  SteadyStateRunner<Machine> runner_;
  Counts none_counted_;
  Counts skipped_counts_;
  std::vector<Jump> jumps_;
  bool jumps_complete_ = true;  ///< all places at which it repeats are among them
  Cycle skipped_ = 0;           ///< cycles that were jumped over
};

}  // namespace smsim
