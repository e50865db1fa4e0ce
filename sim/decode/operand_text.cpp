// SPDX-License-Identifier: MIT
// One operand as a disassembler prints it, to its parts.
#include "decode/operand_text.hpp"

#include <algorithm>

#include "decode/text.hpp"

namespace smsim::decode {
namespace {

using Result = tl::expected<Operand, std::string>;

tl::unexpected<std::string> wrong(std::string message) {
  return tl::make_unexpected(std::move(message));
}

/// The kinds of things that a letter and a number name.
struct NamedRegister {
  std::string_view prefix;
  std::string_view special;  ///< the name of the last one: RZ, PT
  OperandKind kind;
  int special_index;
  int largest;
};

constexpr NamedRegister kNamedRegisters[] = {
    {"UR", "URZ", OperandKind::uniform_reg, kURZ, 254},
    {"UP", "UPT", OperandKind::uniform_predicate, kPT, 6},
    {"R", "RZ", OperandKind::reg, kRZ, 254},
    {"P", "PT", OperandKind::predicate, kPT, 6},
    {"B", "", OperandKind::convergence, 0, 15},
    {"SB", "", OperandKind::scoreboard, 0, 5},
};

struct Name {
  OperandKind kind;
  int index;
  std::string_view suffixes;  ///< .reuse.H0_H0, with the first dot
};

/// The digits after the prefix; -1 if there is something else.
int number_after(std::string_view digits) {
  if (digits.empty() || digits.size() > 3) return -1;
  int value = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

/// R12, RZ, UP3 ...; nullopt if the text names nothing of the kind.
tl::expected<std::optional<Name>, std::string> parse_name(std::string_view text) {
  const std::size_t dot = text.find('.');
  const std::string_view stem = text.substr(0, dot);
  const std::string_view suffixes = dot == std::string_view::npos ? "" : text.substr(dot);
  for (const NamedRegister& named : kNamedRegisters) {
    if (!named.special.empty() && stem == named.special) {
      return Name{named.kind, named.special_index, suffixes};
    }
    if (!stem.starts_with(named.prefix)) continue;
    const int index = number_after(stem.substr(named.prefix.size()));
    if (index < 0) continue;
    if (index > named.largest) return wrong("there is no " + std::string(stem));
    return Name{named.kind, index, suffixes};
  }
  return std::nullopt;
}

bool has_part(std::string_view suffixes, std::string_view part) {
  for (std::size_t at = suffixes.find(part); at != std::string_view::npos;
       at = suffixes.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    const bool begins = at > 0 && suffixes[at - 1] == '.';
    if (begins && (end == suffixes.size() || suffixes[end] == '.')) return true;
  }
  return false;
}

std::uint8_t scale_of(std::string_view suffixes) {
  if (has_part(suffixes, "X4")) return 4;
  if (has_part(suffixes, "X8")) return 8;
  if (has_part(suffixes, "X16")) return 16;
  return 1;
}

/// A whole number whose digits do not fit into 64 bits.
bool is_too_long(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  constexpr std::string_view kLargest = "18446744073709551615";
  if (hex) return text.size() > 16;
  return text.size() > kLargest.size() || (text.size() == kLargest.size() && text > kLargest);
}

std::string too_long(std::string_view number) {
  return std::string(number.substr(0, 40)) + " has more than 64 bits";
}

constexpr std::string_view kFarOffset = "the offset is larger than encodings have bits for (32)";

bool is_far(std::int64_t offset) {
  constexpr std::int64_t kFar = std::int64_t{1} << 32;
  return offset >= kFar || offset <= -kFar;
}

/// What stands between one pair of brackets: registers and numbers, added.
std::optional<std::string> add_terms(std::string_view inside, Operand& operand) {
  while (!inside.empty()) {
    const std::size_t plus = inside.find('+', 1);
    const std::string_view term = trim(inside.substr(0, plus));
    inside = plus == std::string_view::npos ? "" : inside.substr(plus + 1);
    if (const auto number = parse_integer(term)) {
      if (is_too_long(term)) return too_long(term);
      if (is_far(*number)) return std::string(kFarOffset);
      // As addresses are added: round the ends of 64 bits.
      operand.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(operand.value) +
                                                static_cast<std::uint64_t>(*number));
      continue;
    }
    const auto name = parse_name(term);
    if (!name) return name.error();
    if (!*name) continue;
    if ((*name)->kind == OperandKind::reg) {
      operand.index = static_cast<std::int16_t>((*name)->index);
      operand.registers = has_part((*name)->suffixes, "64") ? 2 : 1;
      operand.scale = scale_of((*name)->suffixes);
    } else if ((*name)->kind == OperandKind::uniform_reg) {
      operand.uniform = static_cast<std::int16_t>((*name)->index);
    }
  }
  return std::nullopt;
}

/// `word[...]`, `[...]`, `word[...][...]`: a constant or an address.
Result parse_bracketed(std::string_view text, Operand operand) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', open);
  if (close == std::string_view::npos) return wrong("']' is missing");
  const std::string_view word = text.substr(0, open);
  const std::string_view first = text.substr(open + 1, close - open - 1);
  std::string_view rest = trim_left(text.substr(close + 1));
  std::string_view second;
  const bool two = rest.starts_with('[');
  if (two) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return wrong("']' is missing");
    second = rest.substr(1, end - 1);
  }
  const bool constant = word == "c" || word == "cx";
  operand.kind = constant ? OperandKind::constant : OperandKind::memory;
  Operand base;
  if (two || word == "desc") {
    if (const auto error = add_terms(first, base)) return wrong(*error);
    if (word == "desc") operand.descriptor = base.uniform;
    if (word == "cx") operand.uniform = base.uniform;
  }
  if (two || word != "desc") {
    if (const auto error = add_terms(two ? second : first, operand)) return wrong(*error);
  }
  if (is_far(operand.value)) return wrong(std::string(kFarOffset));
  return operand;
}

constexpr std::string_view kSpecialNumbers[] = {"INF", "QNAN", "SNAN", "NAN"};

/// 1.5, 1.17e-38, +INF, -QNAN.
bool is_float(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  for (const std::string_view one : kSpecialNumbers) {
    if (text == one) return true;
  }
  if (text.empty() || !(is_digit(text.front()) || text.front() == '.')) return false;
  for (const char c : text) {
    if (!is_digit(c) && c != '.' && c != 'e' && c != 'E' && c != '-' && c != '+') return false;
  }
  return true;
}

/// Strips - ! ~ + and the bars of an absolute value; what was behind the bars stays (.reuse).
std::string strip_modifiers(std::string_view text, bool& negated) {
  while (!text.empty() && (text.front() == '-' || text.front() == '!' || text.front() == '~' ||
                           text.front() == '+')) {
    negated = negated || text.front() != '+';
    text.remove_prefix(1);
  }
  if (!text.starts_with('|')) return std::string(text);
  const std::size_t bar = text.find('|', 1);
  if (bar == std::string_view::npos) return std::string(text);
  return std::string(text.substr(1, bar - 1)) + std::string(text.substr(bar + 1));
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (!(hex ? is_hex_digit(c) : is_digit(c))) return std::nullopt;
    value = value * (hex ? 16 : 10) + static_cast<std::uint64_t>(hex_value(c));
  }
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

std::optional<LabelReference> parse_label(std::string_view text) {
  if (!text.starts_with("`(") || !text.ends_with(')')) return std::nullopt;
  const std::string_view inside = trim(text.substr(2, text.size() - 3));
  const std::size_t plus = inside.rfind('+');
  LabelReference label;
  if (plus != std::string_view::npos) {
    if (const auto offset = parse_integer(inside.substr(plus + 1))) {
      label.offset = *offset;
      label.name = std::string(trim(inside.substr(0, plus)));
      return label;
    }
  }
  label.name = std::string(inside);
  return label;
}

Result parse_operand(std::string_view text) {
  Operand operand;
  operand.text = text;
  if (const auto number = parse_integer(text)) {
    if (is_too_long(text)) return wrong(too_long(text));
    operand.kind = OperandKind::immediate;
    operand.value = *number;
    operand.negated = *number < 0;
    return operand;
  }
  if (is_float(text)) {
    operand.kind = OperandKind::immediate;
    operand.negated = text.front() == '-';
    return operand;
  }
  if (text.starts_with('`')) {
    operand.kind = OperandKind::label;
    if (!parse_label(text)) return wrong("expected a label, `(name)");
    return operand;
  }
  const std::string bare = strip_modifiers(text, operand.negated);
  if (bare.starts_with("SR")) {
    operand.kind = OperandKind::special_reg;
    return operand;
  }
  const auto name = parse_name(bare);
  if (!name) return wrong(name.error());
  if (*name) {
    operand.kind = (*name)->kind;
    operand.index = static_cast<std::int16_t>((*name)->index);
    operand.reuse = has_part((*name)->suffixes, "reuse");
    return operand;
  }
  if (bare.find('[') != std::string::npos) return parse_bracketed(bare, std::move(operand));
  return operand;
}

}  // namespace smsim::decode
