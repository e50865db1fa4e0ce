// SPDX-License-Identifier: MIT
// Where lanes that went different ways meet again, before Volta: the stack that SSY, PBK and PCNT
// push and SYNC, BRK and CONT pop.
#pragma once

#include "smsim/program.hpp"

namespace smsim::decode {

/// Gives what pops the stack the target that was pushed for it. An excerpt that begins behind the
/// push leaves it without one. Targets of branches must have been resolved. Nothing is done to
/// functions for sm_70 and later.
void resolve_reconvergence(Function& function);

}  // namespace smsim::decode
