// SPDX-License-Identifier: MIT
// Remap, the search: candidates by the estimate, the choice by the simulator.
#include "optimize/remap_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

namespace smsim::optimize {
namespace {

constexpr std::size_t kKept = 12;  ///< candidates of the estimate that are simulated
/// Annealing begins by accepting what costs about two cycles more, and ends by accepting nothing.
constexpr double kWarm = 100;
constexpr double kCold = 2;

class Search {
 public:
  Search(const ReadModel& loop, Assignment& assignment, const Candidate& start,
         const FlagRule& flags, const Judge& judge, const SearchLimits& limits)
      : loop_(loop),
        names_(assignment),
        flags_(flags),
        judge_(judge),
        limits_(limits),
        best_(start) {
    std::set<std::size_t> groups;
    for (const int web : loop.webs()) groups.insert(assignment.group_of(web));
    for (const std::size_t group : groups)
      if (assignment.is_movable(group) && assignment.places(group) > 1) groups_.push_back(group);
  }

  Candidate run() {
    consider(names_.names());  // the old names, with the best flags
    if (groups_.empty() || is_done()) return best_;
    anneal();
    for (const auto& [cost, names] : kept_)
      if (!is_done()) consider(names);
    climb();
    return best_;
  }

 private:
  bool is_done() const {
    return work_ >= limits_.work || best_.score.cycles <= limits_.floor + limits_.step;
  }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  double share() { return static_cast<double>(random_()) / 4294967296.0; }

  bool move() {
    const std::size_t group = groups_[below(groups_.size())];
    return names_.move(group, below(names_.places(group)));
  }

  /// Simulates it and keeps it if it is better. Whether it is not worse.
  bool consider(const Names& names) {
    Flags flags = flags_(names);
    const Score score = judge_(names, flags);
    work_ += score.work;
    const bool as_good = score.cycles <= best_.score.cycles;
    if (score.cycles < best_.score.cycles - limits_.step) best_ = {names, std::move(flags), score};
    return as_good;
  }

  void keep(long cost, const Names& names) {
    if (kept_.size() >= kKept && cost >= std::prev(kept_.end())->first) return;
    kept_.emplace(cost, names);
    if (kept_.size() > kKept) kept_.erase(std::prev(kept_.end()));
  }

  void anneal() {
    long cost = loop_.estimate(names_.names());
    long least = cost;
    const double steps = std::max(1, limits_.estimates);
    for (int i = 0; i < limits_.estimates; ++i) {
      if (!move()) continue;
      const double heat = kWarm * std::pow(kCold / kWarm, i / steps);
      const long now = loop_.estimate(names_.names());
      if (now > cost && share() >= std::exp(static_cast<double>(cost - now) / heat)) {
        names_.undo();
        continue;
      }
      cost = now;
      if (cost >= least) continue;
      least = cost;
      keep(cost, names_.names());
    }
  }

  /// From the best on, by moves that the simulator likes.
  void climb() {
    names_.set_names(best_.names);
    long cost = loop_.estimate(best_.names);
    for (int i = 0; i < limits_.estimates && !is_done(); ++i) {
      if (!move()) continue;
      const long now = loop_.estimate(names_.names());
      // A few cycles worse by the estimate may still be better.
      if (now <= cost + 128 && consider(names_.names())) {
        cost = now;
      } else {
        names_.undo();
      }
    }
  }

  const ReadModel& loop_;
  Assignment& names_;
  const FlagRule& flags_;
  const Judge& judge_;
  SearchLimits limits_;
  Candidate best_;
  std::vector<std::size_t> groups_;
  std::multimap<long, Names> kept_;
  double work_ = 0;
  std::mt19937 random_{20181024};
};

}  // namespace

Candidate search(const ReadModel& loop, Assignment& assignment, const Candidate& start,
                 const FlagRule& flags, const Judge& judge, const SearchLimits& limits) {
  return Search(loop, assignment, start, flags, judge, limits).run();
}

}  // namespace smsim::optimize
