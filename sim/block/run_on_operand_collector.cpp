// SPDX-License-Identifier: MIT
// Loops on the operand stage of Maxwell and Pascal.

#include "block/loop_run.hpp"

namespace smsim {

template RunOutcome run_on<OperandCollector>(const CompiledLoop&, const Arch&, const RunOptions&);

}  // namespace smsim
