// SPDX-License-Identifier: MIT
// What the lines of a disassembly consist of: comments with addresses and words, labels, names.
#include "decode/line_parts.hpp"

#include <algorithm>
#include <array>

#include "decode/text.hpp"

namespace smsim::decode {
namespace {

/// The value of each character as a hexadecimal digit; 0x10 where it is none.
constexpr auto kDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  for (std::size_t c = 0; c < digits.size(); ++c) {
    const char letter = static_cast<char>(c);
    digits[c] = is_hex_digit(letter) ? static_cast<std::uint8_t>(hex_value(letter)) : 0x10;
  }
  return digits;
}();

std::optional<std::uint64_t> parse_hex(std::string_view digits) {
  if (digits.empty() || digits.size() > 16) return std::nullopt;
  std::uint64_t value = 0;
  std::uint8_t all = 0;
  for (const char c : digits) {
    const std::uint8_t digit = kDigits[static_cast<unsigned char>(c)];
    all |= digit;
    value = value << 4 | (digit & 0xFU);
  }
  if (all > 0xF) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Comment> take_comment(std::string_view text) {
  if (!text.starts_with("/*")) return std::nullopt;
  const std::size_t end = text.find("*/", 2);
  if (end == std::string_view::npos) return std::nullopt;
  return Comment{text.substr(2, end - 2), text.substr(end + 2)};
}

std::optional<std::uint64_t> parse_address(std::string_view inside) { return parse_hex(inside); }

std::optional<std::uint64_t> parse_word(std::string_view inside) {
  const std::string_view word = trim(inside);
  return word.size() == 18 ? parse_hex(word.substr(2)) : std::nullopt;
}

bool is_word_comment(std::string_view inside) { return trim(inside).starts_with("0x"); }

int parse_sm(std::string_view text) {
  int sm = 0;
  for (std::size_t i = 0; i < text.size() && is_digit(text[i]) && sm < 10000; ++i) {
    sm = sm * 10 + (text[i] - '0');
  }
  return sm;
}

std::string_view label_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string_view rest = trim_left(text.substr(colon + 1));
  if (!rest.empty() && !rest.starts_with("//")) return {};
  const std::string_view name = text.substr(0, colon);
  return name.find_first_of(" \t\"(),;") == std::string_view::npos ? name : std::string_view();
}

std::optional<InstructionPart> take_instruction_part(std::string_view text) {
  InstructionPart part;
  part.in_braces = text.starts_with('{');
  if (part.in_braces) text = trim_left(text.substr(1));
  const std::size_t end = text.find(';');
  const std::size_t comment = text.find("/*");
  if (end < comment) {
    part.text = text.substr(0, end);
    part.rest = trim_left(text.substr(end + 1));
    if (part.rest.starts_with('}')) {
      part.in_braces = true;
      part.rest.remove_prefix(1);
    }
    return part;
  }
  const std::string_view body = trim(text.substr(0, comment));
  if (!body.ends_with('}')) return std::nullopt;
  part.in_braces = true;
  part.text = trim(body.substr(0, body.size() - 1));
  part.rest = text.substr(std::min(comment, text.size()));
  return part;
}

}  // namespace smsim::decode
