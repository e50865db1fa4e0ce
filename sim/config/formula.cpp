// SPDX-License-Identifier: MIT
// Which bank a register lives in: evaluates the mapping of a config, a formula over R or a list.
#include "config/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>
#include <vector>

namespace smsim::config {
namespace {

using Result = tl::expected<std::int64_t, FormulaError>;

constexpr int kMostNesting = 50;

struct Operator {
  std::string_view text;
  int precedence;
};

// Longer ones first where one begins like another.
constexpr std::array<Operator, 11> kOperators = {{{"<<", 4},
                                                  {">>", 4},
                                                  {"mod", 6},
                                                  {"%", 6},
                                                  {"*", 6},
                                                  {"/", 6},
                                                  {"+", 5},
                                                  {"-", 5},
                                                  {"&", 3},
                                                  {"^", 2},
                                                  {"|", 1}}};

/// Computes while it reads: precedence climbing over the text.
class FormulaReader {
 public:
  FormulaReader(std::string_view text, FormulaNames names) : text_(text), names_(names) {}

  Result read() {
    Result value = expression(1);
    if (!value) return value;
    skip_spaces();
    if (position_ < text_.size()) return error("unexpected '{}'", text_.substr(position_, 1));
    return value;
  }

 private:
  template <typename... Arguments>
  tl::unexpected<FormulaError> error(fmt::format_string<Arguments...> format,
                                     Arguments&&... arguments) const {
    return tl::make_unexpected(
        FormulaError{fmt::format(format, std::forward<Arguments>(arguments)...), position_});
  }

  void skip_spaces() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }

  const Operator* next_operator() {
    skip_spaces();
    for (const Operator& candidate : kOperators) {
      if (text_.substr(position_).starts_with(candidate.text)) return &candidate;
    }
    return nullptr;
  }

  Result expression(int least_precedence) {
    Result left = operand();
    while (left) {
      const Operator* op = next_operator();
      if (op == nullptr || op->precedence < least_precedence) break;
      const std::size_t place = position_;
      position_ += op->text.size();
      const Result right = expression(op->precedence + 1);
      if (!right) return right;
      const std::size_t after = std::exchange(position_, place);
      left = apply(op->text, *left, *right);
      if (left) position_ = after;
    }
    return left;
  }

  Result operand() {
    if (++depth_ > kMostNesting) return error("nested too deeply");
    Result value = operand_inside();
    --depth_;
    return value;
  }

  Result operand_inside() {
    skip_spaces();
    if (position_ >= text_.size()) return error("something is missing at the end");
    const char c = text_[position_];
    if (c == '(') return parenthesis();
    if (c == '-') {
      ++position_;
      const Result value = operand();
      return value ? negate(*value) : value;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return number();
    return name();
  }

  Result parenthesis() {
    const std::size_t opening = position_++;
    Result value = expression(1);
    if (!value) return value;
    skip_spaces();
    if (position_ >= text_.size() || text_[position_] != ')') {
      position_ = opening;
      return error("'(' without ')'");
    }
    ++position_;
    return value;
  }

  Result number() {
    const bool hexadecimal = text_.substr(position_).starts_with("0x");
    const char* begin = text_.data() + position_ + (hexadecimal ? 2 : 0);
    std::int32_t value = 0;
    const auto [end, status] =
        std::from_chars(begin, text_.data() + text_.size(), value, hexadecimal ? 16 : 10);
    if (status != std::errc{}) return error("not a number that fits");
    position_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  Result name() {
    std::size_t end = position_;
    while (end < text_.size() && std::isalpha(static_cast<unsigned char>(text_[end])) != 0) ++end;
    const std::string_view word = text_.substr(position_, end - position_);
    if (word.empty()) return error("unexpected '{}'", text_.substr(position_, 1));
    if (word != "R" && word != "banks") return error("unknown name '{}'; R is the register", word);
    position_ = end;
    return word == "R" ? names_.r : names_.banks;
  }

  Result apply(std::string_view op, std::int64_t left, std::int64_t right) const {
    std::int64_t value = 0;
    bool overflow = false;
    switch (op[0]) {
      case '+':
        overflow = __builtin_add_overflow(left, right, &value);
        break;
      case '-':
        overflow = __builtin_sub_overflow(left, right, &value);
        break;
      case '*':
        overflow = __builtin_mul_overflow(left, right, &value);
        break;
      case '&':
        return left & right;
      case '|':
        return left | right;
      case '^':
        return left ^ right;
      case '<':
      case '>':
        return shift(op[0] == '<', left, right);
      default:
        return divide(op == "/", left, right);
    }
    return checked(overflow, value);
  }

  Result checked(bool overflow, std::int64_t value) const {
    if (overflow) return error("the result is too large");
    return value;
  }

  Result shift(bool to_left, std::int64_t left, std::int64_t right) const {
    if (right < 0 || right > 31) return error("shift by {}; it must be from 0 to 31", right);
    if (!to_left) return left >> right;
    std::int64_t value = 0;
    const bool overflow = __builtin_mul_overflow(left, std::int64_t{1} << right, &value);
    return checked(overflow, value);
  }

  Result negate(std::int64_t value) const {
    std::int64_t negated = 0;
    const bool overflow = __builtin_sub_overflow(std::int64_t{0}, value, &negated);
    return checked(overflow, negated);
  }

  Result divide(bool quotient, std::int64_t left, std::int64_t right) const {
    if (right == 0) return error("division by zero");
    if (right == -1) return quotient ? negate(left) : Result(0);
    return quotient ? left / right : left % right;
  }

  std::string_view text_;
  FormulaNames names_;
  std::size_t position_ = 0;
  int depth_ = 0;
};

/// The numbers of a list in brackets.
tl::expected<std::vector<std::int64_t>, FormulaError> read_list(std::string_view text) {
  std::vector<std::int64_t> banks;
  std::size_t begin = 1;
  const std::size_t close = text.find(']');
  if (close != text.size() - 1)
    return tl::make_unexpected(FormulaError{"'[' without ']' at the end", 0});
  while (begin < close) {
    const std::size_t end = std::min(text.find(',', begin), close);
    const Result bank = evaluate(text.substr(begin, end - begin), {});
    if (!bank)
      return tl::make_unexpected(FormulaError{bank.error().message, begin + bank.error().position});
    banks.push_back(*bank);
    begin = end + 1;
  }
  if (banks.empty() || banks.size() > 256) {
    return tl::make_unexpected(FormulaError{"a list of banks has 1 to 256 entries", 0});
  }
  return banks;
}

}  // namespace

Result evaluate(std::string_view formula, FormulaNames names) {
  return FormulaReader(formula, names).read();
}

tl::expected<std::array<std::uint8_t, 256>, FormulaError> bank_mapping(std::string_view mapping,
                                                                       int banks) {
  std::vector<std::int64_t> list;
  if (mapping.starts_with("[")) {
    auto parsed = read_list(mapping);
    if (!parsed) return tl::make_unexpected(parsed.error());
    list = *std::move(parsed);
  }
  std::array<std::uint8_t, 256> bank_of{};
  for (std::size_t r = 0; r < bank_of.size(); ++r) {
    const Result bank = list.empty() ? evaluate(mapping, {static_cast<std::int64_t>(r), banks})
                                     : Result(list[r % list.size()]);
    if (!bank) return tl::make_unexpected(bank.error());
    if (*bank < 0 || *bank >= banks) {
      return tl::make_unexpected(FormulaError{
          fmt::format("puts R{} into bank {}; the banks are 0 to {}", r, *bank, banks - 1), 0});
    }
    bank_of[r] = static_cast<std::uint8_t>(*bank);
  }
  return bank_of;
}

}  // namespace smsim::config
