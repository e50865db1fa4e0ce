// SPDX-License-Identifier: MIT
// One value of a config: checks it against its key's row and stores it.
#include "config/value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace smsim::config {
namespace {

using Complaint = std::optional<std::string>;

std::string found(const Node& value) {
  if (value.is(Node::Kind::scalar)) return fmt::format("'{}'", value.text);
  return std::string(describe(value.kind));
}

Complaint read_integer(const KeyInfo& info, const Node& value, int& result) {
  const char* begin = value.text.data();
  const char* end = begin + value.text.size();
  int number = 0;
  const auto [rest, status] = std::from_chars(begin, end, number);
  const bool digits = rest == end && begin != end;
  if (!value.is(Node::Kind::scalar) || !digits || status == std::errc::invalid_argument) {
    return fmt::format("expects an integer, not {}", found(value));
  }
  if (status != std::errc{} || number < info.least || number > info.most) {
    return fmt::format("is {}; it must be from {} to {}{}{}", value.text, info.least, info.most,
                       info.unit.empty() ? "" : " ", info.unit);
  }
  result = number;
  return {};
}

Complaint store_integers(const KeyInfo& info, const Node& value, std::vector<int>& result) {
  if (!value.is(Node::Kind::list)) {
    return fmt::format("expects a list of integers, not {}", found(value));
  }
  std::vector<int> numbers;
  for (const Node& item : value.items) {
    if (Complaint complaint = read_integer(info, item, numbers.emplace_back())) return complaint;
  }
  result = std::move(numbers);
  return {};
}

Complaint store_flag(const Node& value, bool& result) {
  if (value.text != "true" && value.text != "false") {
    return fmt::format("is true or false, not {}", found(value));
  }
  result = value.text == "true";
  return {};
}

Complaint store_formula(const Node& value, std::string& result) {
  if (!value.is(Node::Kind::list)) {
    return fmt::format("expects a formula or a list of banks, not {}", found(value));
  }
  std::vector<std::string> banks;
  for (const Node& item : value.items) banks.push_back(item.text);
  result = fmt::format("[{}]", fmt::join(banks, ", "));
  return {};
}

Complaint store_text(const KeyInfo& info, const Node& value, std::string& result) {
  const bool scalar = value.is(Node::Kind::scalar) && !value.text.empty();
  if (info.kind == ValueKind::formula && !scalar) return store_formula(value, result);
  if (!scalar) return fmt::format("expects a text, not {}", found(value));
  if (info.kind == ValueKind::choice) {
    const std::vector<std::string> words = split_choices(info.choices);
    if (std::find(words.begin(), words.end(), value.text) == words.end()) {
      return fmt::format("is '{}'; it must be one of {}", value.text, fmt::join(words, ", "));
    }
  }
  result = value.text;
  return {};
}

}  // namespace

std::vector<std::string> split_choices(std::string_view choices) {
  std::vector<std::string> words;
  std::istringstream in{std::string(choices)};
  for (std::string word; std::getline(in, word, '|');) words.push_back(word);
  return words;
}

std::optional<std::string> store(const Slot& slot, const Node& value) {
  struct Store {
    const KeyInfo& info;
    const Node& value;
    Complaint operator()(int* target) const { return read_integer(info, value, *target); }
    Complaint operator()(bool* target) const { return store_flag(value, *target); }
    Complaint operator()(std::string* target) const { return store_text(info, value, *target); }
    Complaint operator()(std::vector<int>* target) const {
      return store_integers(info, value, *target);
    }
  };
  return std::visit(Store{*slot.info, value}, slot.target);
}

}  // namespace smsim::config
