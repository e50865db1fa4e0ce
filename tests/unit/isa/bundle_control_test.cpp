// SPDX-License-Identifier: MIT
// Control words of the 64-bit encodings: real words, their marks, and what is encoded again.
#include "isa/bundle_control.hpp"

#include <doctest/doctest.h>

#include "isa/code_layout.hpp"

using namespace smsim;
using namespace smsim::isa;

TEST_CASE("an instruction in the control word's place has the fields of a word of zeros") {
  for (const int sm : {35, 50}) {
    const ControlWord none = decode_bundle_control(sm, 0, 0);
    const ControlWord control = decode_bundle_control(sm, ~std::uint64_t{0}, -1);
    CHECK(control.format == none.format);
    CHECK(control.stall == none.stall);
    CHECK(control.code == none.code);
    CHECK(control.wait_mask == none.wait_mask);
  }
}

TEST_CASE("a real Maxwell word holds the fields of three instructions, the lowest first") {
  // sm_50: SHL R4, R0.reuse, 0x2; SHR R3, R0.reuse, 0x1e; IADD R2.CC, R4, c[0x0][0x150].
  const std::uint64_t word = 0x001fd840fea20ff1;
  const ControlWord first = decode_bundle_control(50, word, 0);
  CHECK(first.format == ControlFormat::maxwell);
  CHECK(first.stall == 1);
  CHECK_FALSE(first.yield);
  CHECK(first.write_barrier == kNoBarrier);
  CHECK(first.read_barrier == kNoBarrier);
  CHECK(first.wait_mask == 0b000001);
  CHECK(first.reuse == 0b0001);
  CHECK(decode_bundle_control(50, word, 1).stall == 5);
  CHECK(decode_bundle_control(50, word, 1).reuse == 0b0001);
  CHECK(decode_bundle_control(50, word, 2).stall == 6);
  CHECK(decode_bundle_control(50, word, 2).reuse == 0);
}

TEST_CASE("on Maxwell and Pascal a stall count of 0 asks for dual issue") {
  // sm_61: { FFMA R16, R7, R11, R16; @!P0 BRA }: stall 0, then 13.
  const std::uint64_t word = 0x001f9800ffa007f0;
  CHECK(decode_bundle_control(61, word, 0).dual_issue());
  CHECK(decode_bundle_control(61, word, 1).stall == 13);
  CHECK_FALSE(decode_bundle_control(61, word, 1).dual_issue());
}

TEST_CASE("a real word of GK110 holds eight bits for each of seven instructions") {
  const std::uint64_t word = 0x088cbcbcb0a010c0;
  const std::uint8_t codes[] = {0x30, 0x04, 0x28, 0x2c, 0x2f, 0x2f, 0x23};
  const std::uint8_t stalls[] = {17, 0, 9, 13, 16, 16, 4};
  REQUIRE(is_control_word(35, word));
  for (int slot = 0; slot < kKeplerSlots; ++slot) {
    CAPTURE(slot);
    const ControlWord control = decode_bundle_control(35, word, slot);
    CHECK(control.format == ControlFormat::kepler);
    CHECK(control.code == codes[slot]);
    CHECK(control.stall == stalls[slot]);
    CHECK(control.dual_issue() == (slot == 1));
    CHECK_FALSE(control.yield);
    CHECK(control.wait_mask == 0);
    CHECK(control.write_barrier == kNoBarrier);
  }
}

TEST_CASE("Kepler's delay counts from one cycle; no delay given is sixteen") {
  for (int n = 0; n < 32; ++n) {
    CHECK(decode_kepler_code(static_cast<std::uint8_t>(0x20 | n)).stall == n + 1);
  }
  CHECK(decode_kepler_code(0x00).stall == 16);
  CHECK_FALSE(decode_kepler_code(0x00).dual_issue());
  CHECK(decode_kepler_code(0x04).dual_issue());
  CHECK(decode_kepler_code(0x05).dual_issue());
  // TEXDEPBAR.
  CHECK(decode_kepler_code(0xc2).stall == 3);
  CHECK_FALSE(decode_kepler_code(0xc2).dual_issue());
}

TEST_CASE("GK104 and GK110 mark their control words differently") {
  const std::uint64_t gk110 = 0x0800000000000000;
  const std::uint64_t gk104 = 0x2000000000000007;
  for (const int sm : {32, 35, 37}) {
    CHECK(is_control_word(sm, gk110));
    CHECK_FALSE(is_control_word(sm, gk104));
    CHECK_FALSE(is_control_word(sm, gk110 | 1));
    CHECK_FALSE(is_control_word(sm, gk110 | 1ULL << 63));
  }
  CHECK(is_control_word(30, gk104));
  CHECK_FALSE(is_control_word(30, gk110));
  // FFMA R5, R17, R13, R5 and EXIT of sm_35.
  CHECK_FALSE(is_control_word(35, 0xcc001400069c4416));
  CHECK_FALSE(is_control_word(35, 0x18000000001c003c));
  CHECK_FALSE(is_control_word(52, 1ULL << 63));
}

TEST_CASE("the sections of GK104 begin two bits higher") {
  ControlWord control;
  control.code = 0x28;
  for (int slot = 0; slot < kKeplerSlots; ++slot) {
    const std::uint64_t gk104 = encode_bundle_control(30, 0x2000000000000007, slot, control);
    CHECK(gk104 == (0x2000000000000007 | 0x28ULL << (4 + 8 * slot)));
    CHECK(is_control_word(30, gk104));
    CHECK(decode_bundle_control(30, gk104, slot).stall == 9);
  }
}

TEST_CASE("what is encoded is decoded again, and the other instructions' bits stay") {
  for (const int sm : {30, 35, 37, 50, 52, 60, 61, 62}) {
    const bool kepler = code_layout(sm).format == ControlFormat::kepler;
    const int slots = kepler ? kKeplerSlots : kMaxwellSlots;
    for (int slot = 0; slot < slots; ++slot) {
      ControlWord control;
      if (kepler) {
        control = decode_kepler_code(0x2b);
      } else {
        control.format = ControlFormat::maxwell;
        control.stall = 11;
        control.yield = true;
        control.write_barrier = 3;
        control.wait_mask = 0b101001;
        control.reuse = 0b0101;
      }
      const std::uint64_t before = 0x1555555555555555;
      const std::uint64_t after = encode_bundle_control(sm, before, slot, control);
      CHECK(decode_bundle_control(sm, after, slot) == control);
      for (int other = 0; other < slots; ++other) {
        if (other == slot) continue;
        CHECK(decode_bundle_control(sm, after, other) == decode_bundle_control(sm, before, other));
      }
    }
  }
}

TEST_CASE("each generation's code has its layout") {
  const CodeLayout kepler = code_layout(35);
  CHECK(kepler.is_control_slot(0x40));
  CHECK_FALSE(kepler.is_control_slot(0x20));
  CHECK(kepler.next_instruction(0x38) == 0x48);
  CHECK(kepler.follows(0x38, 0x40));
  const CodeLayout maxwell = code_layout(61);
  CHECK(maxwell.is_control_slot(0x20));
  CHECK(maxwell.next_instruction(0x08) == 0x10);
  CHECK(maxwell.next_instruction(0x18) == 0x28);
  CHECK_FALSE(maxwell.follows(0x08, 0x18));
  for (const int sm : {0, 70, 90, 120}) {
    CHECK_FALSE(code_layout(sm).has_bundles());
    CHECK(code_layout(sm).next_instruction(0x10) == 0x20);
  }
}

TEST_CASE("Kepler's notation is read as reports print it") {
  CHECK(parse_kepler_bracket("[S09] FFMA")->control == decode_kepler_code(0x28));
  CHECK(parse_kepler_bracket("[S09] FFMA")->length == 5);
  CHECK(parse_kepler_bracket("[S32]")->control == decode_kepler_code(0x3f));
  CHECK(parse_kepler_bracket("[dual] FFMA")->control.dual_issue());
  CHECK(parse_kepler_bracket("[T:G:S03]")->control == decode_kepler_code(0xc2));
}

TEST_CASE("of later notation Kepler takes the stall count alone") {
  CHECK(parse_kepler_bracket("[B------:R-:W-:-:S09]")->control == decode_kepler_code(0x28));
  CHECK(parse_kepler_bracket("[B------:R-:W-:-:S00]")->control.dual_issue());
  for (const char* text : {"[B0-----:R-:W-:-:S09]", "[B------:R1:W-:-:S09]",
                           "[B------:R-:W0:-:S09]", "[B------:R-:W-:Y:S09]"}) {
    CAPTURE(text);
    const auto parsed = parse_kepler_bracket(text);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().message.find("no barriers") != std::string::npos);
  }
}

TEST_CASE("a mistake in Kepler's notation is named with its character") {
  struct Case {
    const char* text;
    std::size_t offset;
  };
  for (const Case& one : {Case{"[S0]", 2}, Case{"[S33]", 2}, Case{"[Sx]", 2}, Case{"[T:S04", 6},
                          Case{"[duo]", 1}, Case{"[T:dual]", 1}, Case{"[S123]", 4}}) {
    CAPTURE(one.text);
    const auto parsed = parse_kepler_bracket(one.text);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().offset == one.offset);
  }
}
