// SPDX-License-Identifier: MIT
// Arithmetic over the lanes of a warp holds for whatever the unknown bits turn out to be.
#include "program/lane_values.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <random>

using namespace smsim::program;

namespace {

std::mt19937& numbers() {
  static std::mt19937 generator(20240229);
  return generator;
}

std::uint32_t number() { return static_cast<std::uint32_t>(numbers()()); }

/// A value with up to 31 known low bits and some known high ones, and offsets of some kind.
LaneValue random_value(LaneMath& math) {
  LaneBits bits{(1U << number() % 32) - 1, {}};
  const std::uint32_t mask = number() % 3 == 0 ? 0 : number() >> number() % 32;
  const std::uint32_t common = number();
  for (std::size_t l = 0; l < kLanes; ++l)
    bits.bits[l] = common ^ (static_cast<std::uint32_t>(l << number() % 2) & mask);
  LaneValue value = math.from_bits(bits);
  if (number() % 4 == 0) value = math.add(value, kUniformLanes);
  if (number() % 4 == 0) value = constant_lanes(number() >> number() % 32);
  const std::uint32_t more = ~value.known & number() & number();
  value.known |= more;
  value.bits |= more & number();
  return value;
}

/// One of the warps that a value stands for.
LaneWords one_of(const LaneMath& math, const LaneValue& value) {
  const std::uint32_t base = value.bits | (number() & ~value.known);
  LaneWords words{};
  for (std::size_t l = 0; l < kLanes; ++l) words[l] = base + math.offsets(value)[l];
  return words;
}

bool stands_for(const LaneMath& math, const LaneValue& value, const LaneWords& words) {
  if (value.kind != LaneKind::offsets) return true;
  if (((words[0] ^ value.bits) & value.known) != 0) return false;
  for (std::size_t l = 0; l < kLanes; ++l)
    if (words[l] - words[0] != math.offsets(value)[l]) return false;
  return true;
}

using Abstract =
    std::function<LaneValue(LaneMath&, const LaneValue&, const LaneValue&, const LaneValue&)>;
using Concrete = std::function<std::uint32_t(std::uint32_t, std::uint32_t, std::uint32_t)>;

/// How many results were known.
int check(const Abstract& abstract, const Concrete& concrete) {
  int known = 0;
  LaneMath math;
  for (int round = 0; round < 400; ++round) {
    const LaneValue a = random_value(math);
    const LaneValue b = random_value(math);
    const LaneValue c = random_value(math);
    const LaneValue result = abstract(math, a, b, c);
    known += result.kind == LaneKind::offsets ? 1 : 0;
    for (int warp = 0; warp < 8; ++warp) {
      const LaneWords x = one_of(math, a);
      const LaneWords y = one_of(math, b);
      const LaneWords z = one_of(math, c);
      LaneWords words{};
      for (std::size_t l = 0; l < kLanes; ++l) words[l] = concrete(x[l], y[l], z[l]);
      REQUIRE(stands_for(math, result, words));
    }
  }
  return known;
}

using V = LaneValue;

}  // namespace

TEST_CASE("sums, differences and products of lanes hold for every base") {
  CHECK(check([](LaneMath& m, const V& a, const V& b, const V&) { return m.add(a, b); },
              [](auto a, auto b, auto) { return a + b; }) == 400);
  CHECK(check([](LaneMath& m, const V& a, const V& b, const V&) { return m.add(a, m.negate(b)); },
              [](auto a, auto b, auto) { return a - b; }) == 400);
  CHECK(check([](LaneMath& m, const V& a, const V& b, const V&) { return m.multiply(a, b); },
              [](auto a, auto b, auto) { return a * b; }) > 100);
}

TEST_CASE("shifts of lanes hold for every base") {
  for (unsigned n = 0; n < 32; n += 3) {
    CHECK(check([&](LaneMath& m, const V& a, const V&, const V&) { return m.shift_left(a, n); },
                [&](auto a, auto, auto) { return a << n; }) == 400);
    CHECK(check([&](LaneMath& m, const V& a, const V&,
                    const V&) { return m.shift_right(a, n, false); },
                [&](auto a, auto, auto) { return a >> n; }) > 50);
    CHECK(check([&](LaneMath& m, const V& a, const V&,
                    const V&) { return m.shift_right(a, n, true); },
                [&](auto a, auto, auto) {
                  return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> n);
                }) > 50);
    CHECK(check([&](LaneMath& m, const V& a, const V& b, const V&) { return m.extract(a, b, n); },
                [&](auto a, auto b, auto) {
                  return static_cast<std::uint32_t>((std::uint64_t{b} << 32 | a) >> n);
                }) > 50);
  }
}

TEST_CASE("logic of lanes holds for every base and every truth table") {
  int known = 0;
  for (unsigned table = 0; table < 256; table += 7)
    known += check(
        [&](LaneMath& m, const V& a, const V& b, const V& c) { return m.logic(a, b, c, table); },
        [&](auto a, auto b, auto c) {
          std::uint32_t word = 0;
          for (unsigned i = 0; i < 32; ++i) {
            const unsigned row = (a >> i & 1U) << 2 | (b >> i & 1U) << 1 | (c >> i & 1U);
            word |= (table >> row & 1U) << i;
          }
          return word;
        });
  CHECK(known > 1000);
}

TEST_CASE("a merge of two warps stands for both, a mix of lanes only for equal constants") {
  LaneMath math;
  for (int round = 0; round < 400; ++round) {
    const LaneValue a = random_value(math);
    const LaneValue b = random_value(math);
    REQUIRE(stands_for(math, LaneMath::merge(a, b), one_of(math, a)));
    REQUIRE(stands_for(math, LaneMath::merge(a, b), one_of(math, b)));
  }
  CHECK(LaneMath::mix(constant_lanes(4), constant_lanes(4)) == constant_lanes(4));
  CHECK(LaneMath::mix(constant_lanes(4), constant_lanes(8)) == kUnknownLanes);
  CHECK(LaneMath::mix(kUniformLanes, kUniformLanes) == kUnknownLanes);
}
