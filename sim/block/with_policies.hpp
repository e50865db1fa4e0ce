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

/// Calls `run.operator()<OperandStage>()` with the type of `operand_read`, whose name the config
/// reader has checked.
template <typename Run>
auto with_operand_stage(const Arch& arch, Run run) {
  if (arch.operand_read == "operand_collector") return run.template operator()<OperandCollector>();
  if (arch.operand_read == "overlapped_reads") return run.template operator()<OverlappedReads>();
  return run.template operator()<ReadPipeline>();
}

/// Calls `run.operator()<Scheduler>()` with the type of `scheduler.policy`.
template <typename Run>
auto with_scheduler(const Arch& arch, Run run) {
  const std::string& policy = arch.scheduler.policy;
  if (policy == "greedy_then_least_issued") return run.template operator()<GreedyThenLeastIssued>();
  if (policy == "greedy_active_set") return run.template operator()<GreedyActiveSet>();
  return run.template operator()<ByAge>();
}

/// Calls `run.operator()<Scheduler, OperandStage>()` with both. Each goes with each.
template <typename Run>
auto with_policies(const Arch& arch, Run run) {
  return with_operand_stage(arch, [&]<typename OperandStage>() {
    return with_scheduler(arch, [&]<typename Scheduler>() {
      return run.template operator()<Scheduler, OperandStage>();
    });
  });
}

}  // namespace smsim
