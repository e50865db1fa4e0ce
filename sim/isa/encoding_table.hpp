// SPDX-License-Identifier: MIT
// Which row of the table of encodings describes an instruction: the first half of the instruction
// decoder.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/control_word.hpp"
#include "smsim/program.hpp"

namespace smsim::isa {

/// Bits of an encoding, from a place on.
struct BitField {
  int first = 0;
  int width = 0;
  int top = -1;   ///< a further bit that stands above them
  int scale = 1;  ///< what the number is multiplied with
};

/// Reads `32.8`, `20.19+56`, `34.48*4`, as the tables write them.
BitField parse_bit_field(std::string_view text);
std::uint64_t extract(const Encoding& encoding, int first, int width);
std::uint64_t extract(const Encoding& encoding, const BitField& field);

/// A row as in encodings/*.def, where the language is described.
struct EncodingRow {
  Encoding match{};
  Encoding mask{};
  Encoding soft{};
  int first_sm = 0, last_sm = 9999;
  int first_seen = 0, last_seen = 9999;
  std::array<int, 2> not_true{-1, -1};
  bool power_of_two = false;
  bool has_guard = true;
  bool uniform_guard = false;
  std::string_view text;
};

/// A row, and how many of the bits that it says nothing about differ from all that was seen.
struct EncodingMatch {
  const EncodingRow* row = nullptr;
  int strange_bits = 0;
};

class EncodingTable {
 public:
  explicit EncodingTable(ControlFormat family);
  /// Null row: the opcode is not in the table.
  EncodingMatch find(int sm, const Encoding& encoding) const;
  std::string_view special_register(std::uint64_t number) const;
  ControlFormat family() const { return family_; }

 private:
  void read_row(std::string_view line);
  std::uint64_t bucket(const Encoding& encoding) const;

  ControlFormat family_;
  Encoding opcode_mask_{};  ///< bits that must agree
  std::unordered_map<std::uint64_t, std::vector<EncodingRow>> rows_;
  std::unordered_map<std::uint64_t, std::string_view> special_;
};

/// The table of that family, read on first use.
const EncodingTable& encoding_table(ControlFormat family);

}  // namespace smsim::isa
