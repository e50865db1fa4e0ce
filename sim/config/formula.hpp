// SPDX-License-Identifier: MIT
// Which bank a register lives in: evaluates the mapping of a config, a formula over R or a list.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace smsim::config {

/// What is wrong with a formula, and at which of its characters (from 0).
struct FormulaError {
  std::string message;
  std::size_t position = 0;
};

/// The names a formula may use.
struct FormulaNames {
  std::int64_t r = 0;      ///< R, the number of the register
  std::int64_t banks = 0;  ///< banks, as the config says
};

/// Value of an integer formula with + - * / mod % & | ^ << >> and parentheses, precedence as in C
/// (mod is the same as %). Errors: anything else, division by zero, overflow.
tl::expected<std::int64_t, FormulaError> evaluate(std::string_view formula, FormulaNames names);

/// The bank of each register: a formula, or a list such as [0, 1, 0, 1, 2, 3, 2, 3] that repeats.
/// Errors: those of evaluate(), and a bank that does not exist.
tl::expected<std::array<std::uint8_t, 256>, FormulaError> bank_mapping(std::string_view mapping,
                                                                       int banks);

}  // namespace smsim::config
