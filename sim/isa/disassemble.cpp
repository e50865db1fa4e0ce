// SPDX-License-Identifier: MIT
// Disassembler: an encoding to the text that NVIDIA's tools print for it.
#include "isa/disassemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include "isa/code_layout.hpp"
#include "isa/encoding_table.hpp"
#include "isa/opcode.hpp"

namespace smsim::isa {
namespace {

constexpr int kFirstByteUniformSm = 100;  ///< uniform registers take 8 bits from here on, 6 before
constexpr int kSplitTargetSm = 90;        ///< BRA's distance is split in two fields

std::int64_t widen(std::uint64_t value, int width) {
  const int shift = 64 - width;
  return static_cast<std::int64_t>(value << shift) >> shift;
}

std::string signed_hex(std::int64_t value) {
  return value < 0 ? fmt::format("-0x{:x}", 0 - static_cast<std::uint64_t>(value))
                   : fmt::format("0x{:x}", value);
}

/// As the tools print it: 20 digits, with an exponent from 2^31 on.
std::string number_text(double value, bool negative) {
  if (std::isnan(value)) return negative ? "-QNAN" : "+QNAN";
  if (std::isinf(value)) return negative ? "-INF" : "+INF";
  return std::abs(value) >= 2147483648.0 ? fmt::format("{:.20e}", value)
                                         : fmt::format("{:.20g}", value);
}

/// A number of 16 bits: five of exponent, ten of mantissa.
double half_value(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double mantissa = static_cast<double>(bits & 1023) / 1024;
  double value =
      exponent == 0 ? std::ldexp(mantissa, -14) : std::ldexp(1 + mantissa, exponent - 15);
  if (exponent == 31) value = mantissa == 0 ? HUGE_VAL : std::nan("");
  return (bits & 0x8000) != 0 ? -value : value;
}

class Printer {
 public:
  Printer(int sm, const Encoding& encoding, std::uint64_t address, std::uint8_t reuse)
      : sm_(sm),
        layout_(code_layout(sm)),
        table_(encoding_table(layout_.format)),
        encoding_(encoding),
        address_(address),
        reuse_(reuse) {}

  std::string guard(const EncodingRow& row) const {
    if (!row.has_guard) return {};
    const int at = layout_.format == ControlFormat::volta     ? 12
                   : layout_.format == ControlFormat::maxwell ? 16
                                                              : 18;
    const std::uint64_t index = extract(encoding_, at, 3);
    const bool negated = extract(encoding_, at + 3, 1) != 0;
    if (index == kPT && !negated) return {};
    return fmt::format("@{}{}{} ", negated ? "!" : "", row.uniform_guard ? "UP" : "P",
                       index == kPT ? "T" : std::to_string(index));
  }

  /// Which slot the opcode reads its second source through.
  void take_slots(std::string_view text) {
    const OpcodeRow* row = find_opcode(text.substr(0, text.find_first_of("{ .")), layout_.format);
    if (row == nullptr) return;
    if (row->reuse_slots == kNoReuse) reuse_ = 0;
    if (row->slots.size() > 1) second_slot_ = row->slots[1] - 'a';
    // Maxwell: with a constant as third source, the second register stands where the third would.
    const std::size_t third = text.find("<R 39>");
    third_slot_ = third != text.npos && text.find("c[", third) != text.npos ? 1 : 2;
  }

  /// The text with all that is variable filled in.
  std::string fill(std::string_view text) const {
    std::string out;
    std::size_t i = 0;
    while (i < text.size()) {
      if (text[i] == '<') {
        const std::size_t end = text.find('>', i);
        put(out, hole(text.substr(i + 1, end - i - 1)));
        i = end + 1;
      } else if (text[i] == '{') {
        const std::size_t end = text.find('}', i);
        put(out, choose(text.substr(i + 1, end - i - 1)));
        i = end + 1;
      } else if (text[i] == '[' && text.find('<', i) < text.find(']', i)) {
        const std::size_t end = text.find(']', i);
        out += '[' + sum(text.substr(i + 1, end - i - 1)) + ']';
        i = end + 1;
      } else {
        put(out, text.substr(i, 1));
        ++i;
      }
    }
    return out;
  }

 private:
  /// A reuse flag stands behind the bars of an absolute value.
  static void put(std::string& out, std::string_view part) {
    constexpr std::string_view kReuse = ".reuse";
    if ((part == "|" || part == ".H1") && out.ends_with(kReuse)) {
      out.insert(out.size() - kReuse.size(), part);
    } else {
      out += part;
    }
  }

  /// Terms of an address: registers that are zero and an offset of zero are left out.
  std::string sum(std::string_view terms) const {
    std::vector<std::string> kept;
    std::size_t count = 0;
    while (!terms.empty()) {
      const std::size_t end = std::min(terms.find("+<"), terms.size());
      const std::string_view term = terms.substr(0, end);
      terms.remove_prefix(std::min(end + 1, terms.size()));
      std::string text = fill(term);
      const bool zero = text == "0x0" || (term.starts_with("<R") && text.starts_with("RZ"));
      ++count;
      if (!zero || (count == 1 && terms.empty())) kept.push_back(std::move(text));
    }
    if (kept.empty()) return "RZ";
    return fmt::format("{}", fmt::join(kept, "+"));
  }

  std::string choose(std::string_view text) const {
    const std::size_t colon = text.find(':');
    const std::uint64_t value = extract(encoding_, parse_bit_field(text.substr(0, colon)));
    std::string_view rest = text.substr(colon + 1);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      const std::string_view one = rest.substr(0, end);
      const std::size_t equals = one.find('=');
      std::uint64_t wanted = 0;
      std::from_chars(one.data(), one.data() + equals, wanted);
      if (wanted == value) return std::string(one.substr(equals + 1));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
  }

  std::string hole(std::string_view text) const {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view kind = text.substr(0, space);
    const BitField field = parse_bit_field(text.substr(std::min(space + 1, text.size())));
    if (kind == "R") return reg(field.first);
    if (kind == "U") return uniform_reg(field.first);
    if (kind == "P" || kind == "UP") {
      const std::uint64_t index = extract(encoding_, field.first, 3);
      return fmt::format("{}{}", kind, index == kPT ? "T" : std::to_string(index));
    }
    if (kind == "B") return fmt::format("B{}", extract(encoding_, field.first, 4));
    if (kind == "SB") return fmt::format("SB{}", extract(encoding_, field.first, 3));
    if (kind == "sr") return special(extract(encoding_, field.first, 8));
    if (kind == "lut") {
      return fmt::format("0x{:x}", extract(encoding_, 64, 3) | extract(encoding_, 72, 5) << 3);
    }
    if (kind == "rel") return target(field);
    return number(kind, field);
  }

  std::string reg(int at) const {
    const std::uint64_t index = extract(encoding_, at, 8);
    const std::string name = index == kRZ ? "RZ" : fmt::format("R{}", index);
    const int slot = slot_at(at);
    return slot >= 0 && (reuse_ >> slot & 1) != 0 ? name + ".reuse" : name;
  }

  /// The reuse bit of a source register, by its place. Two-source adds read the second through c.
  int slot_at(int at) const {
    const bool wide = layout_.format == ControlFormat::volta;
    if (at == (wide ? 24 : 8)) return 0;
    if (at == (wide ? 32 : 20)) return second_slot_;
    return at == (wide ? 64 : 39) ? third_slot_ : -1;
  }

  std::string uniform_reg(int at) const {
    const int width = sm_ >= kFirstByteUniformSm ? 8 : 6;
    const std::uint64_t index = extract(encoding_, at, width);
    return index == (std::uint64_t{1} << width) - 1 ? "URZ" : fmt::format("UR{}", index);
  }

  std::string special(std::uint64_t index) const {
    const std::string_view name = table_.special_register(index);
    return name.empty() ? fmt::format("SR{}", index) : std::string(name);
  }

  std::string target(const BitField& field) const {
    std::int64_t distance = 0;
    if (field.width != 0) {
      distance = widen(extract(encoding_, field), field.width) * field.scale;
    } else if (sm_ >= kSplitTargetSm) {
      distance = widen(extract(encoding_, 34, 48) << 8 | extract(encoding_, 16, 8), 56) * 4;
    } else {
      distance = widen(extract(encoding_, 34, 48), 48) * 4;
    }
    return fmt::format("0x{:x}",
                       address_ + layout_.instruction_bytes + static_cast<std::uint64_t>(distance));
  }

  std::string number(std::string_view kind, const BitField& field) const {
    std::uint64_t bits = extract(encoding_, field);
    const int width = field.width + (field.top >= 0 ? 1 : 0);
    const auto scale = static_cast<std::uint64_t>(field.scale);
    if (kind == "u") return fmt::format("0x{:x}", bits * scale);
    if (kind == "s") return signed_hex(widen(bits, width) * field.scale);
    if (kind == "x") {
      return fmt::format("0x{:x}", static_cast<std::uint32_t>(widen(bits, width)));
    }
    const bool negative = (bits >> (width - 1) & 1) != 0;
    if (kind == "f16") return number_text(half_value(bits), negative);
    if (kind == "bf16") bits <<= 16;
    if (width == 20) bits <<= 12;
    const double value = kind == "f64"
                             ? std::bit_cast<double>(bits << 32)
                             : double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
    return number_text(value, negative);
  }

  int sm_;
  CodeLayout layout_;
  const EncodingTable& table_;
  const Encoding& encoding_;
  std::uint64_t address_;
  std::uint8_t reuse_;
  int second_slot_ = 1;
  int third_slot_ = 2;
};

}  // namespace

bool can_disassemble(int sm) { return sm >= 32; }

std::optional<Disassembly> disassemble(int sm, const Encoding& encoding, std::uint64_t address,
                                       std::uint8_t reuse) {
  const EncodingTable& table = encoding_table(code_layout(sm).format);
  const Encoding bare = {encoding[0], encoding[1] & ~(kControlMask << 41)};
  const bool wide = table.family() == ControlFormat::volta;
  const EncodingMatch found = table.find(sm, wide ? bare : encoding);
  if (found.row == nullptr) return std::nullopt;
  Printer printer(sm, wide ? bare : encoding, address, reuse);
  printer.take_slots(found.row->text);
  return Disassembly{printer.guard(*found.row) + printer.fill(found.row->text),
                     found.strange_bits != 0};
}

}  // namespace smsim::isa
