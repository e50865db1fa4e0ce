// SPDX-License-Identifier: MIT
// The policies that an architecture names, as the types that the cycle loop is built with.
#pragma once

#include <string>

#include "issue/active_set.hpp"
#include "issue/warp_scheduler.hpp"
#include "operand/operand_collector.hpp"
#include "operand/overlapped_reads.hpp"
#include "operand/read_pipeline.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Calls `run.operator()<Scheduler, OperandStage>()` with the types of `scheduler.policy` and
/// `operand_read`, whose names and combination the config reader has checked: the generations
/// before Volta have a scheduler of their own, and two of the general ones to compare with.
template <typename Run>
auto with_policies(const Arch& arch, Run run) {
  const std::string& policy = arch.scheduler.policy;
  const auto older = [&]<typename OperandStage>() {
    if (policy == "loose_round_robin")
      return run.template operator()<LooseRoundRobin, OperandStage>();
    if (policy == "greedy_then_oldest")
      return run.template operator()<GreedyThenOldest, OperandStage>();
    return run.template operator()<GreedyActiveSet, OperandStage>();
  };
  if (arch.operand_read == "operand_collector")
    return older.template operator()<OperandCollector>();
  if (arch.operand_read == "overlapped_reads") return older.template operator()<OverlappedReads>();
  if (policy == "greedy_then_oldest")
    return run.template operator()<GreedyThenOldest, ReadPipeline>();
  if (policy == "loose_round_robin")
    return run.template operator()<LooseRoundRobin, ReadPipeline>();
  if (policy == "greedy_then_youngest")
    return run.template operator()<GreedyThenYoungest, ReadPipeline>();
  return run.template operator()<GreedyThenLeastIssued, ReadPipeline>();
}

}  // namespace smsim
