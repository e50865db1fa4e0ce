// SPDX-License-Identifier: MIT
// The scheduling policy that an architecture names, as the type that the cycle loop is built with.
#pragma once

#include <string>

#include "issue/warp_scheduler.hpp"

namespace smsim {

/// Calls `run.operator()<Policy>()` with the policy of that name (`scheduler.policy`), which the
/// config reader has checked.
template <typename Run>
auto with_scheduler(const std::string& policy, Run run) {
  if (policy == "greedy_then_oldest") return run.template operator()<GreedyThenOldest>();
  if (policy == "loose_round_robin") return run.template operator()<LooseRoundRobin>();
  if (policy == "greedy_then_youngest") return run.template operator()<GreedyThenYoungest>();
  return run.template operator()<GreedyThenLeastIssued>();
}

}  // namespace smsim
