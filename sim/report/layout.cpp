// SPDX-License-Identifier: MIT
// Building blocks of the text report: numbers, columns, wrapped lines, bars and colours.
#include "report/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/locale/encoding_utf.hpp>
#include <cmath>
#include <numeric>

namespace smsim::report {
namespace {

bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The first `width` code points.
std::string_view head(std::string_view text, std::size_t width) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!continues_code_point(text[i]) && seen++ == width) return text.substr(0, i);
  }
  return text;
}

}  // namespace

std::string Paint::operator()(Ink ink, std::string_view text) const {
  if (!on_ || ink == Ink::plain || text.empty()) return std::string(text);
  switch (ink) {
    case Ink::bold:
      return fmt::format("\x1b[1m{}\x1b[0m", text);
    case Ink::dim:
      return fmt::format("\x1b[2m{}\x1b[0m", text);
    case Ink::good:
      return fmt::format("\x1b[32m{}\x1b[0m", text);
    case Ink::lost:
      return fmt::format("\x1b[33m{}\x1b[0m", text);
    default:
      return fmt::format("\x1b[1;31m{}\x1b[0m", text);
  }
}

std::string short_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string fraction(std::uint64_t cycles, std::uint64_t iterations) {
  if (iterations == 0) return short_number(static_cast<double>(cycles));
  constexpr std::uint64_t kLongestDenominator = 99;
  const std::uint64_t divisor = std::gcd(cycles, iterations);
  const std::uint64_t over = cycles / divisor;
  const std::uint64_t under = iterations / divisor;
  const std::string value = short_number(static_cast<double>(over) / static_cast<double>(under));
  const bool two_decimals_are_exact = 100 % under == 0;
  if (two_decimals_are_exact || under > kLongestDenominator) return value;
  return fmt::format("{} ({}/{})", value, over, under);
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string hex_address(std::uint64_t address) { return fmt::format("0x{:04x}", address); }

std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_code_point(c); }));
}

std::string printable(std::string_view text) {
  // Pictures and pages with bytes that are not UTF-8 would not open.
  std::string result =
      boost::locale::conv::utf_to_utf<char>(text.data(), text.data() + text.size());
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = c == '\t' ? ' ' : '?';
  }
  return result;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string ellipsize(std::string_view text, std::size_t width) {
  constexpr std::string_view kDots = "...";
  if (columns(text) <= width) return std::string(text);
  if (width <= kDots.size()) return std::string(kDots.substr(0, width));
  return fmt::format("{}{}", head(text, width - kDots.size()), kDots);
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t used = columns(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t used = columns(text);
  return std::string(used < width ? width - used : 0, ' ') + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string_view word = text.substr(at, end - at);
    at = end + 1;
    const std::size_t used = columns(lines.back());
    if (used != 0 && used + 1 + columns(word) > width) lines.emplace_back();
    while (columns(word) > width) {
      const std::string_view piece = head(word, width);
      lines.back() = piece;
      lines.emplace_back();
      word.remove_prefix(piece.size());
    }
    if (!word.empty()) lines.back().append(lines.back().empty() ? "" : " ").append(word);
  }
  if (lines.size() > 1 && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string bar(double share, std::size_t width) {
  const double clamped = std::clamp(share, 0.0, 1.0);
  const auto length = static_cast<std::size_t>(std::lround(clamped * static_cast<double>(width)));
  if (length == 0) return clamped > 0 ? "." : "";
  return std::string(length, '#');
}

}  // namespace smsim::report
