// SPDX-License-Identifier: MIT
// How far apart the lanes' addresses are, as address arithmetic and control flow leave it.
#include "program/lane_addresses.hpp"

#include <algorithm>
#include <functional>

#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;
using program::infer_lane_offsets;
using program::LaneOffsets;

namespace {

using Lines = std::vector<std::string_view>;

bool is_access(const Instruction& in) {
  return in.opcode.starts_with("LDS") || in.opcode.starts_with("LDG.E.64") ||
         in.opcode.starts_with("STG");
}

/// Of the last access to memory.
LaneOffsets offsets_of(const Lines& lines) {
  const Function function = make_function(lines);
  const auto all = infer_lane_offsets(function);
  REQUIRE(all.size() == function.instructions.size());
  for (std::size_t i = all.size(); i-- > 0;)
    if (is_access(function.instructions[i])) return all[i];
  FAIL("no access");
  return {};
}

bool known(const Lines& lines) { return offsets_of(lines).known; }

bool matches(const LaneOffsets& offsets, const std::function<std::int64_t(std::int64_t)>& rule) {
  for (std::size_t l = 0; l < 32; ++l)
    if (offsets.bytes[l] != rule(static_cast<std::int64_t>(l))) return false;
  return offsets.known;
}

bool strides(const Lines& lines, std::int64_t bytes) {
  return matches(offsets_of(lines), [&](std::int64_t lane) { return lane * bytes; });
}

}  // namespace

TEST_CASE("an address made of the thread index grows by what the index is multiplied with") {
  CHECK(strides({"S2R R0, SR_TID.X", "IMAD.SHL.U32 R1, R0, 0x4, RZ", "LDS R2, [R1]"}, 4));
  CHECK(strides({"S2R R0, SR_TID.X", "LEA R1, R0, UR4, 0x3", "LDS R2, [R1+0x400]"}, 8));
  CHECK(strides({"S2R R0, SR_TID.X", "SHF.L.U32 R1, R0, 0x4, RZ", "LDS R2, [R1+UR4]"}, 16));
  CHECK(strides({"S2R R0, SR_LANEID", "IMAD R1, R0, -0xc, R9", "LDS R2, [R1]"}, 0) == false);
  CHECK(strides({"S2R R0, SR_LANEID", "IMAD R1, R0, -0xc, RZ", "LDS R2, [R1]"}, -12));
  CHECK(strides({"S2R R0, SR_TID.X", "LDS R2, [R0.X8+0x10]"}, 8));
  CHECK(strides({"S2R R0, SR_TID.X", "IADD3 R1, -R0, 0x3e0, RZ", "LDS R2, [R1]"}, -1));
}

TEST_CASE("masks and shifts of the thread index give each lane its own bits") {
  const LaneOffsets low = offsets_of(
      {"S2R R0, SR_TID.X", "SHF.L.U32 R1, R0, 0x2, RZ", "LOP3.LUT R2, R9, 0x780, RZ, 0xc0, !PT",
       "S2R R3, SR_CTAID.X", "SHF.L.U32 R4, R3, 0x7, RZ", "LOP3.LUT R5, R4, 0x3c, R1, 0xf8, !PT",
       "LEA R6, R5, UR4, 0x2", "LDS.128 R8, [R6]"});
  CHECK(matches(low, [](std::int64_t lane) { return (lane & 15) * 16; }));
  const LaneOffsets high = offsets_of({"S2R R0, SR_TID.X", "SHF.R.U32.HI R1, RZ, 0x2, R0",
                                       "LOP3.LUT R2, R1, 0x3ffffffc, RZ, 0xc0, !PT",
                                       "LEA R3, R2, UR4, 0x2", "LDS.128 R4, [R3+0x4000]"});
  CHECK(matches(high, [](std::int64_t lane) { return (lane >> 4) * 16; }));
  const LaneOffsets swizzled =
      offsets_of({"S2R R0, SR_TID.X", "LOP3.LUT R1, R0, 0x7, RZ, 0x3c, !PT", "IMAD R2, R1, 0x4, RZ",
                  "LDS R3, [R2]"});
  CHECK(matches(swizzled, [](std::int64_t lane) { return ((lane ^ 7) - 7) * 4; }));
  const LaneOffsets bytes =
      offsets_of({"S2R R0, SR_LANEID", "PRMT R1, R0, 0x7604, RZ", "LDS R3, [R1]"});
  CHECK(matches(bytes, [](std::int64_t lane) { return lane * 256; }));
}

TEST_CASE("a constant that a packed-half instruction moves is the integer of the same bits") {
  const auto step = [](std::string_view halves) {
    const std::string move = "HFMA2.MMA R3, -RZ, RZ, " + std::string(halves);
    return offsets_of({"S2R R0, SR_LANEID", move, "IMAD R1, R0, R3, RZ", "LDS R2, [R1]"}).bytes[1];
  };
  CHECK(step("0, 2.384185791015625e-07") == 0x4);
  CHECK(step("0, 0") == 0);
  CHECK(step("0, 6.103515625e-05") == 0x400);
  CHECK(step("0, 1.5") == 0x3e00);
  CHECK(step("0, -2") == 0xc000);
  CHECK(step("5.9604644775390625e-08, 0.000244140625") == 0x10c00);
}

TEST_CASE("an address that all lanes share is known to be one, whatever it is") {
  CHECK(strides({"S2R R0, SR_CTAID.X", "IMAD R1, R0, c[0x0][0x160], RZ", "LDS R2, [R1]"}, 0));
  CHECK(strides({"LDS R2, [UR4+0x10]"}, 0));
  CHECK(strides({"MOV R1, 0x10", "LDS R3, [R1]", "LDS R2, [R3]"}, 0));
  CHECK(strides({"S2R R0, SR_TID.X", "SHF.R.U32.HI R1, RZ, 0x5, R0", "LDS R2, [R1]"}, 0));
  CHECK(strides({"SHFL.IDX PT, R1, R9, RZ, 0x1f", "LDS R2, [R1]"}, 0));
}

TEST_CASE("what a lane loads or what nothing has written is not known") {
  CHECK_FALSE(known({"LDS R2, [R1]"}));
  CHECK_FALSE(known({"S2R R0, SR_TID.X", "LDS R1, [R0]", "LDS R2, [R1]"}));
  CHECK_FALSE(known({"LDL R1, [RZ]", "LDS R2, [R1]"}));
  CHECK_FALSE(known({"S2R R0, SR_TID.X", "SHFL.BFLY PT, R1, R0, 0x1, 0x1f", "LDS R2, [R1]"}));
  CHECK_FALSE(known({"S2R R0, SR_TID.X", "IMAD R1, R0, c[0x0][0x160], RZ", "LDS R2, [R1]"}));
  CHECK_FALSE(known({"S2R R0, SR_TID.X", "I2FP.F32.S32 R1, R0", "LDS R2, [R1]"}));
}

TEST_CASE("a mask of a sum whose carries nobody knows is not known, the sum itself is") {
  const Lines sum = {"S2R R0, SR_TID.X", "S2R R1, SR_CTAID.X", "IMAD R2, R1, c[0x0][0x0], R0",
                     "LDS R3, [R2]"};
  CHECK(strides(sum, 1));
  CHECK_FALSE(known({"S2R R0, SR_TID.X", "S2R R1, SR_CTAID.X", "IMAD R2, R1, c[0x0][0x0], R0",
                     "LOP3.LUT R4, R2, 0xf, RZ, 0xc0, !PT", "LDS R3, [R4]"}));
  CHECK(known({"S2R R0, SR_TID.X", "S2R R1, SR_CTAID.X", "IMAD R2, R1, 0x80, R0",
               "LOP3.LUT R4, R2, 0xf, RZ, 0xc0, !PT", "LDS R3, [R4]"}));
}

TEST_CASE("a block that extends in y as well says nothing of its lanes' x") {
  CHECK_FALSE(known({"S2R R0, SR_TID.X", "S2R R1, SR_TID.Y", "LDS R2, [R0]"}));
}

TEST_CASE("a 64-bit address needs a high word that is a carry or common to the lanes") {
  CHECK(strides({"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x8, R4", "STG.E.64 [R2.64], R6"}, 8) ==
        false);
  CHECK(strides({"S2R R0, SR_TID.X", "LDC.64 R4, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x8, R4",
                 "STG.E.64 desc[UR6][R2.64+0x8], R6"},
                8));
  CHECK(strides({"S2R R0, SR_TID.X", "LEA R2, P0, R0, c[0x0][0x160], 0x2",
                 "LEA.HI.X R3, R0, c[0x0][0x164], RZ, 0x2, P0", "STG.E [R2.64], R6"},
                4));
  CHECK(strides({"S2R R0, SR_TID.X", "IADD3 R2, P0, R0, c[0x0][0x160], RZ",
                 "IADD3.X R3, RZ, c[0x0][0x164], RZ, P0, !PT", "STG.E [R2.64], R6"},
                1));
  CHECK_FALSE(known({"S2R R0, SR_TID.X", "IADD3 R2, P0, R0, c[0x0][0x160], RZ",
                     "IADD3.X R3, R9, c[0x0][0x164], RZ, P0, !PT", "STG.E [R2.64], R6"}));
}

TEST_CASE("a step that is the same in all lanes leaves the distances in a loop") {
  CHECK(strides({"S2R R0, SR_TID.X", "IMAD.SHL.U32 R1, R0, 0x4, RZ", ".L_a:", "LDS R2, [R1]",
                 "IADD3 R1, R1, UR5, RZ", "@P0 BRA `(.L_a)", "EXIT"},
                4));
  CHECK_FALSE(known({"S2R R1, SR_TID.X", ".L_a:", "LDS R2, [R1]", "IADD3 R1, R1, R1, RZ",
                     "@P0 BRA `(.L_a)", "EXIT"}));
}

TEST_CASE("ways that all lanes go together may differ in the base, not in the distances") {
  const auto joined = [](std::string_view predicate, std::string_view other) {
    return known({"S2R R0, SR_TID.X", predicate, "IADD3 R1, R0, 0x4, RZ", "@P0 BRA `(.L_a)", other,
                  ".L_a:", "LDS R2, [R1]", "EXIT"});
  };
  const std::string_view together = "ISETP.GE.AND P0, PT, RZ, c[0x0][0x160], PT";
  CHECK(joined(together, "IADD3 R1, R0, 0x8, RZ"));
  CHECK_FALSE(joined(together, "IADD3 R1, R0, R0, RZ"));
  CHECK(joined("ISETP.GE.AND P0, PT, R0, 0x7, PT", "IADD3 R3, R0, 0x8, RZ"));
  CHECK_FALSE(joined("ISETP.GE.AND P0, PT, R0, 0x7, PT", "IADD3 R1, R0, 0x8, RZ"));
}

TEST_CASE("lanes may meet before the place that all of them come to") {
  const auto met = [](std::string_view other) {
    return known({"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x7, PT",
                  "ISETP.GE.AND P1, PT, RZ, UR4, PT", "MOV R1, 0x4", "@P0 BRA `(.L_a)", other,
                  "@P1 BRA `(.L_b)", ".L_a:", "LDS R2, [R1]", ".L_b:", "EXIT"});
  };
  CHECK(met("MOV R3, 0x8"));
  CHECK_FALSE(met("MOV R1, 0x8"));
}

TEST_CASE("lanes that leave a loop at different times do not share what it counted") {
  const auto counted = [](std::string_view predicate) {
    return known({"S2R R0, SR_TID.X", "MOV R1, RZ", ".L_a:", "IADD3 R1, R1, 0x4, RZ", predicate,
                  "@P0 BRA `(.L_a)", "LDS R2, [R1]", "EXIT"});
  };
  CHECK(counted("ISETP.GE.AND P0, PT, R1, c[0x0][0x160], PT"));
  CHECK_FALSE(counted("ISETP.GE.AND P0, PT, R1, R0, PT"));
}

TEST_CASE("a guarded write leaves some lanes with the old value") {
  const auto guarded = [](std::string_view predicate) {
    return known({"S2R R0, SR_TID.X", predicate, "MOV R1, 0x4", "@P0 MOV R1, 0x8", "LDS R2, [R1]"});
  };
  CHECK(guarded("ISETP.GE.AND P0, PT, RZ, UR4, PT"));
  CHECK_FALSE(guarded("ISETP.GE.AND P0, PT, R0, 0x7, PT"));
  CHECK_FALSE(known({"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x7, PT", "SEL R1, RZ, 0x8, P0",
                     "LDS R2, [R1]"}));
}

TEST_CASE("lanes that have left by a conditional EXIT do not disturb the others") {
  CHECK(strides({"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x7, PT", "@P0 EXIT", "MOV R1, RZ",
                 ".L_a:", "LEA R3, R0, R1, 0x2", "LDS R2, [R3]", "IADD3 R1, R1, 0x80, RZ",
                 "@!UP0 BRA `(.L_a)", "EXIT"},
                4));
}

TEST_CASE("a call may write what its function writes, and nothing is known behind a jump table") {
  const auto called = [](std::string_view inside) {
    return known({"S2R R0, SR_TID.X", "CALL.REL.NOINC `(.L_f)", "STG.E desc[UR4][R0.U32+UR6], R2",
                  "EXIT", ".L_f:", inside, "RET.REL.NODEC R20 `(test)"});
  };
  CHECK(called("MOV R5, RZ"));
  CHECK_FALSE(called("LDL R0, [R9]"));
  CHECK_FALSE(known({"S2R R0, SR_TID.X", "LDS R2, [R0]", "BRX R4 -0x10", "EXIT"}));
}
