// SPDX-License-Identifier: MIT
// Chooses the policies that an architecture asks for and runs the loop on them.

#include "block/loop_run.hpp"

namespace smsim {

RunOutcome run_loop(const CompiledLoop& loop, const Arch& arch, const RunOptions& options) {
  return with_operand_stage(
      arch, [&]<typename OperandStage>() { return run_on<OperandStage>(loop, arch, options); });
}

}  // namespace smsim
