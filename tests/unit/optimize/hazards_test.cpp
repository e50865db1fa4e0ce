// SPDX-License-Identifier: MIT
// What control codes have to keep apart: fixed latencies by pairs, barriers, both ways of a branch.
#include <fmt/format.h>

#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;
using optimize::HazardKind;

namespace {

/// The smallest stall count of the first instruction at which the second one reads it safely.
int smallest_stall(int sm, const std::string& writer, const std::string& reader) {
  for (int stall = 1; stall <= 15; ++stall) {
    const std::string lines =
        fmt::format("  [B------:R-:W-:{}:S{:02}] {} ;\n  [B------:R-:W-:-:S05] {} ;",
                    stall > 11 ? 'Y' : '-', stall, writer, reader);
    if (hazards(sm, lines).empty()) return stall;
  }
  return 0;
}

}  // namespace

TEST_CASE("arithmetic behind arithmetic needs the latencies that are published") {
  CHECK(smallest_stall(52, "FADD R0, R1, R2", "FADD R3, R0, R4") == 6);
  CHECK(smallest_stall(70, "FADD R0, R1, R2", "FADD R3, R0, R4") == 4);
  CHECK(smallest_stall(90, "FADD R0, R1, R2", "FADD R3, R0, R4") == 4);
  CHECK(smallest_stall(75, "HFMA2 R0, R1, R2, R3", "HFMA2 R4, R0, R1, R2") == 6);
  CHECK(smallest_stall(80, "HFMA2.MMA R0, R1, R2, R3", "IADD3 R4, R0, R1, RZ") == 10);
  CHECK(smallest_stall(80, "CS2R R0, SR_CLOCKLO", "IADD3 R4, R0, R1, RZ") == 6);
}

TEST_CASE("a reader of another unit needs a cycle more, and on sm_120 also between some ALUs") {
  CHECK(smallest_stall(80, "IADD3 R0, R1, R2, RZ", "LOP3.LUT R3, R0, R4, RZ, 0xc0, !PT") == 4);
  CHECK(smallest_stall(80, "IADD3 R0, R1, R2, RZ", "IMAD R3, R0, R4, RZ") == 5);
  CHECK(smallest_stall(100, "FSEL R0, R1, R2, P0", "FSEL R3, R0, R4, P0") == 4);
  CHECK(smallest_stall(120, "FSEL R0, R1, R2, P0", "FSEL R3, R0, R4, P0") == 5);
}

TEST_CASE("an address is needed later than an operand on Maxwell, and earlier on Turing") {
  CHECK(smallest_stall(52, "IADD R0, R1, R2", "LDG.E R4, [R0]") == 2);
  CHECK(smallest_stall(52, "SHL R0, R1, 0x2", "LDS.U.32 R4, [R0]") == 4);
  CHECK(smallest_stall(75, "IADD3 R0, R1, R2, RZ", "LDS.U R4, [R0]") == 8);
  CHECK(smallest_stall(86, "IADD3 R0, R1, R2, RZ", "LDS R4, [R0]") == 5);
  CHECK(smallest_stall(86, "FADD R0, R1, R2", "MUFU.RCP R4, R0") == 4);
}

TEST_CASE("the halves of a wide product are forwarded at different times") {
  CHECK(smallest_stall(80, "IMAD.WIDE R0, R2, R3, R4", "IADD3 R6, R0, R7, RZ") == 3);
  CHECK(smallest_stall(80, "IMAD.WIDE R0, R2, R3, R4", "IADD3 R6, R1, R7, RZ") == 5);
  CHECK(smallest_stall(80, "IMAD.WIDE R0, R2, R3, R4", "IMAD.WIDE R6, R1, R7, R8") == 6);
  CHECK(smallest_stall(80, "IMAD.WIDE R0, R2, R3, R4", "IMAD.WIDE R6, R7, R8, R0") == 2);
}

TEST_CASE("a guard needs its predicate longer than an operand does") {
  CHECK(smallest_stall(75, "ISETP.GE.AND P0, PT, R0, R1, PT", "@P0 FADD R2, R3, R4") == 12);
  CHECK(smallest_stall(86, "ISETP.GE.AND P0, PT, R0, R1, PT", "@P0 FADD R2, R3, R4") == 13);
  CHECK(smallest_stall(86, "ISETP.GE.AND P0, PT, R0, R1, PT", "SEL R2, R3, R4, P0") == 4);
  CHECK(smallest_stall(52, "ISETP.GE.AND P0, PT, R0, R1, PT", "@P0 FADD R2, R3, R4") == 13);
}

TEST_CASE("uniform registers reach vectors later than each other, moves sooner than arithmetic") {
  CHECK(smallest_stall(90, "UIADD3 UR4, UR5, 0x1, URZ", "IADD3 R0, R1, UR4, RZ") == 6);
  CHECK(smallest_stall(90, "UIADD3 UR4, UR5, 0x1, URZ", "UIADD3 UR6, UR4, 0x1, URZ") == 4);
  CHECK(smallest_stall(90, "UMOV UR4, 0x400", "IADD3 R0, R1, UR4, RZ") == 2);
}

TEST_CASE("registers of a pair count one by one") {
  const auto found = hazards(90,
                             "  [B------:R-:W-:-:S01] FADD R5, R1, R2 ;\n"
                             "  [B------:R-:W-:-:S05] STG.E.64 [R6.64], R4 ;");
  REQUIRE(has(found, HazardKind::early_read, 0, 1));
  CHECK(optimize::to_string(found.front().place) == "R5");
}

TEST_CASE("a loop's next iteration reads what this one wrote") {
  const std::string loop =
      ".L_top:\n"
      "  [B------:R-:W-:-:S04] FADD R0, R0, R1 ;\n"
      "  [B------:R-:W-:-:S01] FADD R2, R3, R3 ;\n"
      "  [B------:R-:W-:-:S02] @P0 BRA `(.L_top) ;\n"
      "  [B------:R-:W-:-:S05] EXIT ;";
  CHECK(hazards(90, loop).empty());
  std::string shorter = loop;
  shorter.replace(shorter.find("S04"), 3, "S01");
  shorter.replace(shorter.find("S02"), 3, "S01");
  const auto found = hazards(90, shorter);
  REQUIRE(found.size() == 1);
  CHECK(has(found, HazardKind::early_read, 0, 0));
  CHECK(found.front().cycles == 3);
  CHECK(found.front().needed == 4);
  CHECK(found.front().before == 2);
  CHECK(found.front().taken);
}

TEST_CASE("both ways of a branch are looked at") {
  const auto found = hazards(90,
                             "  [B------:R-:W-:-:S01] FADD R0, R1, R2 ;\n"
                             "  [B------:R-:W-:-:S02] @P0 BRA `(.L_else) ;\n"
                             "  [B------:R-:W-:-:S05] FADD R3, R0, R2 ;\n"
                             "  [B------:R-:W-:-:S05] EXIT ;\n"
                             ".L_else:\n"
                             "  [B------:R-:W-:-:S05] FMUL R3, R0, R2 ;\n"
                             "  [B------:R-:W-:-:S05] EXIT ;");
  CHECK(has(found, HazardKind::early_read, 0, 2));
  CHECK(has(found, HazardKind::early_read, 0, 4));
}

TEST_CASE("an instruction whose guard is the opposite never meets the result") {
  const std::string head = "  [B------:R-:W-:-:S01] @P0 FADD R0, R1, R2 ;\n";
  CHECK(hazards(90, head + "  [B------:R-:W-:-:S05] @!P0 FADD R3, R0, R2 ;").empty());
  CHECK(hazards(90, head + "  [B------:R-:W-:-:S05] @P0 FADD R3, R0, R2 ;").size() == 1);
  CHECK(hazards(90, head + "  [B------:R-:W-:-:S05] FADD R3, R0, R2 ;").size() == 1);
}

TEST_CASE("a load's result is waited for, by its own barrier and not by another") {
  const auto code = [](const char* wait) {
    return fmt::format(
        "  [B------:R-:W0:-:S02] LDG.E R0, [R2.64] ;\n"
        "  [B------:R-:W1:-:S02] LDG.E R1, [R4.64] ;\n"
        "  [{}:R-:W-:-:S04] FADD R7, R0, R6 ;",
        wait);
  };
  CHECK(hazards(90, code("B0-----")).empty());
  CHECK(has(hazards(90, code("B------")), HazardKind::result_not_waited, 0, 2));
  CHECK(has(hazards(90, code("B-1----")), HazardKind::result_not_waited, 0, 2));
}

TEST_CASE("shared loads and special functions come in order, so a later one's barrier is enough") {
  const std::string code =
      "  [B------:R-:W-:-:S02] LDS R0, [R2] ;\n"
      "  [B------:R-:W1:-:S02] LDS R1, [R2+0x4] ;\n"
      "  [B-1----:R-:W-:-:S04] FADD R5, R0, R5 ;";
  CHECK(hazards(90, code).empty());
}

TEST_CASE("a write over a load's target waits for it too") {
  CHECK(has(hazards(90,
                    "  [B------:R-:W0:-:S02] LDG.E R0, [R2.64] ;\n"
                    "  [B------:R-:W-:-:S04] FADD R0, R4, R5 ;"),
            HazardKind::result_overwritten, 0, 1));
}

TEST_CASE("a store's data is not overwritten before its read barrier is down") {
  const auto code = [](const char* barrier, const char* wait) {
    return fmt::format(
        "  [B------:{}:W-:-:S02] STG.E [R2.64], R0 ;\n"
        "  [{}:R-:W-:-:S04] FADD R0, R4, R5 ;",
        barrier, wait);
  };
  CHECK(hazards(90, code("R0", "B0-----")).empty());
  CHECK(has(hazards(90, code("R0", "B------")), HazardKind::source_overwritten, 0, 1));
  CHECK(has(hazards(90, code("R-", "B------")), HazardKind::source_overwritten, 0, 1));
}

TEST_CASE("a barrier is seen two cycles after it is raised, or one if the instruction yields") {
  const auto code = [](const char* end) {
    return fmt::format(
        "  [B------:R-:W0:{}] LDS R0, [R2] ;\n"
        "  [B0-----:R-:W-:-:S04] FADD R1, R0, R5 ;",
        end);
  };
  CHECK(has(hazards(90, code("-:S01")), HazardKind::wait_too_soon, 0, 1));
  CHECK(hazards(90, code("-:S02")).empty());
  CHECK(hazards(90, code("Y:S01")).empty());
}

TEST_CASE("DEPBAR.LE takes for done what is older than the number it leaves") {
  const auto code = [](int left) {
    return fmt::format(
        "  [B------:R-:W5:-:S02] LDG.E R0, [R2] ;\n"
        "  [B------:R-:W5:-:S02] LDG.E R1, [R2+0x4] ;\n"
        "  [B------:R-:W-:-:S04] DEPBAR.LE SB5, 0x{} ;\n"
        "  [B------:R-:W-:-:S06] FADD R5, R0, R5 ;",
        left);
  };
  CHECK(hazards(52, code(1)).empty());
  CHECK(has(hazards(52, code(2)), HazardKind::result_not_waited, 0, 3));
}

TEST_CASE("a stall count of 12 without a yield request protects nothing on Ampere and later") {
  CHECK(has(hazards(90,
                    "  [B------:R-:W-:-:S12] FADD R0, R1, R2 ;\n"
                    "  [B------:R-:W-:-:S04] FADD R3, R0, R5 ;"),
            HazardKind::early_read, 0, 1));
}

TEST_CASE("a load keeps away from what its target was written or read by just before") {
  CHECK(smallest_stall(90, "IMAD.WIDE R0, R4, R5, R6", "LDG.E R0, desc[UR4][R0.64]") == 6);
  CHECK(smallest_stall(90, "IMAD.WIDE R0, R4, R5, R6", "LDG.E R8, desc[UR4][R0.64]") == 5);
  CHECK(smallest_stall(75, "FADD R0, R1, R2", "LDS.U R0, [R4]") == 6);
  CHECK(smallest_stall(86, "FADD R0, R1, R2", "LDS R1, [R4]") == 2);
  CHECK(smallest_stall(90, "UIADD3 UR4, UR5, 0x1, URZ", "UMOV UR5, 0x400") == 3);
}

TEST_CASE("of two results for one register the slower one is not overtaken") {
  CHECK(smallest_stall(80, "HFMA2.MMA R0, R1, R2, R3", "IADD3 R0, R4, R5, RZ") == 6);
  CHECK(smallest_stall(80, "IADD3 R0, R4, R5, RZ", "HFMA2.MMA R0, R1, R2, R3") == 1);
}

TEST_CASE("memory is behind BAR.SYNC by as much as the barrier takes") {
  CHECK(smallest_stall(75, "BAR.SYNC 0x0", "LDS.U R0, [R4]") == 5);
  CHECK(smallest_stall(90, "BAR.SYNC 0x0", "LDS R0, [R4]") == 6);
  CHECK(smallest_stall(90, "BAR.SYNC 0x0", "FADD R0, R1, R2") == 1);
}
