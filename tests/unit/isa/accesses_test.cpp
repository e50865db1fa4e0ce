// SPDX-License-Identifier: MIT
// What instructions read and write, as the readers fill in the roles of their operands.
#include "isa/accesses.hpp"

#include <doctest/doctest.h>

#include <string>

#include "smsim/read.hpp"

using namespace smsim;
using namespace smsim::isa;

namespace {

Instruction read_one(const std::string& text) {
  CAPTURE(text);
  const auto program = read_program_text("[B------:R-:W-:-:S01] " + text + " ;\n", "test");
  REQUIRE_MESSAGE(program.has_value(), to_string(program ? Diagnostics{} : program.error()));
  return program->functions.front().instructions.front();
}

Accesses accesses_of(const std::string& text) {
  const Instruction instruction = read_one(text);
  return accesses(find_opcode(instruction.opcode), instruction);
}

/// "R2x2a@": first register, count, slot, @ for an address, $ for store data.
std::string show(const std::vector<RegisterAccess>& list) {
  std::string text;
  for (const RegisterAccess& one : list) {
    if (!text.empty()) text += " ";
    text += "R" + std::to_string(one.first) + "x" + std::to_string(one.count);
    if (one.slot != SourceSlot::none) text += static_cast<char>('a' + static_cast<int>(one.slot));
    if (one.purpose == Purpose::address) text += "@";
    if (one.purpose == Purpose::store_data) text += "$";
  }
  return text;
}

struct Case {
  const char* text;
  const char* writes;
  const char* reads;
};

void check(std::initializer_list<Case> cases) {
  for (const Case& one : cases) {
    CAPTURE(one.text);
    const Accesses found = accesses_of(one.text);
    CHECK(show(found.writes) == one.writes);
    CHECK(show(found.reads) == one.reads);
  }
}

}  // namespace

TEST_CASE("source positions are the slots a, b and c") {
  check({{"FFMA R0, R1, R2, R3", "R0x1", "R1x1a R2x1b R3x1c"},
         {"IMAD R0, R1, 0x4, R3", "R0x1", "R1x1a R3x1c"},
         {"FFMA R0, R1, R2, 1.5", "R0x1", "R1x1a R2x1b"},
         {"LOP3.LUT R4, R4, 0x1ff0, R9, 0xc0, !PT", "R4x1", "R4x1a R9x1c"}});
}

TEST_CASE("additions of two sources read the second through c") {
  check({{"FADD R0, R1, R2", "R0x1", "R1x1a R2x1c"},
         {"HADD2 R0, R1, R2.H0_H0", "R0x1", "R1x1a R2x1c"},
         {"DADD R4, R6, R8", "R4x2", "R6x2a R8x2c"},
         {"DSETP.GE.AND P0, PT, R4, R6, PT", "", "R4x2a R6x2c"},
         {"FMUL R0, R1, R2", "R0x1", "R1x1a R2x1b"}});
}

TEST_CASE("what has a single source reads it through b") {
  check({{"MOV R0, R1", "R0x1", "R1x1b"},
         {"MUFU.EX2 R0, -|R1|", "R0x1", "R1x1b"},
         {"I2FP.F32.S32 R0, R1", "R0x1", "R1x1b"},
         {"POPC R0, R1", "R0x1", "R1x1b"}});
}

TEST_CASE("the halves of a packed immediate fill one source position") {
  check({{"HFMA2 R0, R1, 1, 2, R3", "R0x1", "R1x1a R3x1c"},
         {"HFMA2.MMA R7, -RZ, RZ, 0, 0", "R7x1", ""}});
}

TEST_CASE("the zero register is neither read nor written") {
  check({{"IADD3 RZ, R1, RZ, RZ", "", "R1x1a"}, {"IMAD.MOV.U32 R1, RZ, RZ, R3", "R1x1", "R3x1c"}});
}

TEST_CASE("double precision and wide products take pairs of registers") {
  check({{"DFMA R0, R2, R4, R6", "R0x2", "R2x2a R4x2b R6x2c"},
         {"IMAD.WIDE R0, R2, R3, R4", "R0x2", "R2x1a R3x1b R4x2c"},
         {"IMAD.HI.U32 R5, R5, R9, R4", "R5x1", "R5x1a R9x1b R4x2c"},
         {"CS2R R2, SR_CLOCKLO", "R2x2", ""},
         {"CS2R.32 R2, SR_CLOCKLO", "R2x1", ""},
         {"MOV.64 R4, R2", "R4x2", "R2x2b"}});
}

TEST_CASE("conversions take pairs for their 64-bit types") {
  check({{"F2F.F64.F32 R6, R4", "R6x2", "R4x1b"},
         {"F2F.F32.F64 R6, R4", "R6x1", "R4x2b"},
         {"I2F.U64.RP R3, R6", "R3x1", "R6x2b"},
         {"I2F.F64 R4, R10", "R4x2", "R10x1b"},
         {"F2I.F64.TRUNC R4, R10", "R4x1", "R10x2b"},
         {"F2I.U64.TRUNC R4, R10", "R4x2", "R10x1b"},
         {"F2I.FTZ.U32.TRUNC.NTZ R4, R10", "R4x1", "R10x1b"},
         {"FRND.F64.FLOOR R4, R10", "R4x2", "R10x2b"}});
}

TEST_CASE("matrix fragments have the size that shape and types give") {
  check({{"HMMA.884.F32.F32.STEP0 R16, R20.ROW, R2.COL, R16", "R16x2", "R20x2a R2x2b R16x2c"},
         {"HMMA.1688.F32 R4, R20, R0, R4", "R4x4", "R20x2a R0x1b R4x4c"},
         {"HMMA.1688.F16 R4, R20, R0, R4", "R4x2", "R20x2a R0x1b R4x2c"},
         {"HMMA.16816.F32 R16, R20, R24, R16", "R16x4", "R20x4a R24x2b R16x4c"},
         {"HMMA.1688.F32.TF32 R16, R20, R24, R16", "R16x4", "R20x4a R24x2b R16x4c"},
         {"HMMA.SP.16832.F32 R4, R36, R40, R4, R0, 0x0", "R4x4", "R36x4a R40x4b R4x4c R0x1"},
         {"IMMA.16832.S8.S8 R4, R8, R12, R4", "R4x4", "R8x4a R12x2b R4x4c"},
         {"IMMA.8816.S8.S8 R4, R8.ROW, R12.COL, R4", "R4x2", "R8x1a R12x1b R4x2c"},
         {"DMMA.8x8x4 R4, R8, R12, R4", "R4x4", "R8x2a R12x2b R4x4c"}});
}

TEST_CASE("loads and stores have addresses and data of their own width") {
  check({{"LDS.128 R4, [R2+0x10]", "R4x4", "R2x1a@"},
         {"LDS.U R4, [R2]", "R4x1", "R2x1a@"},
         {"STS.64 [R2], R4", "", "R2x1a@ R4x2b$"},
         {"LDG.E.64 R4, [R2.64]", "R4x2", "R2x2a@"},
         {"LDG.E.SYS R4, [R2]", "R4x1", "R2x2a@"},
         {"LDG.E R4, [R2.U32+UR4]", "R4x1", "R2x1a@"},
         {"STG.E.128 desc[UR6][R2.64+0x8], R4", "", "R2x2a@ R4x4b$"},
         {"LDGSTS.E.BYPASS.128 [R209], [R24.64], P0", "", "R209x1a@ R24x2b@"},
         {"LDSM.16.M88.4 R176, [R5+0xc00]", "R176x4", "R5x1a@"},
         {"LDC.64 R2, c[0x0][R4+0x168]", "R2x2", "R4x1a@"},
         {"ATOMG.E.CAS.64.STRONG.GPU PT, R12, [R10], R4, R6", "R12x2", "R10x2a@ R4x2b$ R6x2c$"},
         {"ATOMS.POPC.INC.32 RZ, [R10.X4+URZ]", "", "R10x1a@"}});
}

TEST_CASE("leading predicates and carry-outs are written, later ones read") {
  const Accesses set = accesses_of("@!P3 ISETP.GE.AND P0, P5, R2, R3, !P1");
  CHECK(set.predicate_writes == 0b100001);
  CHECK(set.predicate_reads == 0b001010);
  const Accesses carry = accesses_of("IADD3 R2, P0, P2, R5, R4, RZ");
  CHECK(carry.predicate_writes == 0b101);
  CHECK(show(carry.writes) == "R2x1");
  const Accesses extended = accesses_of("IADD3.X R5, RZ, R7, RZ, P0, !PT");
  CHECK(extended.predicate_writes == 0);
  CHECK(extended.predicate_reads == 0b1);
  const Accesses logic = accesses_of("LOP3.LUT P1, RZ, R2, 0x6000, RZ, 0xc0, !PT");
  CHECK(logic.predicate_writes == 0b10);
  CHECK(show(logic.reads) == "R2x1a");
  const Accesses shuffle = accesses_of("SHFL.BFLY P2, R17, R18, 0x1, 0x1f");
  CHECK(shuffle.predicate_writes == 0b100);
  CHECK(show(shuffle.writes) == "R17x1");
}

TEST_CASE("a vote writes all but the predicate that it asks about") {
  const Accesses vote = accesses_of("VOTE.ANY R0, P1, !P3");
  CHECK(show(vote.writes) == "R0x1");
  CHECK(vote.predicate_writes == 0b10);
  CHECK(vote.predicate_reads == 0b1000);
}

TEST_CASE("moves of the predicate file touch what their mask names") {
  CHECK(accesses_of("P2R R55, PR, RZ, 0x24").predicate_reads == 0x24);
  CHECK(accesses_of("R2P PR, R20, 0xe").predicate_writes == 0xe);
}

TEST_CASE("uniform registers and predicates are kept apart") {
  const Accesses add = accesses_of("@UP1 UIADD3 UR4, UP0, UPT, UR5, 0x1, URZ");
  CHECK(show(add.uniform_writes) == "R4x1");
  CHECK(show(add.uniform_reads) == "R5x1");
  CHECK(add.uniform_predicate_writes == 1);
  CHECK(add.uniform_predicate_reads == 2);
  CHECK(add.predicate_reads == 0);
  CHECK(add.reads.empty());
}

TEST_CASE("a descriptor is a pair, and an added uniform register an address") {
  CHECK(show(accesses_of("LDG.E R0, desc[UR6][R2.64]").uniform_reads) == "R6x2@");
  CHECK(show(accesses_of("LDS R0, [R2+UR4+0x10]").uniform_reads) == "R4x1@");
  CHECK(show(accesses_of("LDG.E R0, [UR4]").uniform_reads) == "R4x2@");
  CHECK(show(accesses_of("UIMAD.WIDE UR14, UR8, UR4, UR10").uniform_reads) == "R8x1 R4x1 R10x2");
}

TEST_CASE("reuse flags beside the operands become the bits of their slots") {
  CHECK(read_one("FFMA R0, R1.reuse, R2, R3.reuse").control.reuse == 0b101);
  CHECK(read_one("FADD R0, R1, R2.reuse").control.reuse == 0b100);
  CHECK(read_one("MOV R0, R1.reuse").control.reuse == 0b010);
  CHECK(read_one("HADD2 R0, R1.reuse.H0_H0, |R2|.reuse.H1_H1").control.reuse == 0b101);
}

TEST_CASE("without a row the first register is written and the rest read") {
  check({{"FROB.X R0, R1, R2", "R0x1", "R1x1a R2x1b"}});
}

namespace {

/// The accesses of an instruction for an architecture before Volta.
Accesses older_accesses(const std::string& text, const char* sm = "sm_52") {
  CAPTURE(text);
  const auto program = read_program_text(
      std::string("\t.target ") + sm + "\nf:\n[B------:R-:W-:-:S01] " + text + " ;\n", "test");
  REQUIRE_MESSAGE(program.has_value(), to_string(program ? Diagnostics{} : program.error()));
  const Instruction& one = program->functions.front().instructions.front();
  const OpcodeRow* row = find_opcode(one.opcode, one.control.format);
  REQUIRE(row != nullptr);
  return accesses(row, one);
}

}  // namespace

TEST_CASE("older generations: registers of their own instructions") {
  const Case cases[] = {
      {"XMAD.MRG R16, R7, R8.H1, RZ", "R16x1", "R7x1a R8x1b"},
      {"XMAD R8, R6, c[0x0] [0x148], R2", "R8x1", "R6x1a R2x1c"},
      {"CS2R R0, SR_CLOCKLO", "R0x1", ""},
      {"SHF.R.W R12, R8, 0x6, R9", "R12x1", "R8x1a R9x1c"},
      {"IADD3 R7, R9, R7, R8", "R7x1", "R9x1a R7x1b R8x1c"},
      {"BFE.U32 R1, R2, 0x205", "R1x1", "R2x1a"},
      {"BFI R1, R2, 0x205, R3", "R1x1", "R2x1a R3x1c"},
      {"R2P PR, R2, 0x7f", "", "R2x1a"},
      {"ISCADD R2, R4, R5, 0x2", "R2x1", "R4x1a R5x1b"},
      {"DFMA R12, R18, R12, R20", "R12x2", "R18x2a R12x2b R20x2c"},
      {"FMNMX R0, R12, R11, !PT", "R0x1", "R12x1a R11x1b"},
      {"I2F.F32.U64 R3, R6", "R3x1", "R6x2b"},
      {"F2F.F64.F32 R6, R8", "R6x2", "R8x1b"},
      {"MUFU.RSQ R6, R5", "R6x1", "R5x1b"},
      {"SHFL.BFLY PT, R7, R0, 0x10, 0x1f", "R7x1", "R0x1a"},
      {"LDS.U.128 R4, [R8+0x2000]", "R4x4", "R8x1a@"},
      {"STG.E.64 [R6], R2", "", "R6x2a@ R2x2b$"},
      {"TEX R0, R4, 0x0, ARRAY_2D, 0x7", "R0x3", "R4x3a"},
      {"TEXS R2, R0, R4, R8, 0x0, 2D, RGBA", "R2x1 R0x1", "R4x1a R8x1b"},
      {"VOTE.ALL R0, PT, P1", "R0x1", ""},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    const Accesses found = older_accesses(one.text);
    CHECK(show(found.writes) == one.writes);
    CHECK(show(found.reads) == one.reads);
  }
}

TEST_CASE("older generations: wide loads, and multiplications of Kepler") {
  const Case cases[] = {
      {"LD.E.128 R4, [R2]", "R4x4", "R2x2a@"},
      {"LDSLK P0, R4, [R0]", "R4x1", "R0x1a@"},
      {"STSCUL P1, [R0], R4", "", "R0x1a@ R4x1b$"},
      {"IMAD.U32.U32.HI.X R7, R7, R8, R9", "R7x1", "R7x1a R8x1b R9x1c"},
      {"IMAD.HI R7, R7, R8, R9", "R7x1", "R7x1a R8x1b R9x1c"},
      {"POPC R4, R0, R1", "R4x1", "R0x1b R1x1"},
      {"FFMA.S R9, R10, R12, R9", "R9x1", "R10x1a R12x1b R9x1c"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    const Accesses found = older_accesses(one.text, "sm_35");
    CHECK(show(found.writes) == one.writes);
    CHECK(show(found.reads) == one.reads);
  }
}

TEST_CASE("the carry of older generations goes through the condition code") {
  CHECK(older_accesses("IADD R2.CC, R4, R5").writes_carry);
  CHECK_FALSE(older_accesses("IADD R2.CC, R4, R5").reads_carry);
  CHECK(older_accesses("IADD.X R3, R3, R7").reads_carry);
  CHECK_FALSE(older_accesses("IADD.X R3, R3, R7").writes_carry);
  CHECK(older_accesses("IMAD.HI.X R3, R0, R3, R4", "sm_35").reads_carry);
  // From Volta on it is a predicate.
  CHECK_FALSE(accesses_of("IADD3.X R3, R3, R7, RZ, P0, !PT").reads_carry);
}
