// SPDX-License-Identifier: MIT
// Compile, the memory part: which registers a memory instruction reads, and what it asks of the
// load/store unit.
#pragma once

#include "isa/opcode.hpp"
#include "isa/static_inst.hpp"
#include "program/lane_addresses.hpp"
#include "smsim/arch.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// What is known of the lanes' addresses of an instruction: told, found in the function's own
/// arithmetic, or nothing.
enum class AddressKnowledge : std::uint8_t { not_needed, given, inferred, assumed };

/// Fills `inst.memory` and the release times relative to it, so that an instruction on an idle
/// machine takes the latency and the read release of `timing`. `inferred` are the distances of the
/// lanes' addresses where the function tells; a stride in `options` comes first.
AddressKnowledge compile_memory(const Instruction& in, const isa::OpcodeRow& row,
                                const InstructionTiming& timing, const Arch& arch,
                                const SimulateOptions& options,
                                const program::LaneOffsets& inferred, StaticInst& inst);

}  // namespace smsim
