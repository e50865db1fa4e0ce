// SPDX-License-Identifier: MIT
// A text that is a whole number and nothing else.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace smsim {

/// Digits of `base`, with a minus where the type has one; nullopt if anything stands around them,
/// or the type cannot hold the number.
template <std::integral Number>
std::optional<Number> parse_number(std::string_view text, int base = 10) {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

/// The same of an int of at least 0.
inline std::optional<int> parse_count(std::string_view text) {
  const auto value = parse_number<int>(text);
  return value && *value >= 0 ? value : std::nullopt;
}

}  // namespace smsim
