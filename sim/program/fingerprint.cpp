// SPDX-License-Identifier: MIT
// Fingerprint: whether a function's code is still what it was, control words apart.
#include "program/fingerprint.hpp"

#include <cstring>
#include <string_view>

namespace smsim::program {
namespace {

/// Every step can be undone, so two values that once differ stay different until words differ
/// again.
class Mix {
 public:
  void add(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x9e3779b97f4a7c15U;
    value_ ^= value_ >> 32U;
  }

  /// The size is mixed in by whoever calls, with something else.
  void add(std::string_view text) {
    const char* at = text.data();
    std::size_t left = text.size();
    for (; left > 8; left -= 8, at += 8) add(load<8>(at));
    if (left == 8) return add(load<8>(at));
    if (left >= 4) return add(load<4>(at) << 32U | load<4>(at + left - 4));
    std::uint64_t rest = 0;
    for (std::size_t i = 0; i < left; ++i) rest = rest << 8U | static_cast<unsigned char>(at[i]);
    add(rest);
  }

  std::uint64_t value() const { return value_; }

 private:
  template <std::size_t kBytes>
  static std::uint64_t load(const char* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, kBytes);
    return word;
  }

  std::uint64_t value_ = 0x243f6a8885a308d3U;
};

std::uint64_t bits(std::int16_t value) { return static_cast<std::uint16_t>(value); }

/// Operands are mixed each by itself, so that the processor works on several at a time.
std::uint64_t of(const Operand& op) {
  Mix mix;
  mix.add(bits(op.index) | bits(op.uniform) << 16U | bits(op.descriptor) << 32U |
          static_cast<std::uint64_t>(op.kind) << 48U | std::uint64_t{op.registers} << 56U);
  mix.add(std::uint64_t{op.scale} | static_cast<std::uint64_t>(op.slot) << 8U |
          (op.destination ? 1U << 16U : 0U) | (op.reuse ? 1U << 17U : 0U) |
          (op.negated ? 1U << 18U : 0U) | op.text.size() << 32U);
  mix.add(static_cast<std::uint64_t>(op.value));
  mix.add(op.text);
  return mix.value();
}

std::uint64_t of(const Instruction& in) {
  Mix mix;
  mix.add(in.address);
  mix.add(in.text);
  mix.add(in.opcode);
  mix.add(bits(in.guard.index) | (in.guard.negated ? 1U << 16U : 0U) |
          (in.guard.uniform ? 1U << 17U : 0U) | (in.target ? 1U << 18U : 0U) |
          in.text.size() << 32U);
  mix.add(in.opcode.size() << 32U | in.operands.size());
  mix.add(in.target.value_or(0));
  for (const Operand& op : in.operands) mix.add(of(op));
  return mix.value();
}

}  // namespace

std::uint64_t fingerprint(const Function& function) {
  Mix mix;
  mix.add(static_cast<std::uint64_t>(function.sm));
  mix.add(function.instructions.size());
  for (const Instruction& in : function.instructions) mix.add(of(in));
  return mix.value();
}

}  // namespace smsim::program
