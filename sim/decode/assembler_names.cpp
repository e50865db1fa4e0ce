// SPDX-License-Identifier: MIT
// Names that assemblers give to registers and constants: the mapping blocks of maxas and turingas.
#include "decode/assembler_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "decode/operand_text.hpp"
#include "decode/text.hpp"

namespace smsim::decode {
namespace {

/// No block names more than a thread has registers.
constexpr std::size_t kMostNames = 256;
/// Of one name: eight with two values each make as many names as a thread has registers.
constexpr std::ptrdiff_t kMostRanges = 8;
/// How much of what cannot be read is shown.
constexpr std::size_t kNameShown = 60;

bool is_name(char c) { return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z') || c == '_'; }

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(trim(text.substr(0, end)));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

struct Range {
  std::int64_t first = 0, last = 0;
};

std::optional<Range> parse_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = parse_integer(trim(text.substr(0, dash)));
  const auto last = dash == text.npos ? first : parse_integer(trim(text.substr(dash + 1)));
  if (!first || !last || *first < 0 || *last > 255 || *last < *first) return std::nullopt;
  return Range{*first, *last};
}

/// `c<0-1>y<0-3>`: all names, in order. False: not understood.
bool expand(const std::string& name, std::vector<std::string>& names) {
  if (names.size() > kMostNames) return false;
  const std::size_t open = name.find('<');
  if (open == name.npos) {
    names.push_back(name);
    return true;
  }
  const std::size_t close = name.find('>', open);
  if (close == name.npos) return false;
  const std::string inside = name.substr(open + 1, close - open - 1);
  const auto range = parse_range(inside);
  if (!range) return false;
  // <00-63> keeps its zeros.
  const std::size_t digits = inside.starts_with('0') ? inside.find('-') : 1;
  for (std::int64_t i = range->first; i <= range->last; ++i) {
    if (!expand(fmt::format("{}{:0{}}{}", name.substr(0, open), i, std::min<std::size_t>(digits, 3),
                            name.substr(close + 1)),
                names)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<std::string> AssemblerNames::add_registers(std::string_view line) {
  if (line.find('~') != line.npos) {
    return "registers behind '~' are the assembler's choice, and it decides bank conflicts";
  }
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return "expected register numbers, ':' and names";
  std::vector<std::int64_t> numbers;
  for (const std::string_view part : split(line.substr(0, colon), ',')) {
    const auto range = parse_range(part);
    if (!range) return fmt::format("'{}' is no number or range of registers", part);
    for (std::int64_t r = range->first; r <= range->last; ++r) numbers.push_back(r);
  }
  std::vector<std::string> names;
  for (const std::string_view part : split(line.substr(colon + 1), ',')) {
    if (std::count(part.begin(), part.end(), '<') > kMostRanges ||
        !expand(std::string(part), names)) {
      return fmt::format("cannot read the names '{}'", part.substr(0, kNameShown));
    }
  }
  // A name for several registers is that of the first.
  if (names.size() > numbers.size()) {
    return fmt::format("{} names for {} registers", names.size(), numbers.size());
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    map_[names[i]] = numbers[i] == 255 ? "RZ" : fmt::format("R{}", numbers[i]);
  }
  return std::nullopt;
}

std::optional<std::string> AssemblerNames::add_constant(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view value = colon == line.npos ? "" : trim(line.substr(colon + 1));
  if (!value.starts_with("c[") && !parse_integer(value)) {
    return "expected a name, ':' and c[bank][offset] or a number";
  }
  map_[std::string(trim(line.substr(0, colon)))] = std::string(value);
  return std::nullopt;
}

std::optional<std::string> AssemblerNames::add_parameter(std::string_view line) {
  const std::vector<std::string_view> parts = split(line, ',');
  const auto size = parts.size() == 2 ? parse_integer(parts[1]) : std::nullopt;
  if (!size || *size < 1 || *size > 4096) return "expected a name and the size in bytes";
  const auto bytes = static_cast<unsigned>(*size);
  const unsigned align = bytes >= 8 ? 8 : 4;
  next_parameter_ = (next_parameter_ + align - 1) / align * align;
  for (unsigned i = 0; i * 4 < bytes; ++i) {
    const std::string place = fmt::format("c[0x0][0x{:x}]", next_parameter_ + 4 * i);
    map_[fmt::format("{}[{}]", parts[0], i)] = place;
    if (i == 0) map_[std::string(parts[0])] = place;
  }
  next_parameter_ += bytes;
  return std::nullopt;
}

std::string AssemblerNames::replace(std::string_view text) const {
  std::string out;
  std::size_t i = 0;
  while (i < text.size()) {
    std::size_t end = i;
    while (end < text.size() && is_name(text[end])) ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    // Suffixes of opcodes are no names.
    const bool suffix = i > 0 && text[i - 1] == '.';
    std::size_t close = end < text.size() && text[end] == '[' ? text.find(']', end) : text.npos;
    if (close != text.npos && !suffix) {
      const auto element = map_.find(std::string(text.substr(i, close + 1 - i)));
      if (element != map_.end()) {
        out += element->second;
        i = close + 1;
        continue;
      }
    }
    const auto found = suffix ? map_.end() : map_.find(std::string(text.substr(i, end - i)));
    if (found == map_.end()) {
      out += text.substr(i, end - i);
    } else {
      out += found->second;
    }
    i = end;
  }
  return out;
}

}  // namespace smsim::decode
