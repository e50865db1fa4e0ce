// SPDX-License-Identifier: MIT
// What is wrong with an input is said with place and hint, and never crashes.
#include <fstream>
#include <random>

#include "sample.hpp"
#include "support/run_program.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

struct Case {
  std::string text;
  std::uint32_t line;
  std::uint32_t column;
  const char* message;
  const char* hint;
};

void check(const Case& expected) {
  CAPTURE(expected.text);
  const Diagnostic one = error_of(expected.text);
  CHECK(one.kind == ErrorKind::bad_input);
  CHECK(one.where.file == "test.sass");
  CHECK(one.where.line == expected.line);
  CHECK(one.where.column == expected.column);
  CHECK_MESSAGE(one.message.find(expected.message) != std::string::npos, one.message);
  CHECK_MESSAGE(one.hint.find(expected.hint) != std::string::npos, one.hint);
}

const std::string kControl = "[B------:R-:W-:-:S01] ";

/// Whether the first line is refused with that message, at the instruction or in it.
bool refused(const std::string& text, const std::string& message) {
  CAPTURE(text);
  const Diagnostic one = error_of(text);
  CHECK(one.where.line == 1);
  CHECK(one.where.column > kControl.size());
  CHECK_MESSAGE(one.message.find(message) != std::string::npos, one.message);
  return one.kind == ErrorKind::bad_input;
}

}  // namespace

TEST_CASE("an empty file is an error") {
  check({"", 1, 1, "empty", "cuobjdump -sass"});
  check({" \r\n\t\n", 1, 1, "empty", "cuobjdump -sass"});
}

TEST_CASE("binaries are named, with what to do about them") {
  check({std::string("\x7f"
                     "ELF\x02\x01\x01\x33",
                     8),
         1, 1, "ELF", "complete"});
  check({std::string("abc\0def", 7), 1, 1, "binary", "cuobjdump -sass"});
  check({std::string("\xff\xfe"
                     "a\0b\0",
                     6),
         1, 1, "UTF-16", "UTF-8"});
}

TEST_CASE("text without an instruction is an error that says what is expected") {
  check({"hello world\n", 1, 1, "no instruction", "nvdisasm -hex"});
  check({"\tcode for sm_80\n\t\tFunction : f\n", 1, 1, "no instruction", "nvdisasm -hex"});
}

TEST_CASE("a pasted line without address and encoding says that -hex is needed") {
  check({"FFMA R0, R1, R2, R3;\n", 1, 1, "no encodings", "nvdisasm -hex"});
}

TEST_CASE("a missing second encoding word is found at the end and in the middle") {
  const std::size_t second = kDump.find("                          /* 0x000fea0003800000");
  check({kDump.substr(0, second), 12, 91, "second encoding word of 'EXIT'", "cut off"});
  const std::string line =
      "                                                                  /* 0x040fc8000000000b "
      "*/\n";
  check({with(kDump, line, ""), 8, 92, "second encoding word of 'FFMA'", "cut off"});
}

TEST_CASE("an instruction that is cut off in its line is found") {
  check({kDump.substr(0, kDump.find("0xffffffe000008947")), 10, 67, "encoding", ""});
  check({kDump.substr(0, kDump.find(" 0x0 ;")), 10, 39, "';'", "cut off"});
}

TEST_CASE("an encoding must have sixteen digits and nothing behind it") {
  check({with(kDump, "0x3fc00000000b7823", "0x3fc00000000b782"), 8, 68, "sixteen", ""});
  check({with(kDump, "0x040fc8000000000b", "0x040fc80000000zzz"), 9, 67, "sixteen", ""});
  check({with(kDump, "/* 0x3fc00000000b7823 */", "/* 0x3fc00000000b7823 */ FFMA"), 8, 93, "nothing",
         ""});
}

TEST_CASE("architectures before Kepler are not supported") {
  const std::string old = with(with(kDump, "code for sm_80", "code for sm_21"), "SM80", "SM21");
  check({old, 7, 1, "sm_21 is not supported", "sm_30 to sm_120"});
}

TEST_CASE("an encoding word in front of all instructions asks for the architecture") {
  check({"  /* 0x001c4400fe0007f6 */\n", 1, 3, "without an instruction", ".target sm_52"});
}

TEST_CASE("malformed control notation is found at its character") {
  check({"  [B-----:R-:W-:-:S01] NOP ;\n", 1, 10, "barriers waited for", "[B--2---:R0:W-:-:S04]"});
  check({"[B------:R-:W-:-:S16] NOP ;\n", 1, 19, "at most 15", ""});
}

TEST_CASE("a malformed operand is found at its character") {
  check({kControl + "FFMA R0, R1, R300, R2 ;\n", 1, 36, "R300", ""});
  check({kControl + "LDS R0, [R1 ;\n", 1, 31, "']'", ""});
  check({kControl + "FFMA R0, R1\n", 1, 34, "';'", ""});
}

TEST_CASE("what is no operand is refused, not read as one that depends on nothing") {
  check({kControl + "FFMA R1, @@@, R2, R3 ;\n", 1, 32, "'@@@' is no operand", ""});
  check({kControl + "FADD R4, r1, RZ ;\n", 1, 32, "'r1' is no register", ""});
  check({kControl + "FADD R4, R-2, RZ ;\n", 1, 32, "'R-2' is no operand", ""});
  check({kControl + "IADD3 R1, ((( ;\n", 1, 33, "is no operand", ""});
  check({kControl + "FADD R3 R1, R1 ;\n", 1, 31, "expected ','", ""});
}

TEST_CASE("no line of brackets and no second instruction of a line goes lost") {
  const std::string good = kControl + "FADD R1, R2, R3 ;\n";
  check({good + "B------:R-:W-:-:S05] FADD R4, R5, R6 ;\n", 2, 1, "control field", "NOP"});
  check({good + "[] FADD R4, R5, R6 ;\n", 2, 1, "control field", "NOP"});
  check({"{B------:R-:W-:-:S05} FADD R4, R5, R6 ;\n" + good, 1, 1, "control field", "NOP"});
  check({kControl + "LDS R5, [R2] ; " + good, 1, 38, "nothing but a comment", "line of its own"});
}

TEST_CASE("a dump that has lost an instruction between others is refused") {
  std::string dump = kDump;
  const std::size_t line = dump.find("        /*0010*/");
  const std::size_t behind = dump.find("        /*0020*/");
  REQUIRE(behind != std::string::npos);
  dump.erase(line, behind - line);
  CHECK(error_of(dump).message == "the instruction at 0x0010 is missing in front of 0x0020");
}

TEST_CASE("a branch to a label that is not there names the nearest") {
  check({".L_loop:\n" + kControl + "@P0 BRA `(.L_lop) ;\n", 2, 23, "'.L_lop'",
         "did you mean .L_loop?"});
}

TEST_CASE("a jump to an address that only the linker knows is refused") {
  check({kControl + "BRA.ABS 0x0 ;\n", 1, 23, "left to the linker", "linked cubin"});
}

TEST_CASE("a label and a number at the end of 64 bits are added as addresses are") {
  const auto program = read_program_text(
      kControl + "NOP ;\n.L_a:\n" + kControl + "BRA `(.L_a+0x7fffffffffffffff) ;\n", "test.sass");
  REQUIRE(program.has_value());
  const auto& code = program->functions.at(0).instructions;
  CHECK(code.at(1).operands[0].value ==
        static_cast<std::int64_t>(code.at(1).address + 0x7fffffffffffffffU));
  CHECK(read_program_text(kControl + "LDTM.x134217728 R0, tmem[UR4] ;\n", "test.sass")
            .value()
            .functions.at(0)
            .instructions.at(0)
            .operands[0]
            .registers == 255);
}

TEST_CASE("numbers that no encoding holds are refused: offsets of 33 bits, immediates of 65") {
  CHECK(refused(kControl + "LDG.E R0, [R2.64+0xffffffffffff] ;\n", "larger than encodings have"));
  CHECK(refused(kControl + "LDS R0, [R1+0x7fffffffffffffff+0x7fffffffffffffff+0x100000000] ;\n",
                "larger than encodings have"));
  CHECK(refused(kControl + "LDS R0, [R1+0x10000000000000010] ;\n", "more than 64 bits"));
  CHECK(refused(kControl + "IADD3 R0, R1, 0x10000000000000000, R2 ;\n", "more than 64 bits"));
  CHECK(refused(kControl + "IADD3 R0, R1, 18446744073709551616, R2 ;\n", "more than 64 bits"));
  read(kControl + "IADD3 R0, R1, 0x0000ffffffffffffffff, R2 ;\n");
  read(kControl + "LDG.E R0, [R2.64+-0x100000] ;\n");
}

TEST_CASE("registers that have to lie together and do not are refused") {
  CHECK(refused(kControl + "LDS.128 R5, [R2] ;\n", "R4 or R8"));
  CHECK(refused(kControl + "STG.E.64 [R2.64], R7 ;\n", "R6 or R8"));
  CHECK(refused(kControl + "LDG.E R0, [R3.64] ;\n", "R2 or R4"));
  CHECK(refused(kControl + "DADD R4, R6, R9 ;\n", "R8 or R10"));
  read(kControl + "LDS.128 RZ, [R3] ;\n");
  read(kControl + "LDS.64 R6, [R3] ;\n");
}

TEST_CASE("addresses that go back need a line that names a new function") {
  const std::string body = kDump.substr(kDump.find("        /*0000*/"));
  check({body + body, 8, 0, "0x0000 does not follow 0x0020", "function"});
}

TEST_CASE("an instruction without control word among those with is an error") {
  check({kControl + "NOP ;\nFFMA R0, R1, R2, R3 ;\n", 2, 1, "no control word", ""});
}

TEST_CASE("several mistakes are reported together, up to twenty") {
  std::string text;
  for (int i = 0; i < 50; ++i) text += kControl + "MOV R0, R999 ;\n";
  const auto program = read_program_text(text, "test.sass");
  REQUIRE_FALSE(program.has_value());
  CHECK(program.error().size() == 20);
  CHECK(program.error()[1].where.line == 2);
}

TEST_CASE("every prefix of a listing gives a program or an error with a place") {
  for (std::size_t length = 1; length < kDump.size(); ++length) {
    const auto program = read_program_text(kDump.substr(0, length), "test.sass");
    if (program) continue;
    CAPTURE(length);
    CHECK_FALSE(program.error().empty());
    for (const Diagnostic& one : program.error()) {
      CHECK_FALSE(one.message.empty());
      CHECK(one.where.line <= 14);
      CHECK(one.where.column <= one.excerpt.size() + 1);
    }
  }
}

TEST_CASE("bytes changed at random never crash the reader") {
  std::mt19937 random(12345);
  std::uniform_int_distribution<int> byte(0, 255);
  for (int round = 0; round < 2000; ++round) {
    std::string text = kDump;
    for (int change = 0; change < 6; ++change) {
      std::uniform_int_distribution<std::size_t> place(0, text.size() - 1);
      text[place(random)] = static_cast<char>(byte(random));
    }
    const auto program = read_program_text(text, "test.sass");
    if (!program) CHECK_FALSE(program.error().empty());
  }
}

TEST_CASE("a file that cannot be opened is an error of its own kind") {
  const auto program = read_program("/no/such/file.sass");
  REQUIRE_FALSE(program.has_value());
  CHECK(program.error().front().kind == ErrorKind::no_file);
  CHECK(exit_code(program.error()) == 66);
  const auto folder = read_program(kTraces);
  REQUIRE_FALSE(folder.has_value());
  CHECK(folder.error().front().message.find("directory") != std::string::npos);
}

TEST_CASE("damaged compressed data is an error that names the format") {
  const TempFolder folder;
  struct Damaged {
    const char* name;
    std::string bytes;
  };
  for (const Damaged& one : {Damaged{"gzip", "\x1f\x8b\x08 garbage"},
                             Damaged{"xz", std::string("\xfd"
                                                       "7zXZ\0 garbage",
                                                       14)},
                             Damaged{"zstd", "\x28\xb5\x2f\xfd garbage"}}) {
    CAPTURE(one.name);
    const auto program = read_program(folder.write(one.name, one.bytes));
    REQUIRE_FALSE(program.has_value());
    CHECK(program.error().front().kind == ErrorKind::bad_input);
    CHECK(program.error().front().message.find(one.name) != std::string::npos);
  }
}
