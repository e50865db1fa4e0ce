// SPDX-License-Identifier: MIT
// What a reader has met already: long texts say the same again and again, and each thing is parsed
// and kept once.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "smsim/program.hpp"

namespace smsim::decode {

/// Values by the text that they were made of.
template <typename Value>
class Known {
 public:
  /// Null if there is none, or it was forgotten.
  const Value* find(std::string_view text) const {
    const auto found = values_.find(text);
    return found == values_.end() ? nullptr : &*found;
  }

  /// So many that a text of nothing but new ones costs no memory to speak of.
  const Value& keep(Value value) {
    if (values_.size() >= kMost) values_.clear();
    return *values_.insert(std::move(value)).first;
  }

  void clear() { values_.clear(); }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 15;

  static std::string_view text_of(std::string_view text) { return text; }
  static std::string_view text_of(const Text& text) { return text; }
  static std::string_view text_of(const Operand& operand) { return operand.text; }
  static std::string_view text_of(const Instruction& instruction) { return instruction.text; }

  struct Hash {
    using is_transparent = void;
    template <typename Key>
    std::size_t operator()(const Key& key) const {
      return std::hash<std::string_view>()(text_of(key));
    }
  };
  struct Equal {
    using is_transparent = void;
    template <typename Left, typename Right>
    bool operator()(const Left& left, const Right& right) const {
      return text_of(left) == text_of(right);
    }
  };

  std::unordered_set<Value, Hash, Equal> values_;
};

}  // namespace smsim::decode
