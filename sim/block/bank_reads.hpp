// SPDX-License-Identifier: MIT
// Bank reads: the fewest reads of each register bank that an iteration of a warp can do with, and
// those that bypass the read pipeline.
#pragma once

#include <vector>

#include "block/run_outcome.hpp"
#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// [instruction * banks + bank]: reads that no reuse cache can spare. The cache is taken at its
/// best: its entries live until the warp's own next use of the bank and slot, however late that
/// comes. A register that an instruction names twice is read once.
std::vector<int> fewest_bank_reads(const CompiledLoop& loop, const Arch& arch);

/// Adds the reads by the register feed, for memory and special functions, to those that the read
/// pipeline counted: as many as each instruction takes, times how often it was issued.
void add_fed_reads(const CompiledLoop& loop, const Arch& arch, RunOutcome& run);

}  // namespace smsim
