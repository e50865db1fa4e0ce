// SPDX-License-Identifier: MIT
// Lane slice: the instructions that the lanes' addresses can depend on.
#pragma once

#include <vector>

#include "isa/opcode.hpp"
#include "smsim/program.hpp"

namespace smsim::program {

/// By instruction, whether its result may reach an address in memory or a predicate that decides
/// where lanes go. `rows`: the opcode of each; null: unknown, which always counts.
std::vector<bool> lane_slice(const Function& function,
                             const std::vector<const isa::OpcodeRow*>& rows);

}  // namespace smsim::program
