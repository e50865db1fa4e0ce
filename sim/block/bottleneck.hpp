// SPDX-License-Identifier: MIT
// The one sentence on what limits a loop.
#pragma once

#include <string>

#include "isa/static_inst.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// What is saturated if anything is (issue slots, a pipe, a register bank, a unit of the memory
/// path), else the reason that lost the most slots and the instruction before which it lost them.
std::string bottleneck_sentence(const Result& result, const CompiledLoop& loop, const Arch& arch);

}  // namespace smsim
