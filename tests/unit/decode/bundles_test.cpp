// SPDX-License-Identifier: MIT
// Instructions of 64 bits in bundles: which word is whose, and what is said of bundles that are not
// whole.
#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

/// A loop of sm_61 as cuobjdump prints it: a pair within a bundle, then one across two.
const std::string kMaxwell =
    "\tcode for sm_61\n"
    "\t\tFunction : f\n"
    "                                                        /* 0x001fc000fe8007f0 */\n"
    "        /*0008*/         {         LOP32I.AND R8, R5, 0x3ff0 ;  /* 0x04000003ff070508 */\n"
    "        /*0010*/                   LDS.U.128 R4, [R4]         }\n"
    "                                                        /* 0xef4e100000070404 */\n"
    "        /*0018*/         {         IADD32I R17, R17, 0x1 ;  /* 0x1c00000000171111 */\n"
    "                                                        /* 0x001f8400fc200716 */\n"
    "        /*0028*/                   LDS.U.128 R8, [R8+0x2000]         }\n"
    "                                                        /* 0xef4e100200070808 */\n"
    "        /*0030*/              @!P0 BRA 0x20 ;  /* 0xe2400ffff688000f */\n"
    "        /*0038*/                   EXIT ;  /* 0xe30000000007000f */\n"
    "\t\t..........\n";

const std::string kKepler =
    "\tcode for sm_35\n"
    "\t\tFunction : f\n"
    "                                         /* 0x089c80109c108010 */\n"
    "        /*0008*/     SHF.L R7, RZ, 0x4, R6;           /* 0xb7c01800021ffc1d */\n"
    "        /*0010*/     IADD32I R6, R6, 0x1;             /* 0x40000000009c1819 */\n"
    "        /*0018*/     SHF.L R8, RZ, 0x2, R4;           /* 0xb7c01000021ffc21 */\n"
    "        /*0020*/     IADD32I R4, R4, 0x4;             /* 0x40000000021c1011 */\n"
    "        /*0028*/     LOP32I.AND R7, R7, 0x1ff0;       /* 0x2000000ff81c1c1c */\n"
    "        /*0030*/     ISETP.GE.AND P0, PT, R6, R4, PT; /* 0x5b681c00291c181e */\n"
    "        /*0038*/     EXIT;                            /* 0x18000000001c003c */\n"
    "        /*0040*/     BRA 0x40;                        /* 0x12007ffffc1c003c */\n"
    "        /*0048*/     NOP;                             /* 0x85800000001c3c02 */\n";

std::vector<Instruction> code_of(const std::string& text) {
  return read(text).functions.front().instructions;
}

std::string line_of(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  const std::size_t start = text.rfind('\n', at) + 1;
  return text.substr(start, text.find('\n', at) + 1 - start);
}

std::string without(const std::string& text, const std::string& part) {
  return with(text, line_of(text, part), "");
}

}  // namespace

TEST_CASE("in braces each word is the encoding or the control word that its place says") {
  const Program program = read(kMaxwell);
  const auto& code = program.functions.front().instructions;
  REQUIRE(code.size() == 6);
  CHECK(code[0].text == "LOP32I.AND R8, R5, 0x3ff0");
  CHECK(code[1].text == "LDS.U.128 R4, [R4]");
  CHECK(code[1].address == 0x10);
  CHECK((*code[0].encoding)[0] == 0x04000003ff070508);
  CHECK((*code[1].encoding)[0] == 0xef4e100000070404);
  CHECK((*code[3].encoding)[0] == 0xef4e100200070808);
  CHECK(code[0].control.dual_issue());
  CHECK_FALSE(code[1].control.dual_issue());
  CHECK(code[2].control.dual_issue());
  CHECK(code[3].control.stall == 6);
}

TEST_CASE("a control word may stand on the brace's own line, with the encoding behind it") {
  const std::string moved =
      with(kMaxwell,
           "                                                        /* 0x001f8400fc200716 */\n"
           "        /*0028*/                   LDS.U.128 R8, [R8+0x2000]         }\n",
           "        /*0028*/                   LDS.U.128 R8, [R8+0x2000]  }  /* 0x001f8400fc200716 "
           "*/\n");
  const auto code = code_of(moved);
  const auto usual = code_of(kMaxwell);
  REQUIRE(code.size() == usual.size());
  for (std::size_t i = 0; i < code.size(); ++i) {
    CHECK(code[i].encoding == usual[i].encoding);
    CHECK(code[i].control == usual[i].control);
  }
}

TEST_CASE("a brace may also close behind a semicolon") {
  const std::string text = with(kMaxwell, "[R4]         }", "[R4] ; }");
  CHECK(code_of(text)[1].text == "LDS.U.128 R4, [R4]");
}

TEST_CASE("a branch to a control word goes to the first instruction behind it") {
  const Program program = read(kMaxwell);
  CHECK(program.functions.front().instructions[4].target == 0x28);
  const auto loops = find_loops(program.functions.front());
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].start == 0x28);
  CHECK(loops[0].end == 0x30);
}

TEST_CASE("a label between a closing brace and its encoding belongs to what follows") {
  const std::string text =
      "\t.target sm_61\n"
      ".text.f:\n"
      "        /* 0x001f9800ffa007f0 */\n"
      "        /*0008*/    {    FFMA R16, R7, R11, R16 ;  /* 0x5980080000b70710 */\n"
      "        /*0010*/    @!P0 BRA `(.L_1)    }\n"
      ".L_1:\n"
      "        /* 0xe2400ffff688000f */\n"
      "        /*0018*/         EXIT ;  /* 0xe30000000007000f */\n";
  const auto code = code_of(text);
  REQUIRE(code.size() == 3);
  CHECK(code[1].target == 0x18);
}

TEST_CASE("Kepler's padding behind the end needs no control word") {
  const auto code = code_of(kKepler);
  REQUIRE(code.size() == 9);
  CHECK(code[0].control.dual_issue());
  CHECK(code[6].text == "EXIT");
  CHECK(code[7].address == 0x40);
  CHECK(code[7].target == 0x40);
  CHECK(code[7].control.code == 0);
  CHECK(find_loops(read(kKepler).functions.front()).empty());
}

TEST_CASE("SYNC goes to where SSY said, also across a nested pair") {
  const std::string text =
      "\t.target sm_52\n"
      "f:\n"
      "[B------:R-:W-:-:S01] SSY `(.outer) ;\n"
      "[B------:R-:W-:-:S01] SSY `(.inner) ;\n"
      "[B------:R-:W-:-:S01] @P0 SYNC ;\n"
      "[B------:R-:W-:-:S01] SYNC ;\n"
      "[B------:R-:W-:-:S01] NOP ;\n"
      ".inner:\n"
      "[B------:R-:W-:-:S01] SYNC ;\n"
      ".outer:\n"
      "[B------:R-:W-:-:S01] EXIT ;\n";
  const auto code = code_of(text);
  REQUIRE(code.size() == 7);
  CHECK(code[0].address == 0x08);
  CHECK(code[3].address == 0x28);
  CHECK(code[2].target == code[5].address);
  CHECK(code[3].target == code[5].address);
  CHECK(code[5].target == code[6].address);
}

TEST_CASE("BRK leaves the loop that PBK entered, over whatever was pushed since") {
  const std::string text =
      "\t.target sm_61\n"
      "f:\n"
      "[B------:R-:W-:-:S01] PBK `(.out) ;\n"
      "[B------:R-:W-:-:S01] SSY `(.meet) ;\n"
      "[B------:R-:W-:-:S01] @P0 BRK ;\n"
      "[B------:R-:W-:-:S01] SYNC ;\n"
      ".meet:\n"
      "[B------:R-:W-:-:S01] NOP ;\n"
      ".out:\n"
      "[B------:R-:W-:-:S01] EXIT ;\n";
  const auto code = code_of(text);
  CHECK(code[2].target == code[5].address);
  CHECK(code[3].target == code[4].address);
}

TEST_CASE("on Kepler any instruction may end in SYNC") {
  std::string text = with(kKepler, "SHF.L R7, RZ, 0x4, R6;", "SSY 0x38;");
  text = with(text, "IADD32I R6, R6, 0x1;", "IADD32I.S R6, R6, 0x1;");
  const auto code = code_of(text);
  CHECK(code[1].target == 0x38);
  CHECK_FALSE(code[2].target.has_value());
}

TEST_CASE("a missing control word is named with its address") {
  const Diagnostic middle = error_of(without(kMaxwell, "0x001f8400fc200716"));
  CHECK(middle.where.line == 9);
  CHECK(middle.message.find("0x0020") != std::string::npos);
  const Diagnostic plain =
      error_of(without(with(kMaxwell,
                            "LDS.U.128 R8, [R8+0x2000]         }\n                                "
                            "                        /* 0xef4e100200070808 */",
                            "LDS.U.128 R8, [R8+0x2000] ;  /* 0xef4e100200070808 */"),
                       "0x001f8400fc200716"));
  CHECK(plain.message == "the control word at 0x0020 is missing");
  CHECK(plain.where.line == 8);
  CHECK(plain.hint.find("3 instructions") != std::string::npos);
  const Diagnostic first = error_of(without(kKepler, "0x089c80109c108010"));
  CHECK(first.message == "the control word at 0x0000 is missing");
  CHECK(first.where.line == 3);
  CHECK(first.hint.find("7 instructions") != std::string::npos);
}

TEST_CASE("Kepler code that is reached needs its control word") {
  const Diagnostic one = error_of(with(kKepler, "BRA 0x40; ", "MOV R0, R1;"));
  CHECK(one.message == "the control word at 0x0040 is missing");
  CHECK(one.where.line == 11);
}

TEST_CASE("a word that no control word of the architecture can be is named") {
  const Diagnostic kepler = error_of(with(kKepler, "0x089c80109c108010", "0xe2c00000029c2426"));
  CHECK(kepler.message.find("0xe2c00000029c2426 at 0x0000 is not a control word of sm_35") == 0);
  CHECK(kepler.where.line == 3);
  const Diagnostic swapped = error_of(with(kKepler, "sm_35", "sm_30"));
  CHECK(swapped.message.find("is not a control word of sm_30") != std::string::npos);
  CHECK(swapped.hint.find("architecture") != std::string::npos);
}

TEST_CASE("a cut-off bundle is found") {
  const Diagnostic encoding = error_of(kMaxwell.substr(0, kMaxwell.find("                        "
                                                                        "                        "
                                                                        "        /* 0xef4e1002")));
  CHECK(encoding.message == "the encoding word of 'LDS.U.128' is missing");
  CHECK(encoding.where.line == 9);
  CHECK(encoding.hint.find("cut off") != std::string::npos);
  const Diagnostic alone = error_of(kMaxwell.substr(0, kMaxwell.find("        /*0028*/")));
  CHECK(alone.message.find("instructions of this control word are missing") != std::string::npos);
  CHECK(alone.where.line == 8);
}

TEST_CASE("instructions that are 16 bytes apart are not those of a bundle") {
  std::string text = with(kMaxwell, "/*0010*/", "/*0018*/");
  const Diagnostic gap = error_of(text);
  CHECK(gap.message.find("0x0010 is missing") != std::string::npos);
  CHECK(gap.where.line == 5);
  CHECK(gap.hint.find("8 bytes apart") != std::string::npos);
  const Diagnostic slot = error_of(with(kKepler, "/*0008*/", "/*0000*/"));
  CHECK(slot.message == "address 0x0000 is the place of a control word");
  CHECK(slot.where.line == 4);
  const Diagnostic back = error_of(with(kKepler, "/*0020*/", "/*0010*/"));
  CHECK(back.message.find("0x0010 where 0x0020 was expected") != std::string::npos);
}

TEST_CASE("64-bit code without a named architecture asks for one") {
  const Diagnostic one = error_of(without(kKepler, "code for sm_35"));
  CHECK(one.hint.find(".target sm_52") != std::string::npos);
}

TEST_CASE("an architecture before Kepler is named as not supported") {
  const Diagnostic one = error_of(with(kKepler, "sm_35", "sm_20"));
  CHECK(one.message == "sm_20 is not supported");
  CHECK(one.where.line == 1);
}

TEST_CASE("loops for Kepler can be written by hand, in its own notation") {
  const auto code = code_of(
      "\t.target sm_35\n"
      ".loop:\n"
      "[dual] FFMA R0, R1, R2, R0 ;\n"
      "[S01] FFMA R3, R1, R2, R3 ;\n"
      "[S10] @P0 BRA `(.loop) ;\n");
  REQUIRE(code.size() == 3);
  CHECK(code[0].control.dual_issue());
  CHECK(code[0].control.format == ControlFormat::kepler);
  CHECK(code[2].control.stall == 10);
  CHECK(code[2].target == code[0].address);
  const Diagnostic barrier =
      error_of("\t.target sm_35\n[B0-----:R-:W-:-:S01] FFMA R0, R1, R2, R0 ;\n");
  CHECK(barrier.message.find("no barriers") != std::string::npos);
  CHECK(barrier.where.column == 2);
  const Diagnostic unknown = error_of("[S01] FFMA R0, R1, R2, R0 ;\n");
  CHECK(unknown.hint.find(".target sm_35") != std::string::npos);
}
