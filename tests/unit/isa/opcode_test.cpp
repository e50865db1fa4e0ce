// SPDX-License-Identifier: MIT
// The opcode table: which row an opcode finds, and that the table holds together.
#include "isa/opcode.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "smsim/read.hpp"

using namespace smsim;
using namespace smsim::isa;

namespace {

OpClass class_of(std::string_view opcode) {
  const OpcodeRow* row = find_opcode(opcode);
  REQUIRE_MESSAGE(row != nullptr, opcode);
  return row->op_class;
}

}  // namespace

TEST_CASE("a suffix variant that has no row of its own is its base opcode") {
  CHECK(class_of("FFMA.FTZ.RZ") == OpClass::ffma);
  CHECK(class_of("ISETP.GE.U32.AND.EX") == OpClass::isetp);
}

TEST_CASE("the row with most suffixes in common wins, in whatever order they stand") {
  CHECK(class_of("IMAD") == OpClass::imad);
  CHECK(class_of("IMAD.MOV.U32") == OpClass::imad_mov);
  CHECK(class_of("IMAD.WIDE.U32") == OpClass::imad_wide);
  CHECK(class_of("LDG.E.64.STRONG.GPU") == OpClass::ldg_64);
  CHECK(class_of("LDG.E.LTC128B.128") == OpClass::ldg_128);
  CHECK(class_of("HMMA.16816.F32.BF16") == OpClass::hmma_16816_f32);
  CHECK(class_of("HMMA.SP.1688.F32.TF32") == OpClass::hmma_sp);
  CHECK(class_of("HMMA.884.F32.F16.STEP1") == OpClass::hmma_884_f32);
}

TEST_CASE("LDC with a fixed address is a class of its own, with a register inside it is not") {
  const auto class_in = [](const std::string& text) {
    const auto program = read_program_text("[B------:R-:W0:-:S02] " + text + " ;\n", "t");
    REQUIRE(program.has_value());
    return class_of(*find_opcode("LDC"), program->functions.at(0).instructions.at(0));
  };
  CHECK(class_in("LDC R1, c[0x0][0x28]") == OpClass::ldc_immediate);
  CHECK(class_in("LDC R1, c[0x0][R2]") == OpClass::ldc);
  CHECK(class_in("LDC.64 R4, c[0x3][R2+0x8]") == OpClass::ldc);
}

TEST_CASE("only whole suffixes count") {
  CHECK(class_of("LDG.E.LTC128B") == OpClass::ldg);
  CHECK(has_suffix("LDG.E.64", "64"));
  CHECK_FALSE(has_suffix("LDG.E.64", "6"));
  CHECK_FALSE(has_suffix("LDG", "LDG"));
}

TEST_CASE("the base must be equal, not only begin alike") {
  CHECK(find_opcode("FFMAX") == nullptr);
  CHECK(find_opcode("FFM") == nullptr);
  CHECK(find_opcode("") == nullptr);
}

TEST_CASE("no two rows have the same name") {
  std::set<std::string_view> names;
  for (const OpcodeRow& row : all_opcodes()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
  }
  CHECK(names.size() > 250);
}

TEST_CASE("every row is found under its own name") {
  for (const OpcodeRow& row : all_opcodes()) {
    CAPTURE(row.name);
    const OpcodeRow* found = find_opcode(row.name);
    REQUIRE(found != nullptr);
    CHECK(found->name == row.name);
  }
}

TEST_CASE("slots are a, b and c, each at most once") {
  for (const OpcodeRow& row : all_opcodes()) {
    CAPTURE(row.name);
    CHECK(row.slots.find_first_not_of("abc") == std::string_view::npos);
    CHECK(std::set<char>(row.slots.begin(), row.slots.end()).size() == row.slots.size());
  }
}

TEST_CASE("every class is the class of some opcode") {
  std::set<OpClass> used = {OpClass::ldc_immediate};  // LDC's, by its operand
  for (const OpcodeRow& row : all_opcodes()) used.insert(row.op_class);
  for (const std::string_view one : op_class_names()) {
    CAPTURE(one);
    CHECK(used.contains(*op_class_named(one)));
  }
}

TEST_CASE("class names lead back to their classes and are all different") {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kOpClassCount; ++i) {
    const auto op_class = static_cast<OpClass>(i);
    CHECK(op_class_named(name(op_class)) == op_class);
    CHECK(names.insert(name(op_class)).second);
  }
  CHECK(names.size() == op_class_names().size());
  CHECK_FALSE(op_class_named("no such class").has_value());
}

TEST_CASE("general classes end at one that is its own") {
  for (std::size_t i = 0; i < kOpClassCount; ++i) {
    OpClass op_class = static_cast<OpClass>(i);
    CAPTURE(name(op_class));
    for (int steps = 0; steps < 5; ++steps) op_class = general_class(op_class);
    CHECK(general_class(op_class) == op_class);
  }
  CHECK(general_class(OpClass::fadd) == OpClass::ffma);
}

TEST_CASE("an unknown opcode is reported with its line, a near name and the option to go on") {
  Program program;
  program.source = "loop.sass";
  program.lines = {"", "  FFMB R0, R1, R2, R3 ;"};
  Instruction instruction;
  instruction.opcode = "FFMB.FTZ";
  instruction.line = 2;
  instruction.column = 3;
  const Diagnostic one = unknown_opcode(program, instruction);
  CHECK(one.kind == ErrorKind::bad_input);
  CHECK(one.message == "unknown opcode 'FFMB.FTZ'");
  CHECK(one.where.line == 2);
  CHECK(one.excerpt == program.lines[1]);
  CHECK(one.hint.find("did you mean FFMA?") != std::string::npos);
  CHECK(one.hint.find("--unknown assume:<pipe>") != std::string::npos);
}

TEST_CASE("an opcode has the same class in every generation") {
  for (const OpcodeRow& row : all_opcodes()) {
    CAPTURE(row.name);
    for (const ControlFormat format : {ControlFormat::maxwell, ControlFormat::kepler}) {
      const OpcodeRow* found = find_opcode(row.name, format);
      REQUIRE(found != nullptr);
      CHECK(found->op_class == row.op_class);
    }
  }
  for (const OpcodeRow& row : older_roles()) {
    CAPTURE(row.name);
    REQUIRE(find_opcode(row.name) != nullptr);
    CHECK(find_opcode(row.name) != find_opcode(row.name, ControlFormat::maxwell));
  }
}

TEST_CASE(
    "what only older generations have is known, with classes of its own where it needs them") {
  CHECK(class_of("XMAD.PSL.CBCC") == OpClass::xmad);
  CHECK(class_of("RRO.SINCOS") == OpClass::rro);
  CHECK(class_of("BFE.U32") == OpClass::bfe);
  CHECK(class_of("TEXDEPBAR") == OpClass::texdepbar);
  CHECK(class_of("SSY") == OpClass::bssy);
  CHECK(class_of("SYNC") == OpClass::bsync);
  CHECK(class_of("CAL") == OpClass::call);
  CHECK(class_of("LD.E.128") == OpClass::ld_128);
  CHECK(class_of("ST.E.64") == OpClass::st_64);
  CHECK(class_of("TEX.NODEP") == OpClass::tex);
}
