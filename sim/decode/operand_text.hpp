// SPDX-License-Identifier: MIT
// One operand as a disassembler prints it, to its parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "smsim/program.hpp"

namespace smsim::decode {

/// Reads `R2.reuse`, `-|R3|`, `!P0`, `c[0x0][R4+0x10]`, `desc[UR6][R2.64]`, `0x10`, `1.5`,
/// `(.L_x_3)` in back quotes and the like; what is none of them stays text. The error says what is
/// wrong (a register that does not exist, a bracket that is not closed).
tl::expected<Operand, std::string> parse_operand(std::string_view text);

/// A whole decimal or hexadecimal number with its sign; of more than 64 bits the low ones.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// The name in `(.L_x_3)` and the bytes added to it; empty if the text is no label.
struct LabelReference {
  std::string name;
  std::int64_t offset = 0;
};
std::optional<LabelReference> parse_label(std::string_view text);

}  // namespace smsim::decode
