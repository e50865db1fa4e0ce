// SPDX-License-Identifier: MIT
// Operands as disassemblers print them.
#include <doctest/doctest.h>

#include "decode/instruction_text.hpp"
#include "decode/operand_text.hpp"

using namespace smsim;
using namespace smsim::decode;

namespace {

Operand parse(const char* text) {
  CAPTURE(text);
  auto operand = parse_operand(text);
  REQUIRE_MESSAGE(operand.has_value(), (operand ? "" : operand.error()));
  return *operand;
}

Instruction parse_line(const char* text) {
  CAPTURE(text);
  auto instruction = parse_instruction(text);
  REQUIRE_MESSAGE(instruction.has_value(), (instruction ? "" : instruction.error().message));
  return *std::move(instruction);
}

}  // namespace

TEST_CASE("registers and predicates are told apart by their letters") {
  struct Case {
    const char* text;
    OperandKind kind;
    int index;
  };
  for (const Case& one :
       {Case{"R12", OperandKind::reg, 12}, Case{"RZ", OperandKind::reg, kRZ},
        Case{"UR63", OperandKind::uniform_reg, 63}, Case{"URZ", OperandKind::uniform_reg, kURZ},
        Case{"P6", OperandKind::predicate, 6}, Case{"PT", OperandKind::predicate, kPT},
        Case{"UP2", OperandKind::uniform_predicate, 2},
        Case{"UPT", OperandKind::uniform_predicate, kPT}, Case{"B15", OperandKind::convergence, 15},
        Case{"SB5", OperandKind::scoreboard, 5}, Case{"SR_TID.X", OperandKind::special_reg, -1},
        Case{"SRZ", OperandKind::special_reg, -1}, Case{"PR", OperandKind::other, -1},
        Case{"gsb0", OperandKind::other, -1}, Case{"2D", OperandKind::other, -1},
        Case{"`(.L_x_3)", OperandKind::label, -1}}) {
    CAPTURE(one.text);
    const Operand operand = parse(one.text);
    CHECK(operand.kind == one.kind);
    CHECK(operand.index == one.index);
    CHECK(operand.text == one.text);
  }
}

TEST_CASE("signs, bars and suffixes stand around a register") {
  const Operand operand = parse("-|R28|.reuse.H1_H1");
  CHECK(operand.kind == OperandKind::reg);
  CHECK(operand.index == 28);
  CHECK(operand.negated);
  CHECK(operand.reuse);
  CHECK(parse("!P3").negated);
  CHECK(parse("~URZ").negated);
  CHECK_FALSE(parse("R3.ROW").reuse);
  CHECK(parse("R3.reuse.ROW").reuse);
}

TEST_CASE("numbers are integers where they can be") {
  CHECK(parse("0x7fffffff").value == 0x7fffffff);
  CHECK(parse("-0x10").value == -16);
  CHECK(parse("-126").value == -126);
  CHECK(parse("0xffffffffffffffff").value == -1);
  for (const char* text : {"1.5", "1.17549435e-38", "+INF", "-QNAN", "-1.875"}) {
    CHECK(parse(text).kind == OperandKind::immediate);
  }
  CHECK(parse("-QNAN").negated);
}

TEST_CASE("addresses name register, uniform register, descriptor, scale and offset") {
  const Operand plain = parse("[R2+-0x10]");
  CHECK(plain.kind == OperandKind::memory);
  CHECK(plain.index == 2);
  CHECK(plain.registers == 1);
  CHECK(plain.value == -16);
  const Operand full = parse("desc[UR6][R2.64+UR4+0x80]");
  CHECK(full.index == 2);
  CHECK(full.registers == 2);
  CHECK(full.uniform == 4);
  CHECK(full.descriptor == 6);
  CHECK(full.value == 0x80);
  const Operand scaled = parse("[R10.X16+URZ]");
  CHECK(scaled.scale == 16);
  CHECK(scaled.uniform == kURZ);
  const Operand bare = parse("[0x22c8]");
  CHECK(bare.index == -1);
  CHECK(bare.value == 0x22c8);
  CHECK(parse("gdesc[UR8]").uniform == 8);
  CHECK(parse("desc[UR14]").descriptor == 14);
  CHECK(parse("desc[UR14]").uniform == -1);
}

TEST_CASE("constants name register and offset") {
  const Operand plain = parse("-c[0x0][0x160]");
  CHECK(plain.kind == OperandKind::constant);
  CHECK(plain.negated);
  CHECK(plain.value == 0x160);
  CHECK(plain.index == -1);
  CHECK(parse("c[0x2][R10+0x8]").index == 10);
  CHECK(parse("c[0x0] [0x1d0].H0_H0").value == 0x1d0);
  CHECK(parse("cx[UR4][0x10]").uniform == 4);
  CHECK(parse("c[0x0][UR5]").uniform == 5);
}

TEST_CASE("a register that does not exist, and a bracket left open, are errors") {
  for (const char* text : {"R255", "R999", "UR255", "P7", "UP9", "B16", "[R300]", "c[0x0][0x1",
                           "desc[UR6][R2.64", "`(.L_x"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_operand(text).has_value());
  }
}

TEST_CASE("an instruction is guard, opcode and operands") {
  const Instruction one = parse_line("@!UP1   LDG.E.64   R2,  desc[UR6][R2.64]  ");
  CHECK(one.guard.uniform);
  CHECK(one.guard.negated);
  CHECK(one.guard.index == 1);
  CHECK(one.opcode == "LDG.E.64");
  CHECK(one.operands.size() == 2);
  CHECK(one.text == "@!UP1 LDG.E.64 R2, desc[UR6][R2.64]");
}

TEST_CASE("commas in brackets and braces part no operands") {
  CHECK(parse_line("DEPBAR.LE SB0, 0x0, {4,3,1}").operands.size() == 3);
  CHECK(parse_line("FSETP.GTU.FTZ.AND P1, PT, |R4|, +INF , PT").operands.size() == 5);
}

TEST_CASE("a register and the target behind it are two operands") {
  const Instruction ret = parse_line("RET.REL.NODEC R4 0x0");
  REQUIRE(ret.operands.size() == 2);
  CHECK(ret.operands[0].index == 4);
  CHECK(ret.operands[1].value == 0);
  CHECK(parse_line("BRX R136 -0x3710").operands[1].value == -0x3710);
}

TEST_CASE("what nvdisasm adds about indirect branches is left out") {
  const Instruction one = parse_line("BRX R2 -0xb10 (*\"BRANCH_TARGETS .L_x_1,.L_x_2\"*)");
  CHECK(one.operands.size() == 2);
  CHECK(one.text == "BRX R2 -0xb10");
}

TEST_CASE("text that is no instruction is refused where it goes wrong") {
  struct Case {
    const char* text;
    std::size_t offset;
  };
  for (const Case& one : {Case{"", 0}, Case{"ffma R0, R1", 0}, Case{"@R0 EXIT", 1},
                          Case{"@P9 EXIT", 1}, Case{"FFMA R0,, R1", 8}, Case{"FFMA R0, R1,", 12},
                          Case{"FFMA R0, R300", 9}, Case{"FFMA. R0", 0}}) {
    CAPTURE(one.text);
    const auto result = parse_instruction(one.text);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().offset == one.offset);
  }
}
