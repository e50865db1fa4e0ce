// SPDX-License-Identifier: MIT
// Building blocks of the text report: numbers, columns, wrapped lines, bars and colours.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsim::report {

enum class Ink : std::uint8_t { plain, bold, dim, good, lost, worst };

/// Puts ANSI colours around a text, or leaves it alone. Pad to columns first, then paint.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string operator()(Ink ink, std::string_view text) const;

 private:
  bool on_;
};

/// At most two decimals, without trailing zeros: 75, 71.5, 0.33.
std::string short_number(double value);

/// `cycles / iterations` as an integer, as a decimal that is exact, or as `71.67 (215/3)`.
std::string fraction(std::uint64_t cycles, std::uint64_t iterations);

/// A share of 0..1 as `85.3 %`.
std::string percent(double share);

/// `0x0220`: at least four digits.
std::string hex_address(std::uint64_t address);

/// `1 warp`, `2 warps`.
std::string counted(std::uint64_t n, std::string_view noun);

/// Code points of a UTF-8 text, which is how many columns a terminal gives it here.
std::size_t columns(std::string_view text);

/// The text without control characters, which would move a terminal's cursor, and without bytes
/// that are not UTF-8.
std::string printable(std::string_view text);

/// Text inside an element or attribute of XML or HTML, without control characters.
std::string escaped(std::string_view text);

/// At most `width` columns; what is cut is marked with "...".
std::string ellipsize(std::string_view text, std::size_t width);

/// Padded with blanks on the right (left) to `width` columns.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

/// Broken at blanks into lines of at most `width` columns; a longer word is cut into pieces.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// `share` of `width` columns in #; a dot for a share that is not zero but too small for one #.
std::string bar(double share, std::size_t width);

}  // namespace smsim::report
