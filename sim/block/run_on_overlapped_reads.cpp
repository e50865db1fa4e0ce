// SPDX-License-Identifier: MIT
// Loops on the operand stage of Kepler.

#include "block/loop_run.hpp"

namespace smsim {

template RunOutcome run_on<OverlappedReads>(const CompiledLoop&, const Arch&, const RunOptions&);

}  // namespace smsim
