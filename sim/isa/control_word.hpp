// SPDX-License-Identifier: MIT
// The control word of Maxwell and later: its 21 bits, their place in the 128-bit encodings of sm_70
// and later, and bracket notation.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "smsim/program.hpp"

namespace smsim::isa {

/// The low and the high word of an instruction.
using Encoding = std::array<std::uint64_t, 2>;

/// The bits of one instruction.
inline constexpr std::uint64_t kControlMask = 0x1fffffULL;

/// The dependency barriers of a warp, numbered from 0.
inline constexpr int kBarriers = 6;

/// Longer stall counts, up to 15, need a yield request: without one they mean another number of
/// cycles (Huerta, section 4; on Maxwell measured by regbank).
inline constexpr int kLongestPlainStall = 11;

/// A stall count that means another number of cycles, on Volta and later.
inline bool is_overlong(const ControlWord& control) {
  return control.format == ControlFormat::volta && control.stall > kLongestPlainStall &&
         !control.yield;
}

/// What it means: 14 and 15 `longest` cycles, 12 and 13 one. Source: RTX 3060, amp86-stall-*: with
/// 13 the loops take what they take with 1 (5376.8 and 5375.2 cycles, 5376.8 and 5375.2), with 15
/// less (5317.6), as loops with 2 do.
inline int overlong_cycles(const ControlWord& control, int longest) {
  return (control.stall & 2) != 0 ? longest : 1;
}

/// Whether the instruction raises the barrier, for its result or for its sources.
inline bool raises(const ControlWord& control, int barrier) {
  return control.write_barrier == barrier || control.read_barrier == barrier;
}

/// Reads the low 21 bits: stall 4, yield 1 (clear: requested), write barrier 3, read barrier 3,
/// wait mask 6, reuse 4. Barrier values 6 and 7 name none.
ControlWord decode_control_bits(std::uint64_t bits);
std::uint64_t encode_control_bits(const ControlWord& control);

/// Reads bits 105 to 125.
ControlWord decode_control(const Encoding& encoding);

/// The encoding with its control bits replaced.
Encoding encode_control(const Encoding& encoding, const ControlWord& control);

/// `[B--2---:R0:W-:-:S04]`: barriers waited for, read barrier, write barrier, yield, stall. The
/// reuse flags are not in it: they stand beside the operands.
std::string to_bracket(const ControlWord& control);

struct BracketNotation {
  ControlWord control;
  bool has_reuse = false;  ///< a leading field names the reuse flags: [RR--:B------:...]
  std::size_t length = 0;  ///< characters, brackets included
};

/// What is wrong with it, and at which character (from 0).
struct BracketError {
  std::size_t offset = 0;
  std::string message;
};

/// Whether the text begins like bracket notation, right or wrong.
bool looks_like_bracket(std::string_view text);

/// Reads the notation that the text begins with.
tl::expected<BracketNotation, BracketError> parse_bracket(std::string_view text);

}  // namespace smsim::isa
