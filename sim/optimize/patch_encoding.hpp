// SPDX-License-Identifier: MIT
// Patch, one instruction: its encoding with other registers and reuse flags.
#pragma once

#include <optional>

#include "isa/control_word.hpp"
#include "smsim/program.hpp"

namespace smsim::optimize {

/// `encoding` is that of `before`; the result is that of `after`, which differs from it in
/// registers and control word alone. Of 64-bit instructions the control word lies elsewhere and is
/// not touched. The disassembler is the judge: nullopt if no choice of the register fields makes it
/// print the text of `after`. Maxwell and later.
std::optional<isa::Encoding> reencode(int sm, const isa::Encoding& encoding,
                                      const Instruction& before, const Instruction& after);

}  // namespace smsim::optimize
