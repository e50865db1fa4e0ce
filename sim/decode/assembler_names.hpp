// SPDX-License-Identifier: MIT
// Names that assemblers give to registers and constants: the mapping blocks of maxas and turingas.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace smsim::decode {

class AssemblerNames {
 public:
  /// A line of a register block: `0-3 : a, b, c<0-1>`. The error says what is wrong with it.
  std::optional<std::string> add_registers(std::string_view line);
  /// A line of a constant block: `width : c[0x0][0x140]`.
  std::optional<std::string> add_constant(std::string_view line);
  /// A line of turingas's parameters: `pointer, 8`.
  std::optional<std::string> add_parameter(std::string_view line);

  bool empty() const { return map_.empty(); }
  /// The text with every name replaced; `word[1]` too is one.
  std::string replace(std::string_view text) const;

 private:
  std::unordered_map<std::string, std::string> map_;
  unsigned next_parameter_ = 0x160;  ///< of sm_70 and later
};

}  // namespace smsim::decode
