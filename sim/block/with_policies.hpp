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
/// `operand_read`, whose names the config reader has checked. Each goes with each.
template <typename Run>
auto with_policies(const Arch& arch, Run run) {
  const auto with_stage = [&]<typename OperandStage>() {
    const std::string& policy = arch.scheduler.policy;
    if (policy == "greedy_then_least_issued")
      return run.template operator()<GreedyThenLeastIssued, OperandStage>();
    if (policy == "greedy_active_set")
      return run.template operator()<GreedyActiveSet, OperandStage>();
    return run.template operator()<ByAge, OperandStage>();
  };
  if (arch.operand_read == "operand_collector")
    return with_stage.template operator()<OperandCollector>();
  if (arch.operand_read == "overlapped_reads")
    return with_stage.template operator()<OverlappedReads>();
  return with_stage.template operator()<ReadPipeline>();
}

}  // namespace smsim
