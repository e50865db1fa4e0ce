// SPDX-License-Identifier: MIT
// How many registers the operands of an opcode take, as its suffixes say.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "smsim/program.hpp"

namespace smsim::isa {

/// Registers of the destination and of the first three source positions.
using Registers = std::array<std::uint8_t, 4>;

/// Data of a memory instruction: .64, .128, .256, .BF16x8, .F64; else one register.
std::uint8_t data_registers(std::string_view opcode);

/// A plain count: .2, .4 (matrices), .x16, .x32 (tensor memory).
std::uint8_t count_registers(std::string_view opcode);

/// Conversions: F2F names the destination's type first; F2I and I2F leave out what has 32 bits.
Registers conversion_registers(std::string_view opcode);

/// Fragments of a matrix multiply: HMMA.16816.F32 -> 4, 4, 2, 4.
Registers tile_registers(std::string_view opcode);

/// Textures before Volta, `TEX R0, R4, 0x0, ARRAY_2D, 0xf`: a result for each bit of the mask, the
/// coordinates of the shape in the first source.
Registers texture_registers(std::span<const Operand> operands);

}  // namespace smsim::isa
