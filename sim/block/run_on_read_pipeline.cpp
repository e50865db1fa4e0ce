// SPDX-License-Identifier: MIT
// Loops on the operand stage of Volta and later.

#include "block/loop_run.hpp"

namespace smsim {

template RunOutcome run_on<ReadPipeline>(const CompiledLoop&, const Arch&, const RunOptions&);

}  // namespace smsim
