// SPDX-License-Identifier: MIT
// Disassembler: an encoding to the text that NVIDIA's tools print for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isa/control_word.hpp"

namespace smsim::isa {

struct Disassembly {
  std::string text;            ///< `@!P0 BRA 0x80`; targets are addresses in the function
  bool has_strangers = false;  ///< bits are set that the table knows no meaning of
};

/// The instruction at `address` of code for sm_NN; of 64 bits the low word counts. `reuse` are the
/// reuse bits of its control word. Nullopt: the table does not have the opcode.
std::optional<Disassembly> disassemble(int sm, const Encoding& encoding, std::uint64_t address,
                                       std::uint8_t reuse = 0);

/// Architectures whose encodings are known.
bool can_disassemble(int sm);

}  // namespace smsim::isa
