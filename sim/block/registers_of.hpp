// SPDX-License-Identifier: MIT
// Compile, the register part: which banks an instruction reads in which slot, and writes.
#pragma once

#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"
#include "smsim/program.hpp"

namespace smsim {

void add_reads(const Instruction& in, const Arch& arch, StaticInst& out);
void add_writes(const Instruction& in, const Arch& arch, StaticInst& out);

}  // namespace smsim
