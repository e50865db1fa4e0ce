// SPDX-License-Identifier: MIT
// The control word of Maxwell and later: its 21 bits, their place in the 128-bit encodings of sm_70
// and later, and bracket notation.
#include "isa/control_word.hpp"

#include <cstddef>

namespace smsim::isa {
namespace {

/// Where the control bits begin in the high word: bit 105 of the instruction.
constexpr int kControlShift = 41;

std::uint8_t barrier(std::uint64_t field) {
  return static_cast<std::uint8_t>(field < kBarriers ? field : kNoBarrier);
}

}  // namespace

ControlWord decode_control_bits(std::uint64_t bits) {
  ControlWord control;
  control.stall = static_cast<std::uint8_t>(bits & 0xf);
  control.yield = (bits >> 4 & 1) == 0;
  control.write_barrier = barrier(bits >> 5 & 7);
  control.read_barrier = barrier(bits >> 8 & 7);
  control.wait_mask = static_cast<std::uint8_t>(bits >> 11 & 0x3f);
  control.reuse = static_cast<std::uint8_t>(bits >> 17 & 0xf);
  return control;
}

std::uint64_t encode_control_bits(const ControlWord& control) {
  return (control.stall & 0xfULL) | (control.yield ? 0ULL : 1ULL) << 4 |
         (control.write_barrier & 7ULL) << 5 | (control.read_barrier & 7ULL) << 8 |
         (control.wait_mask & 0x3fULL) << 11 | (control.reuse & 0xfULL) << 17;
}

ControlWord decode_control(const Encoding& encoding) {
  return decode_control_bits(encoding[1] >> kControlShift);
}

Encoding encode_control(const Encoding& encoding, const ControlWord& control) {
  const std::uint64_t kept = encoding[1] & ~(kControlMask << kControlShift);
  return {encoding[0], kept | encode_control_bits(control) << kControlShift};
}

namespace {

char barrier_letter(std::uint8_t number) {
  return number < kBarriers ? static_cast<char>('0' + number) : '-';
}

}  // namespace

std::string to_bracket(const ControlWord& control) {
  std::string text = "[B";
  for (int b = 0; b < kBarriers; ++b) {
    text += (control.wait_mask >> b & 1) != 0 ? static_cast<char>('0' + b) : '-';
  }
  text += std::string(":R") + barrier_letter(control.read_barrier);
  text += std::string(":W") + barrier_letter(control.write_barrier);
  text += control.yield ? ":Y:S" : ":-:S";
  text += static_cast<char>('0' + control.stall / 10);
  text += static_cast<char>('0' + control.stall % 10);
  return text + "]";
}

namespace {

/// Reads the fields one after the other; the first mistake ends it.
class BracketReader {
 public:
  explicit BracketReader(std::string_view text) : text_(text) {}

  tl::expected<BracketNotation, BracketError> read() {
    expect('[', "'['");
    if (ok_ && at(0) != 'B') read_reuse();
    read_wait();
    read_barrier('R', "the read barrier", result_.control.read_barrier);
    read_barrier('W', "the write barrier", result_.control.write_barrier);
    read_yield();
    read_stall();
    expect(']', "']'");
    if (!ok_) return tl::make_unexpected(error_);
    result_.length = position_;
    return result_;
  }

 private:
  char at(std::size_t ahead) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  void fail(const std::string& message) {
    if (ok_) error_ = {position_, message};
    ok_ = false;
  }

  void expect(char letter, const std::string& what) {
    if (!ok_) return;
    if (at(0) != letter) return fail("expected " + what + " of the control notation");
    ++position_;
  }

  /// One letter a slot: R where the flag is set.
  void read_reuse() {
    for (int slot = 0; slot < 4 && ok_; ++slot) {
      const char letter = at(0);
      if (letter != 'R' && letter != '-') return fail("expected R or - for a reuse flag");
      if (letter == 'R') {
        result_.control.reuse = static_cast<std::uint8_t>(result_.control.reuse | 1 << slot);
      }
      ++position_;
    }
    result_.has_reuse = true;
    expect(':', "':' after the reuse flags");
  }

  void read_wait() {
    expect('B', "'B', the barriers waited for,");
    for (int b = 0; b < kBarriers && ok_; ++b) {
      const char digit = static_cast<char>('0' + b);
      if (at(0) != digit && at(0) != '-') {
        return fail(std::string("expected ") + digit + " or - in the barriers waited for");
      }
      if (at(0) == digit) {
        result_.control.wait_mask = static_cast<std::uint8_t>(result_.control.wait_mask | 1 << b);
      }
      ++position_;
    }
    expect(':', "':' after the barriers waited for");
  }

  void read_barrier(char letter, const std::string& what, std::uint8_t& number) {
    expect(letter, std::string("'") + letter + "', " + what + ",");
    if (!ok_) return;
    if (at(0) != '-' && (at(0) < '0' || at(0) > '5')) {
      return fail("expected 0 to 5 or - for " + what);
    }
    number = at(0) == '-' ? static_cast<std::uint8_t>(kNoBarrier)
                          : static_cast<std::uint8_t>(at(0) - '0');
    ++position_;
    expect(':', "':' after " + what);
  }

  void read_yield() {
    if (!ok_) return;
    if (at(0) != 'Y' && at(0) != '-') return fail("expected Y or - for the yield request");
    result_.control.yield = at(0) == 'Y';
    ++position_;
    expect(':', "':' after the yield request");
  }

  void read_stall() {
    expect('S', "'S', the stall count,");
    int stall = 0;
    int digits = 0;
    for (; ok_ && digits < 2 && at(0) >= '0' && at(0) <= '9'; ++digits) {
      stall = stall * 10 + (at(0) - '0');
      ++position_;
    }
    if (ok_ && digits == 0) return fail("expected a stall count of 0 to 15");
    if (ok_ && stall > 15) {
      position_ -= 2;
      return fail("a stall count is at most 15");
    }
    result_.control.stall = static_cast<std::uint8_t>(stall);
  }

  std::string_view text_;
  std::size_t position_ = 0;
  bool ok_ = true;
  BracketNotation result_;
  BracketError error_;
};

}  // namespace

bool looks_like_bracket(std::string_view text) {
  if (text.size() < 2 || text[0] != '[') return false;
  // The last five begin Kepler's.
  return std::string_view("BR-STGdC").find(text[1]) != std::string_view::npos;
}

tl::expected<BracketNotation, BracketError> parse_bracket(std::string_view text) {
  return BracketReader(text).read();
}

}  // namespace smsim::isa
