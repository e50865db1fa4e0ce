// SPDX-License-Identifier: MIT
// One instruction as a disassembler prints it: guard, opcode, operands.
#include "decode/instruction_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "decode/operand_text.hpp"
#include "decode/text.hpp"

namespace smsim::decode {
namespace {

using Error = std::optional<TextError>;

constexpr std::size_t kShown = 40;  ///< characters of what cannot be read

bool is_word(char c) {
  return is_upper(c) || is_digit(c) || c == '_' || c == '.' || is_hex_digit(c);
}

bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/// Letters of a suffix may be small (8x8x4, F16x2); the opcode itself is in capitals.
bool is_opcode(std::string_view word) {
  if (word.size() < 2 || !is_upper(word.front())) return false;
  bool suffix = false;
  for (const char c : word) {
    suffix = suffix || c == '.';
    if (!(is_word(c) || is_small(c)) || (is_small(c) && !suffix)) return false;
  }
  return word.back() != '.';
}

constexpr bool is_blank_but_space(char c) { return c == '\t' || c == '\r'; }

/// Nearly all are, and long texts have millions of them.
bool is_tidy(std::string_view text) {
  char before = ' ';
  for (const char c : text) {
    const bool space = before == ' ';
    const bool stray = space && (c == ' ' || c == ',' || c == '[');
    if (stray || is_blank_but_space(c) || (before == '(' && c == '*')) return false;
    before = c;
  }
  return true;
}

/// The text without what nvdisasm adds in (*...*), with single spaces and none before a comma or
/// between two pairs of brackets.
std::string tidy(std::string_view text) {
  text = trim(text);
  if (is_tidy(text)) return std::string(text);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("(*")) {
      const std::size_t end = text.find("*)", i);
      if (end == std::string_view::npos) break;
      i = end + 1;
      continue;
    }
    const bool joins = text[i] == ',' || (text[i] == '[' && result.ends_with("] "));
    if (joins && !result.empty() && result.back() == ' ') result.pop_back();
    if (!is_space(text[i])) {
      result += text[i];
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

/// Walks over the operands: where the next comma or space outside of brackets is.
class Splitter {
 public:
  Splitter(std::string_view text, std::size_t start) : text_(text), position_(start) {}

  std::size_t position() const { return position_; }
  bool done() const { return position_ >= text_.size(); }

  /// The next operand; moves behind its comma.
  std::string_view next() {
    const std::size_t start = position_;
    const std::size_t end = find_end(start, ',');
    position_ = end == text_.size() ? end : end + 1;
    ended_with_comma_ = end < text_.size();
    return text_.substr(start, end - start);
  }

  bool ended_with_comma() const { return ended_with_comma_; }

  std::size_t find_end(std::size_t from, char separator) const {
    int depth = 0;
    for (std::size_t i = from; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '[' || c == '(' || c == '{') ++depth;
      if ((c == ']' || c == ')' || c == '}') && depth > 0) --depth;
      if (c == separator && depth == 0) return i;
    }
    return text_.size();
  }

 private:
  std::string_view text_;
  std::size_t position_;
  bool ended_with_comma_ = false;
};

/// What no disassembler and no assembler prints. Words that are not known pass: there are many.
bool is_no_operand(const Operand& operand) {
  if (operand.kind != OperandKind::other) return false;
  const std::string_view text = operand.text;
  const char first = text.front();
  if (first == '(' && !text.ends_with(')')) return true;
  if (text.size() > 1 && first == 'R' && (is_digit(text[1]) || text[1] == '-')) return true;
  return !(is_upper(first) || is_small(first) || is_digit(first) || first == '.' || first == '-' ||
           first == '(' || first == '{' || first == '|') ||
         text.find(' ') != text.npos;
}

/// r1, ur4, p0: read as a word it would depend on nothing.
bool is_small_register(std::string_view text) {
  const std::size_t letters = text.find_first_not_of("urp");
  return letters != text.npos && letters > 0 && letters <= 2 && is_digit(text[letters]);
}

/// The operands of an instruction so far.
struct Operands {
  Known<Operand>& known;
  std::vector<Operand> list;
};

Error add_operand(std::string_view text, std::size_t offset, Operands& operands) {
  if (const Operand* known = operands.known.find(text)) {
    operands.list.push_back(*known);
    return std::nullopt;
  }
  auto operand = parse_operand(text);
  if (!operand) return TextError{offset, operand.error()};
  if (is_small_register(text))
    return TextError{offset, fmt::format("'{}' is no register: their letters are capitals", text)};
  if (is_no_operand(*operand))
    return TextError{offset, fmt::format("'{}' is no operand", text.substr(0, kShown))};
  operands.list.push_back(operands.known.keep(*std::move(operand)));
  return std::nullopt;
}

/// One operand between commas; `R4 0x0` (a register and a target) are two.
Error add_part(std::string_view part, std::size_t offset, Operands& operands) {
  const std::string_view left = trim_left(part);
  offset += part.size() - left.size();
  const std::string_view text = trim(left);
  if (text.empty()) return TextError{offset, "an operand is missing"};
  const std::size_t space = Splitter(text, 0).find_end(0, ' ');
  const bool two = space < text.size() && (text[0] == 'R' || text.starts_with("UR"));
  if (!two) return add_operand(text, offset, operands);
  // A target: a number or a label.
  if (const std::string_view second = trim(text.substr(space)); is_upper(second.front()))
    return TextError{offset + space + 1, "expected ',' between two operands"};
  if (const Error error = add_operand(text.substr(0, space), offset, operands)) return error;
  return add_operand(trim(text.substr(space)), offset + space + 1, operands);
}

Error read_operands(std::string_view text, std::size_t start, Operands& operands) {
  if (trim(text.substr(start)).empty()) return std::nullopt;
  Splitter splitter(text, start);
  do {
    const std::size_t offset = splitter.position();
    if (Error error = add_part(splitter.next(), offset, operands)) return error;
  } while (!splitter.done());
  if (splitter.ended_with_comma()) return TextError{text.size(), "an operand is missing"};
  return std::nullopt;
}

/// `@P0`, `@!UP1`; moves the position behind it.
Error read_guard(std::string_view text, std::size_t& position, Guard& guard) {
  if (!text.starts_with('@')) return std::nullopt;
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  std::string_view name = text.substr(1, end - 1);
  guard.negated = name.starts_with('!');
  if (guard.negated) name.remove_prefix(1);
  const auto operand = parse_operand(name);
  const bool plain = operand && operand->kind == OperandKind::predicate;
  guard.uniform = operand && operand->kind == OperandKind::uniform_predicate;
  if (!plain && !guard.uniform) return TextError{1, "expected a predicate after '@'"};
  guard.index = operand->index;
  position = end;
  return std::nullopt;
}

std::size_t skip_spaces(std::string_view text, std::size_t position) {
  while (position < text.size() && is_space(text[position])) ++position;
  return position;
}

}  // namespace

bool looks_like_instruction(std::string_view text) {
  if (text.starts_with('@')) return true;
  const std::size_t end = std::min(text.find_first_of(" \t\r;"), text.size());
  return is_opcode(text.substr(0, end));
}

tl::expected<Instruction, TextError> parse_instruction(std::string_view text) {
  Words words;
  return parse_instruction(text, words);
}

tl::expected<Instruction, TextError> parse_instruction(std::string_view text, Words& words) {
  Instruction instruction;
  // Annotations end an instruction, so offsets in the text before them stay right.
  const std::string_view body = text.substr(0, text.find("(*"));
  std::size_t position = 0;
  if (Error error = read_guard(body, position, instruction.guard)) {
    return tl::make_unexpected(*std::move(error));
  }
  position = skip_spaces(body, position);
  std::size_t end = position;
  while (end < body.size() && !is_space(body[end])) ++end;
  const std::string_view word = body.substr(position, end - position);
  if (!is_opcode(word)) {
    return tl::make_unexpected(TextError{position, "expected an opcode"});
  }
  const Text* const opcode = words.opcodes.find(word);
  instruction.opcode = opcode != nullptr ? *opcode : words.opcodes.keep(word);
  Operands operands{words.operands, {}};
  if (Error error = read_operands(body, end, operands)) {
    return tl::make_unexpected(*std::move(error));
  }
  instruction.operands = SharedArray<Operand>(operands.list);
  instruction.text = tidy(text);
  return instruction;
}

}  // namespace smsim::decode
