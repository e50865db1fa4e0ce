// SPDX-License-Identifier: MIT
// How a 32-bit register differs between the lanes of a warp: values of the abstract interpretation
// that memory addresses are found by.
#include "program/lane_values.hpp"

#include <algorithm>
#include <bit>

namespace smsim::program {
namespace {

constexpr unsigned kBits = 32;

constexpr std::uint32_t low_mask(unsigned count) {
  return count >= kBits ? ~0U : (1U << count) - 1;
}

/// Known bits of one word.
struct Word {
  std::uint32_t known = 0;
  std::uint32_t bits = 0;

  std::uint32_t largest() const { return bits | ~known; }
  unsigned low_known() const { return static_cast<unsigned>(std::countr_one(known)); }
  unsigned trailing_zeros() const { return static_cast<unsigned>(std::countr_zero(bits | ~known)); }
};

Word word_of(const LaneValue& value) { return {value.known, value.bits}; }

/// The smallest and the largest possible sum agree with the true one wherever both summands' bits
/// are known and the carry into them is.
Word add_words(const Word& a, const Word& b) {
  const std::uint32_t largest = a.largest() + b.largest();
  const std::uint32_t smallest = a.bits + b.bits;
  const std::uint32_t carry_zero = ~(largest ^ a.largest() ^ b.largest());
  const std::uint32_t carry_one = smallest ^ a.bits ^ b.bits;
  const std::uint32_t known = a.known & b.known & (carry_zero | carry_one);
  return {known, smallest & known};
}

Word multiply_words(const Word& a, const Word& b) {
  const unsigned low = std::min(a.low_known() + b.trailing_zeros(),  //
                                b.low_known() + a.trailing_zeros());
  std::uint32_t known = low_mask(low);
  const std::uint64_t largest = std::uint64_t{a.largest()} * b.largest();
  if (largest <= ~0U) known |= ~low_mask(static_cast<unsigned>(std::bit_width(largest)));
  const std::uint32_t product = a.bits * b.bits;
  return {known, product & low_mask(low)};
}

LaneValue with_word(const Word& word, std::uint32_t shape) {
  return {LaneKind::offsets, shape, word.known, word.bits};
}

/// The 32 bits of a truth table's output (LOP3's: bit 4a + 2b + c) for whole words.
std::uint32_t look_up(unsigned table, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t out = 0;
  for (unsigned row = 0; row < 8; ++row) {
    if ((table >> row & 1U) == 0) continue;
    out |= ((row & 4U) != 0 ? a : ~a) & ((row & 2U) != 0 ? b : ~b) & ((row & 1U) != 0 ? c : ~c);
  }
  return out;
}

/// What the output bits of one lane are as a function of those input bits that are not known: word
/// i holds the outputs if those are the bits of i.
using Reduced = std::array<std::uint32_t, 8>;

Reduced reduce(unsigned table, const Word& a, const Word& b, const Word& c) {
  const auto with = [](const Word& word, unsigned ones) {
    return ones != 0 ? word.largest() : word.bits;
  };
  Reduced reduced{};
  for (unsigned row = 0; row < reduced.size(); ++row)
    reduced[row] = look_up(table, with(a, row & 4U), with(b, row & 2U), with(c, row & 1U));
  return reduced;
}

}  // namespace

LaneMath::LaneMath() { intern(LaneWords{}); }

std::uint32_t LaneMath::intern(const LaneWords& offsets) {
  const auto [at, added] = index_.try_emplace(offsets, static_cast<std::uint32_t>(shapes_.size()));
  if (added) shapes_.push_back(offsets);
  return at->second;
}

LaneValue LaneMath::add(const LaneValue& a, const LaneValue& b) {
  if (a.high() && b.high() && !(a.uniform() && b.uniform())) return kHighWord;
  if (a.kind != LaneKind::offsets || b.kind != LaneKind::offsets) return kUnknownLanes;
  const Word word = add_words(word_of(a), word_of(b));
  if (b.shape == 0) return with_word(word, a.shape);
  LaneWords sum{};
  for (std::size_t l = 0; l < kLanes; ++l) sum[l] = offsets(a)[l] + offsets(b)[l];
  return with_word(word, intern(sum));
}

LaneValue LaneMath::complement(const LaneValue& a) {
  if (a.kind != LaneKind::offsets) return a;
  LaneWords negative{};
  for (std::size_t l = 0; l < kLanes; ++l) negative[l] = 0U - offsets(a)[l];
  return with_word({a.known, ~a.bits & a.known}, intern(negative));
}

LaneValue LaneMath::negate(const LaneValue& a) { return add(complement(a), constant_lanes(1)); }

LaneValue LaneMath::scale(const LaneValue& a, std::uint32_t factor) {
  if (factor == 0) return constant_lanes(0);
  if (factor == 1 || a.kind == LaneKind::unknown) return a;
  if (a.kind == LaneKind::high_word) return kUnknownLanes;
  LaneWords product{};
  for (std::size_t l = 0; l < kLanes; ++l) product[l] = offsets(a)[l] * factor;
  return with_word(multiply_words(word_of(a), {~0U, factor}), intern(product));
}

LaneValue LaneMath::multiply(const LaneValue& a, const LaneValue& b) {
  if (b.constant()) return scale(a, b.bits);
  if (a.constant()) return scale(b, a.bits);
  if (a.uniform() && b.uniform()) return with_word(multiply_words(word_of(a), word_of(b)), 0);
  if (!a.exact() || !b.exact()) return kUnknownLanes;
  LaneBits product{~0U, {}};
  for (std::size_t l = 0; l < kLanes; ++l)
    product.bits[l] = (a.bits + offsets(a)[l]) * (b.bits + offsets(b)[l]);
  return from_bits(product);
}

LaneValue LaneMath::shift_left(const LaneValue& a, unsigned count) {
  return count >= kBits ? constant_lanes(0) : scale(a, 1U << count);
}

LaneValue LaneMath::shift_right(const LaneValue& a, unsigned count, bool is_signed) {
  const std::uint32_t sign = 1U << (kBits - 1);
  if (!is_signed) return extract(a, constant_lanes(0), std::min(count, kBits));
  const auto bits = to_bits(a);
  if (!bits) return kUnknownLanes;
  count = std::min(count, kBits - 1);
  const auto shift = [&](std::uint32_t word) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >> count);
  };
  LaneBits result{shift(bits->known), {}};
  for (std::size_t l = 0; l < kLanes; ++l) {
    const std::uint32_t kept = bits->bits[l] & (bits->known | sign);
    result.bits[l] = shift(kept) & result.known;
  }
  return from_bits(result);
}

LaneValue LaneMath::extract(const LaneValue& low, const LaneValue& high, unsigned first) {
  const auto a = to_bits(low);
  const auto b = to_bits(high);
  if (!a || !b) return kUnknownLanes;
  const auto join = [&](std::uint32_t l, std::uint32_t h) {
    return static_cast<std::uint32_t>((std::uint64_t{h} << kBits | l) >> first);
  };
  LaneBits result{join(a->known, b->known), {}};
  for (std::size_t l = 0; l < kLanes; ++l) result.bits[l] = join(a->bits[l], b->bits[l]);
  return from_bits(result);
}

LaneValue LaneMath::logic(const LaneValue& a, const LaneValue& b, const LaneValue& c,
                          unsigned table) {
  const auto x = to_bits(a);
  const auto y = to_bits(b);
  const auto z = to_bits(c);
  if (!x || !y || !z) return kUnknownLanes;
  const bool alike = a.shape == 0 && b.shape == 0 && c.shape == 0;
  const std::size_t lanes = alike ? 1 : kLanes;
  std::array<Reduced, kLanes> reduced;
  LaneBits result{~0U, {}};
  for (std::size_t l = 0; l < lanes; ++l) {
    reduced[l] =
        reduce(table, {x->known, x->bits[l]}, {y->known, y->bits[l]}, {z->known, z->bits[l]});
    for (const std::uint32_t word : reduced[l]) result.known &= ~(word ^ reduced[l][0]);
  }
  for (std::size_t l = 0; l < lanes; ++l) {
    for (std::size_t row = 0; row < reduced[l].size(); ++row)
      if (((reduced[l][row] ^ reduced[0][row]) & ~result.known) != 0) return kUnknownLanes;
    result.bits[l] = reduced[l][0];
  }
  if (alike) result.bits.fill(result.bits[0]);
  return from_bits(result);
}

LaneValue LaneMath::permute(const LaneValue& a, const LaneValue& b, unsigned selector) {
  const auto x = to_bits(a);
  const auto y = to_bits(b);
  if (!x || !y || (selector & 0x8888U) != 0) return kUnknownLanes;
  const auto pick = [&](std::uint32_t low, std::uint32_t high) {
    const std::uint64_t both = std::uint64_t{high} << kBits | low;
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i)
      word |= static_cast<std::uint32_t>(both >> (8 * (selector >> (4 * i) & 7U)) & 0xff)
              << (8 * i);
    return word;
  };
  LaneBits result{pick(x->known, y->known), {}};
  for (std::size_t l = 0; l < kLanes; ++l) result.bits[l] = pick(x->bits[l], y->bits[l]);
  return from_bits(result);
}

LaneValue LaneMath::merge(const LaneValue& a, const LaneValue& b) {
  if (a == b) return a;
  if (a.high() && b.high() && !(a.uniform() && b.uniform())) return kHighWord;
  if (a.kind != LaneKind::offsets || b.kind != LaneKind::offsets || a.shape != b.shape)
    return kUnknownLanes;
  const std::uint32_t known = a.known & b.known & ~(a.bits ^ b.bits);
  return with_word({known, a.bits & known}, a.shape);
}

LaneValue LaneMath::mix(const LaneValue& a, const LaneValue& b) {
  return a == b && a.exact() ? a : kUnknownLanes;
}

LaneValue LaneMath::from_bits(const LaneBits& bits) {
  const std::uint32_t base = bits.bits[0] & bits.known;
  LaneWords offsets{};
  for (std::size_t l = 0; l < kLanes; ++l) offsets[l] = (bits.bits[l] & bits.known) - base;
  if (offsets == LaneWords{}) return with_word({bits.known, base}, 0);
  return with_word({bits.known, base}, intern(offsets));
}

std::optional<LaneBits> LaneMath::to_bits(const LaneValue& value) const {
  if (value.kind != LaneKind::offsets) return std::nullopt;
  LaneBits result{value.known, {}};
  result.bits.fill(value.bits);
  if (value.shape == 0) return result;
  const unsigned low = word_of(value).low_known();
  const std::uint32_t mask = low_mask(low);
  for (std::size_t l = 0; l < kLanes; ++l) {
    const std::uint32_t sum = (value.bits & mask) + offsets(value)[l];
    if ((sum & ~mask) != 0) return std::nullopt;
    result.bits[l] = (value.bits & ~mask) | sum;
  }
  return result;
}

}  // namespace smsim::program
