// SPDX-License-Identifier: MIT
// Which row of the table of encodings describes an instruction: the first half of the instruction
// decoder.
#include "isa/encoding_table.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <tuple>

namespace smsim::isa {
namespace {

constexpr std::string_view kVolta =
#include "isa/encodings/volta.def"
    ;
constexpr std::string_view kMaxwell =
#include "isa/encodings/maxwell.def"
    ;
constexpr std::string_view kKepler =
#include "isa/encodings/kepler.def"
    ;

/// Up to a separator; moves the text behind it.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

int number(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Encoding hex(std::string_view text) {
  Encoding value{};
  for (const char c : text) {
    const auto digit = static_cast<std::uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    value = {value[0] << 4 | digit, value[1] << 4 | value[0] >> 60};
  }
  return value;
}

Encoding both(const Encoding& a, const Encoding& b) { return {a[0] & b[0], a[1] & b[1]}; }
Encoding differ(const Encoding& a, const Encoding& b) { return {a[0] ^ b[0], a[1] ^ b[1]}; }
int count(const Encoding& bits) { return std::popcount(bits[0]) + std::popcount(bits[1]); }
bool any(const Encoding& bits) { return (bits[0] | bits[1]) != 0; }

/// The bits that hold the opcode in each row; others may too, as the mask of the row says.
Encoding opcode_bits(ControlFormat family) {
  switch (family) {
    case ControlFormat::kepler:
      return {0xfc00000000000003, 0};
    case ControlFormat::maxwell:
      return {0xfe00000000000000, 0};
    default:
      return {0xfff, 0};
  }
}

/// Bits of the 64-bit encodings among which the opcode ends somewhere: one that no row has seen is
/// another instruction rather than another modifier.
constexpr std::uint64_t kOpcodeTail = 0xffff000000000000;
/// And so is one that differs in many bits: with half of the kernels held out, what was taken for
/// another opcode of Kepler differed in 12.
constexpr int kMostStrangeBits = 4;

void read_range(std::string_view text, int& first, int& last) {
  first = number(take_until(text, '-'));
  if (!text.empty()) last = number(text);
}

/// `sm=70-79` and the like; false: the text is no condition.
bool read_condition(std::string_view text, EncodingRow& row) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = equals == text.npos ? "" : text.substr(equals + 1);
  if (name == "sm") {
    read_range(value, row.first_sm, row.last_sm);
  } else if (name == "seen") {
    read_range(value, row.first_seen, row.last_seen);
  } else if (name == "ne") {
    row.not_true[row.not_true[0] >= 0 ? 1 : 0] = number(value);
  } else if (name == "soft") {
    row.soft = hex(value);
  } else if (name == "pow2") {
    row.power_of_two = true;
  } else if (name == "noguard") {
    row.has_guard = false;
  } else if (name == "uniform") {
    row.uniform_guard = true;
  } else {
    return false;
  }
  return true;
}

bool allows(const EncodingRow& row, int sm, const Encoding& encoding) {
  if (sm < row.first_sm || sm > row.last_sm) return false;
  for (const int predicate : row.not_true) {
    if (predicate >= 0 && extract(encoding, predicate, 3) == kPT) return false;
  }
  return !row.power_of_two || std::has_single_bit(extract(encoding, 32, 32));
}

}  // namespace

std::uint64_t extract(const Encoding& encoding, int first, int width) {
  const auto low = static_cast<unsigned>(first);
  std::uint64_t value = low < 64 ? encoding[0] >> low : encoding[1] >> (low - 64);
  if (low > 0 && low < 64 && low + static_cast<unsigned>(width) > 64) {
    value |= encoding[1] << (64 - low);
  }
  return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

std::uint64_t extract(const Encoding& encoding, const BitField& field) {
  std::uint64_t value = extract(encoding, field.first, field.width);
  if (field.top >= 0) value |= extract(encoding, field.top, 1) << field.width;
  return value;
}

BitField parse_bit_field(std::string_view text) {
  BitField field;
  const std::size_t times = text.find('*');
  if (times != text.npos) field.scale = number(text.substr(times + 1));
  text = text.substr(0, times);
  const std::size_t plus = text.find('+');
  if (plus != text.npos) field.top = number(text.substr(plus + 1));
  text = text.substr(0, plus);
  field.first = number(take_until(text, '.'));
  field.width = number(text);
  return field;
}

EncodingTable::EncodingTable(ControlFormat family)
    : family_(family), opcode_mask_(opcode_bits(family)) {
  std::string_view text = family == ControlFormat::kepler    ? kKepler
                          : family == ControlFormat::maxwell ? kMaxwell
                                                             : kVolta;
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    if (line.starts_with("sr ")) {
      line.remove_prefix(3);
      const auto value = static_cast<std::uint64_t>(number(take_until(line, ' ')));
      special_.emplace(value, line);
    } else if (!line.empty()) {
      read_row(line);
    }
  }
}

void EncodingTable::read_row(std::string_view line) {
  EncodingRow row;
  row.match = hex(take_until(line, ' '));
  row.mask = hex(take_until(line, ' '));
  std::string_view rest = line;
  while (read_condition(take_until(rest, ' '), row)) line = rest;
  row.text = line;
  // Where the opcode itself varies within a row, the row stands in each bucket it may be in.
  const Encoding open = {opcode_mask_[0] & ~row.mask[0], 0};
  std::uint64_t variant = 0;
  do {
    rows_[bucket({row.match[0] | variant, 0})].push_back(row);
    variant = (variant - open[0]) & open[0];
  } while (variant != 0);
}

std::uint64_t EncodingTable::bucket(const Encoding& encoding) const {
  return encoding[0] & opcode_mask_[0];
}

EncodingMatch EncodingTable::find(int sm, const Encoding& encoding) const {
  const auto rows = rows_.find(bucket(encoding));
  if (rows == rows_.end()) return {};
  EncodingMatch best;
  std::tuple<int, bool, int, int> best_score;
  for (const EncodingRow& row : rows->second) {
    if (!allows(row, sm, encoding)) continue;
    const Encoding change = differ(encoding, row.match);
    const Encoding strange = both(change, row.mask);
    const bool alias = row.text.starts_with("IMAD.");
    if (alias && any(strange)) continue;
    const bool other = (strange[0] & kOpcodeTail) != 0 || count(strange) > kMostStrangeBits;
    if (family_ != ControlFormat::volta && other) continue;
    const bool unseen = sm < row.first_seen || sm > row.last_seen;
    const std::tuple score{count(strange), unseen, count(both(change, row.soft)), -count(row.mask)};
    if (best.row != nullptr && !(score < best_score)) continue;
    best = {&row, count(strange)};
    best_score = score;
  }
  return best;
}

std::string_view EncodingTable::special_register(std::uint64_t value) const {
  const auto found = special_.find(value);
  return found == special_.end() ? std::string_view() : found->second;
}

const EncodingTable& encoding_table(ControlFormat family) {
  static const EncodingTable kVoltaTable(ControlFormat::volta);
  static const EncodingTable kMaxwellTable(ControlFormat::maxwell);
  static const EncodingTable kKeplerTable(ControlFormat::kepler);
  switch (family) {
    case ControlFormat::kepler:
      return kKeplerTable;
    case ControlFormat::maxwell:
      return kMaxwellTable;
    default:
      return kVoltaTable;
  }
}

}  // namespace smsim::isa
