// SPDX-License-Identifier: MIT
// Control words of the 64-bit encodings: one word for three (Maxwell, Pascal) or seven (Kepler)
// instructions.
#pragma once

#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>

#include "isa/control_word.hpp"
#include "smsim/program.hpp"

namespace smsim::isa {

inline constexpr int kMaxwellSlots = 3;
inline constexpr int kKeplerSlots = 7;

/// Whether the word can be a control word of that architecture: Kepler marks it (sm_30 otherwise
/// than sm_32 to sm_37), Maxwell and Pascal leave the top bit clear.
bool is_control_word(int sm, std::uint64_t word);

/// The fields of the instruction at a slot of the bundle, from 0. Architectures of 64-bit
/// encodings only (sm_30 to sm_62). Slot -1, an instruction in the control word's place as padding
/// may be, has no fields: those of a word of zeros.
ControlWord decode_bundle_control(int sm, std::uint64_t word, int slot);

/// The word with that instruction's fields replaced. Kepler takes them from `code`.
std::uint64_t encode_bundle_control(int sm, std::uint64_t word, int slot,
                                    const ControlWord& control);

/// What the eight bits of a Kepler instruction mean.
ControlWord decode_kepler_code(std::uint8_t code);

/// The code for a stall of 0 (dual issue) to 32 cycles.
std::uint8_t kepler_code(int stall);

/// Reads Kepler's own notation that the text begins with: [S09], [dual], [T:G:S03], or
/// [C28], the eight bits in hexadecimal; also that of
/// later generations if it names no barrier, reuse flag or yield.
tl::expected<BracketNotation, BracketError> parse_kepler_bracket(std::string_view text);

/// Bits of Kepler's code beside the issue delay: what they wait for is not known for sure.
inline constexpr std::uint8_t kKeplerGlobalWait = 0x40;
inline constexpr std::uint8_t kKeplerTextureWait = 0x80;

}  // namespace smsim::isa
