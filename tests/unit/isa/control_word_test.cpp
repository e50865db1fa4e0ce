// SPDX-License-Identifier: MIT
// Control words: the bits of the 128-bit encodings and the bracket notation.
#include "isa/control_word.hpp"

#include <doctest/doctest.h>

using namespace smsim;
using namespace smsim::isa;

TEST_CASE("the bits of a real instruction give its control word") {
  // STS [R5], R2 of sm_70: [B--2---:R0:W-:-:S09].
  const ControlWord control = decode_control({0x0000000205007388, 0x0041f20000000800});
  CHECK(control.stall == 9);
  CHECK_FALSE(control.yield);
  CHECK(control.write_barrier == kNoBarrier);
  CHECK(control.read_barrier == 0);
  CHECK(control.wait_mask == 0b000100);
  CHECK(control.reuse == 0);
}

TEST_CASE("a clear yield bit is a request to yield") {
  CHECK(decode_control({0, 0}).yield);
  CHECK_FALSE(decode_control({0, 1ULL << 45}).yield);
}

TEST_CASE("barrier values 6 and 7 name no barrier") {
  for (std::uint64_t value = 0; value < 8; ++value) {
    const ControlWord control = decode_control({0, value << 46 | value << 49});
    const int expected = value < 6 ? static_cast<int>(value) : kNoBarrier;
    CHECK(control.write_barrier == expected);
    CHECK(control.read_barrier == expected);
  }
}

TEST_CASE("what is encoded is decoded again, and nothing else is touched") {
  const Encoding before = {0x123456789abcdef0, ~0ULL};
  for (int stall = 0; stall < 16; ++stall) {
    ControlWord control;
    control.stall = static_cast<std::uint8_t>(stall);
    control.yield = stall % 2 == 0;
    control.write_barrier = static_cast<std::uint8_t>(stall % 6);
    control.read_barrier = static_cast<std::uint8_t>(5 - stall % 6);
    control.wait_mask = static_cast<std::uint8_t>(stall * 4 + 3);
    control.reuse = static_cast<std::uint8_t>(stall);
    const Encoding after = encode_control(before, control);
    CHECK(decode_control(after) == control);
    CHECK(after[0] == before[0]);
    CHECK((after[1] | 0x1fffffULL << 41) == before[1]);
  }
}

TEST_CASE("bracket notation names wait mask, read barrier, write barrier, yield and stall") {
  const auto parsed = parse_bracket("[B-1--45:R0:W3:Y:S12] FFMA");
  REQUIRE(parsed.has_value());
  CHECK(parsed->length == 21);
  CHECK_FALSE(parsed->has_reuse);
  CHECK(parsed->control.wait_mask == 0b110010);
  CHECK(parsed->control.read_barrier == 0);
  CHECK(parsed->control.write_barrier == 3);
  CHECK(parsed->control.yield);
  CHECK(parsed->control.stall == 12);
}

TEST_CASE("bracket notation is printed as it is read") {
  for (const char* text :
       {"[B------:R-:W-:-:S01]", "[B012345:R5:W0:Y:S15]", "[B--2---:R0:W-:-:S04]"}) {
    const auto parsed = parse_bracket(text);
    REQUIRE(parsed.has_value());
    CHECK(to_bracket(parsed->control) == text);
  }
}

TEST_CASE("reuse flags may stand in front of the barriers") {
  const auto parsed = parse_bracket("[R-R-:B------:R-:W-:-:S01]");
  REQUIRE(parsed.has_value());
  CHECK(parsed->has_reuse);
  CHECK(parsed->control.reuse == 0b0101);
}

TEST_CASE("a mistake in bracket notation is named with its character") {
  struct Case {
    const char* text;
    std::size_t offset;
  };
  for (const Case& one : {Case{"[B-2----:R-:W-:-:S01]", 3},   // the digit of another position
                          Case{"[B------:R6:W-:-:S01]", 10},  // there is no barrier 6
                          Case{"[B------:W-:R-:-:S01]", 9},   // wrong order
                          Case{"[B------:R-:W-:X:S01]", 15},  // no yield flag
                          Case{"[B------:R-:W-:-:S16]", 18},  // too long a stall
                          Case{"[B------:R-:W-:-:S]", 18},    // no stall
                          Case{"[B------:R-:W-:-:S01", 20},   // not closed
                          Case{"[B---", 5}}) {
    CAPTURE(one.text);
    const auto parsed = parse_bracket(one.text);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().offset == one.offset);
    CHECK_FALSE(parsed.error().message.empty());
  }
}

TEST_CASE("an address in brackets is no control notation") {
  CHECK(looks_like_bracket("[B------:R-:W-:-:S01]"));
  CHECK_FALSE(looks_like_bracket("[0x10]"));
  CHECK_FALSE(looks_like_bracket("FFMA"));
}
