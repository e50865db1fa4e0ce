// SPDX-License-Identifier: MIT
// What is read from texts of the different tools.
#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("a cuobjdump listing gives functions, architecture, control words and targets") {
  const Program program = read(kDump);
  CHECK(program.format == "cuobjdump");
  CHECK(program.source == "test.sass");
  REQUIRE(program.functions.size() == 1);
  const Function& function = program.functions.front();
  CHECK(function.name == "saxpy");
  CHECK(function.sm == 80);
  CHECK(function.has_control_words);
  CHECK(function.line == 6);
  REQUIRE(function.instructions.size() == 3);
  const Instruction& first = function.instructions[0];
  CHECK(first.text == "FFMA R11, R0.reuse, R11, 1.5");
  CHECK(first.line == 8);
  CHECK(first.column == 36);
  CHECK(first.control.stall == 4);
  CHECK(first.control.reuse == 1);
  CHECK((*first.encoding)[1] == 0x040fc8000000000b);
  CHECK(function.instructions[1].address == 0x10);
  CHECK(function.instructions[1].target == 0);
  CHECK_FALSE(function.instructions[2].target.has_value());
}

TEST_CASE("Windows line ends, tabs and a byte order mark make no difference") {
  std::string text = "\xef\xbb\xbf";
  for (const char c : kDump) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const Program program = read(text);
  CHECK(program.functions.front().instructions.size() == 3);
  CHECK(program.lines[4] == "\tcode for sm_80");
  const Program tabs = read(with(kDump, "        /*0000*/     ", "\t/*0000*/\t"));
  CHECK(tabs.functions.front().instructions.size() == 3);
}

TEST_CASE("several functions and architectures in one file are kept apart") {
  const std::string other = with(with(kDump, "code for sm_80", "code for sm_90"), "SM80", "SM90");
  const Program program = read(kDump + other);
  REQUIRE(program.functions.size() == 2);
  CHECK(program.functions[0].sm == 80);
  CHECK(program.functions[1].sm == 90);
}

TEST_CASE("functions of architectures before Kepler are left out") {
  std::string old = with(with(kDump, "code for sm_80", "code for sm_21"), "SM80", "SM21");
  const Program program = read(old + kDump);
  REQUIRE(program.functions.size() == 1);
  CHECK(program.functions[0].sm == 80);
}

TEST_CASE("a listing without headers is one function of unknown architecture") {
  const std::string body = kDump.substr(kDump.find("        /*0000*/"));
  const Program program = read(body);
  REQUIRE(program.functions.size() == 1);
  CHECK(program.functions[0].sm == 0);
  CHECK(program.functions[0].name == "unnamed");
  CHECK(program.functions[0].instructions.size() == 3);
}

TEST_CASE("line info of nvdisasm and comments are passed over") {
  const std::string info = "\t//## File \"/src/a.cu\", line 12\n";
  const std::string text = with(kDump, "        /*0010*/", info + "        /*0010*/");
  CHECK(read(text).functions.front().instructions.size() == 3);
}

TEST_CASE("bracketed notation gives control words, labels and addresses 16 bytes apart") {
  const Program program = read(
      "// a loop\n"
      "\t.target\tsm_75\n"
      ".text.body:\n"
      "    [B------:R-:W0:-:S02] LDS R0, [R2] ;\n"
      ".L_loop:\n"
      "    [B0-----:R-:W-:Y:S04] FFMA R1, R0.reuse, R0, R1 ; // twice\n"
      "    [B------:R-:W-:-:S05] @P0 BRA `(.L_loop) ;\n");
  CHECK(program.format == "bracketed");
  const Function& function = program.functions.front();
  CHECK(function.name == "body");
  CHECK(function.sm == 75);
  REQUIRE(function.instructions.size() == 3);
  CHECK(function.instructions[1].address == 0x10);
  CHECK(function.instructions[1].control.wait_mask == 1);
  CHECK(function.instructions[1].control.yield);
  CHECK(function.instructions[1].control.reuse == 1);
  CHECK(function.instructions[0].control.write_barrier == 0);
  CHECK(function.instructions[2].target == 0x10);
  CHECK_FALSE(function.instructions[0].encoding.has_value());
}

TEST_CASE("bracketed notation may state addresses") {
  const Program program = read(
      "[B------:R-:W-:-:S02] /*0100*/ NOP ;\n"
      "[B------:R-:W-:-:S02] /*0120*/ NOP ;\n"
      "[B------:R-:W-:-:S02] NOP ;\n");
  const Function& function = program.functions.front();
  CHECK(function.instructions[0].address == 0x100);
  CHECK(function.instructions[1].address == 0x120);
  CHECK(function.instructions[2].address == 0x130);
}

TEST_CASE("a label may stand behind the branch to it, or behind the last instruction") {
  const Program program = read(
      "[B------:R-:W-:-:S02] @P0 BRA `(.L_end) ;\n"
      "[B------:R-:W-:-:S02] EXIT ;\n"
      ".L_end:\n");
  CHECK(program.functions.front().instructions.front().target == 0x20);
}

TEST_CASE("an absolute call that is not linked has no target") {
  const Program program = read("[B------:R-:W-:-:S02] CALL.ABS.NOINC 0x0 ;\n");
  CHECK_FALSE(program.functions.front().instructions.front().target.has_value());
}

TEST_CASE("sections of data are no code") {
  const Program program = read(
      "\t.section\t.text.f,\"ax\",@progbits\n"
      "\t.sectionflags\t@\"SHF_BARRIERS=1\"\n"
      "f:\n"
      ".text.f:\n"
      "        /*0000*/                   NOP;   /* 0x0000000000007918 */\n"
      "                                          /* 0x000fc00000000000 */\n"
      "\t.section\t.nv.constant0.f,\"a\",@progbits\n"
      "        /*0000*/ \t.byte\t0x04, 0x2f\n"
      ".L_0:\n");
  CHECK(program.format == "nvdisasm");
  REQUIRE(program.functions.size() == 1);
  CHECK(program.functions.front().name == "f");
  CHECK(program.functions.front().instructions.size() == 1);
}

TEST_CASE("what nvdisasm -plr writes beside the encodings is passed over") {
  const std::string text =
      with(kDump, "/* 0x3fc00000000b7823 */", "/* 0x3fc00000000b7823 */   // |  2 ^ : | 1 |");
  CHECK(read(text).functions.front().instructions.size() == 3);
}

TEST_CASE("so are the columns of nvdisasm -lrm: counts alone, and narrow ones") {
  for (const char* column :
       {"// |   4 |   1 |    |", "// |4:^^  :|1|", "// |", "// +-----+----+"}) {
    CAPTURE(column);
    const std::string text =
        with(kDump, "/* 0x3fc00000000b7823 */", std::string("/* 0x3fc00000000b7823 */ ") + column);
    CHECK(read(text).functions.front().instructions.size() == 3);
  }
}
