// SPDX-License-Identifier: MIT
// Checkpoints: a machine at some moments of its run, from which other runs can go on.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "block/steady_state.hpp"

namespace smsim {

/// A copy of a machine and of how far it has come. The runner refers to the machine: it may not
/// move.
template <typename Machine>
struct Moment {
  explicit Moment(const SteadyStateRunner<Machine>& at)
      : machine(at.machine()), runner(machine, at) {}
  Moment(const Moment&) = delete;
  Moment& operator=(const Moment&) = delete;

  Machine machine;
  SteadyStateRunner<Machine> runner;
};

/// Until a warp ends its last iteration, a run of so many iterations is the same as one without a
/// limit. So one machine's search for a repeat is the first part of those runs that are averaged
/// if there is none.
template <typename Machine>
class Checkpoints {
 public:
  explicit Checkpoints(std::vector<std::uint64_t> limits) : limits_(std::move(limits)) {}

  /// To be called at the end of each iteration: keeps the machine if a warp comes near a limit.
  void look(const SteadyStateRunner<Machine>& runner) {
    const std::uint64_t most = runner.most_iterations();
    for (const std::uint64_t limit : limits_)
      if (most < limit && most + kMargin >= limit) moments_.try_emplace(limit, runner);
  }

  /// A moment before any warp had done so many iterations; null if there is none.
  const Moment<Machine>* before(std::uint64_t limit) const {
    const auto it = moments_.find(limit);
    return it != moments_.end() ? &it->second : nullptr;
  }

 private:
  /// Between two looks the fastest warp does not do more. If it did, the run starts anew.
  static constexpr std::uint64_t kMargin = 2;

  std::vector<std::uint64_t> limits_;
  std::map<std::uint64_t, Moment<Machine>> moments_;
};

}  // namespace smsim
