// SPDX-License-Identifier: MIT
// Control words of the 64-bit encodings: one word for three (Maxwell, Pascal) or seven (Kepler)
// instructions.
#include "isa/bundle_control.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "isa/code_layout.hpp"

namespace smsim::isa {
namespace {

constexpr int kMaxwellBits = 21;

/// The eight bits of slot 0 begin here; what is left of the word marks it as a control word.
struct KeplerWord {
  int first_bit;
  std::uint64_t marks;
  std::uint64_t mark_mask;
};

// GK104: 0111b at the bottom, 0010b at the top.
constexpr KeplerWord kGk104 = {4, 0x2000000000000007ULL, 0xf00000000000000fULL};
// GK110 and GK210: 00b at the bottom, 000010b at the top.
constexpr KeplerWord kGk110 = {2, 0x0800000000000000ULL, 0xfc00000000000003ULL};

constexpr const KeplerWord& kepler_word(int sm) { return sm < 32 ? kGk104 : kGk110; }

constexpr bool is_kepler(int sm) { return code_layout(sm).format == ControlFormat::kepler; }

// docs/model.md, "Older control words", has the reasons.
constexpr std::uint8_t kSingleIssue = 0x20;
constexpr std::uint8_t kDelayMask = 0x1f;
constexpr std::uint8_t kNoDelayGiven = 16;

}  // namespace

bool is_control_word(int sm, std::uint64_t word) {
  if (!is_kepler(sm)) return word >> 63 == 0;
  return (word & kepler_word(sm).mark_mask) == kepler_word(sm).marks;
}

ControlWord decode_kepler_code(std::uint8_t code) {
  ControlWord control;
  control.format = ControlFormat::kepler;
  control.code = code;
  if (code == 0) {
    control.stall = kNoDelayGiven;
  } else if (code < kSingleIssue) {
    control.stall = 0;
  } else {
    control.stall = static_cast<std::uint8_t>((code & kDelayMask) + 1);
  }
  return control;
}

ControlWord decode_bundle_control(int sm, std::uint64_t word, int slot) {
  if (slot < 0) return decode_bundle_control(sm, 0, 0);
  if (is_kepler(sm)) {
    return decode_kepler_code(
        static_cast<std::uint8_t>(word >> (kepler_word(sm).first_bit + 8 * slot) & 0xff));
  }
  ControlWord control = decode_control_bits(word >> (kMaxwellBits * slot));
  control.format = ControlFormat::maxwell;
  return control;
}

std::uint64_t encode_bundle_control(int sm, std::uint64_t word, int slot,
                                    const ControlWord& control) {
  const bool kepler = is_kepler(sm);
  const int shift = kepler ? kepler_word(sm).first_bit + 8 * slot : kMaxwellBits * slot;
  const std::uint64_t mask = kepler ? 0xffULL : kControlMask;
  const std::uint64_t bits = kepler ? control.code : encode_control_bits(control);
  return (word & ~(mask << shift)) | bits << shift;
}

std::uint8_t kepler_code(int stall) {
  constexpr std::uint8_t kPair = 0x04;
  if (stall == 0) return kPair;
  return static_cast<std::uint8_t>(kSingleIssue | ((stall - 1) & kDelayMask));
}

namespace {

constexpr int kLongestDelay = 32;

tl::unexpected<BracketError> wrong(std::size_t offset, const char* message) {
  return tl::make_unexpected(BracketError{offset, message});
}

/// Notation of later generations: only its stall count can be Kepler's.
tl::expected<BracketNotation, BracketError> from_later(std::string_view text) {
  auto parsed = parse_bracket(text);
  if (!parsed) return parsed;
  ControlWord plain;
  plain.stall = parsed->control.stall;
  if (!(parsed->control == plain)) {
    return wrong(1, "Kepler's control words have no barriers, yield or reuse flags");
  }
  parsed->control = decode_kepler_code(kepler_code(plain.stall));
  parsed->has_reuse = true;
  return parsed;
}

/// The number behind S and the closing bracket.
tl::expected<int, BracketError> delay_at(std::string_view text, std::size_t& position) {
  int delay = 0;
  const std::size_t start = position;
  while (position < text.size() && text[position] >= '0' && text[position] <= '9' &&
         position < start + 2) {
    delay = delay * 10 + (text[position++] - '0');
  }
  if (position == start || delay < 1 || delay > kLongestDelay) {
    return wrong(start, "expected a delay of 1 to 32 cycles");
  }
  return delay;
}

std::optional<std::uint8_t> hex_byte(std::string_view text) {
  std::uint8_t value = 0;
  if (text.size() < 2) return std::nullopt;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + 2, value, 16);
  if (problem != std::errc() || end != text.data() + 2) return std::nullopt;
  return value;
}

}  // namespace

tl::expected<BracketNotation, BracketError> parse_kepler_bracket(std::string_view text) {
  if (text.size() > 1 && (text[1] == 'B' || text[1] == 'R' || text[1] == '-')) {
    return from_later(text);
  }
  std::size_t position = 1;
  std::uint8_t waits = 0;
  const auto take = [&](std::string_view word) {
    const bool found = text.substr(position).starts_with(word);
    if (found) position += word.size();
    return found;
  };
  if (take("T:")) waits |= kKeplerTextureWait;
  if (take("G:")) waits |= kKeplerGlobalWait;
  BracketNotation result;
  if (take("C")) {
    const auto code = hex_byte(text.substr(std::min(position, text.size())));
    if (!code || waits != 0)
      return wrong(position, "expected the eight bits, two hexadecimal digits");
    position += 2;
    result.control = decode_kepler_code(*code);
  } else if (take("dual")) {
    if (waits != 0) return wrong(1, "a pair does not wait");
    result.control = decode_kepler_code(kepler_code(0));
  } else if (take("S")) {
    const auto delay = delay_at(text, position);
    if (!delay) return tl::make_unexpected(delay.error());
    const int code = waits != 0 ? waits | (*delay - 1) : kepler_code(*delay);
    result.control = decode_kepler_code(static_cast<std::uint8_t>(code));
  } else {
    return wrong(position, "expected S and a delay, dual, or C and the eight bits");
  }
  if (!take("]")) return wrong(position, "expected ']' of the control notation");
  result.has_reuse = true;
  result.length = position;
  return result;
}

}  // namespace smsim::isa
