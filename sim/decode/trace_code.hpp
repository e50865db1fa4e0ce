// SPDX-License-Identifier: MIT
// One line of an Accel-Sim trace: its fields, and the instruction as far as the trace names it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "smsim/diagnostic.hpp"

namespace smsim::decode {

inline constexpr std::size_t kLanes = 32;  ///< of a warp

/// The fields of a line, as the tracer's format names them.
struct TraceLine {
  std::uint64_t pc = 0;
  std::uint32_t mask = 0;
  std::string_view code;  ///< destinations, opcode and sources, as written: the same at each visit
  bool has_addresses = false;
  std::array<std::int64_t, kLanes> addresses{};  ///< bytes from the first active lane's
};

/// Reads a line; `leading` numbers stand in front of the PC (thread block and warp before version
/// 3, a source line with lineinfo). Nullopt: it has not that form.
std::optional<TraceLine> parse_trace_line(std::string_view line, int leading);

/// TraceLine::code as an instruction's text, with zero registers and true predicates where the
/// trace leaves an operand out in front of others; nullopt: it has not that form.
std::optional<std::string> trace_instruction(std::string_view code);

}  // namespace smsim::decode
