// SPDX-License-Identifier: MIT
// What the instructions of a program share, and that none of them feels it.
#include "isa/rename.hpp"
#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

const std::string kFirst = "\t\tFunction : saxpy\n";

/// The sample, and its function once more as `again`.
std::string twice() {
  const std::size_t at = kDump.find(kFirst);
  REQUIRE(at != std::string::npos);
  return kDump + with(kDump.substr(at), "saxpy", "again");
}

}  // namespace

TEST_CASE("instructions of one text keep it and its operands once, those of another their own") {
  const Program program = read(twice());
  REQUIRE(program.functions.size() == 2);
  const Instruction& one = program.functions[0].instructions[0];
  const Instruction& same = program.functions[1].instructions[0];
  CHECK(one.text == same.text);
  CHECK(one.text.view().data() == same.text.view().data());
  CHECK(one.operands.data() == same.operands.data());
  CHECK(one.operands.data() != program.functions[0].instructions[1].operands.data());
  // More than as much again is not needed for 300 MB of a dump.
  CHECK(sizeof(Instruction) <= 96);
}

TEST_CASE("a register that one instruction is given is not given to others of the same text") {
  Program program = read(twice());
  Instruction& one = program.functions[0].instructions[0];
  const Instruction& same = program.functions[1].instructions[0];
  REQUIRE(isa::rename_register(one, 0, 20));
  CHECK(one.text == "FFMA R20, R0.reuse, R11, 1.5");
  CHECK(one.operands[0].index == 20);
  CHECK(same.text == "FFMA R11, R0.reuse, R11, 1.5");
  CHECK(same.operands[0].index == 11);
}

TEST_CASE("reuse bits of an encoding are its own, though the text is met a second time") {
  const std::string other = with(twice().substr(kDump.size()), "0x040fc8", "0x000fc8");
  const Program program = read(kDump + other);
  const Instruction& reused = program.functions[0].instructions[0];
  const Instruction& plain = program.functions[1].instructions[0];
  CHECK(reused.control.reuse == 1);
  CHECK(reused.operands[1].reuse);
  CHECK(plain.control.reuse == 0);
  CHECK_FALSE(plain.operands[1].reuse);
}

TEST_CASE("a text means what it means on its own architecture, whatever was read before") {
  // IMAD.HI reads its third source as a pair from Volta on.
  const std::string line = "[B------:R-:W-:-:S04] IMAD.HI R2, R4, R6, R8 ;\n";
  const Program program =
      read(".target sm_52\nold:\n" + line + ".section .text.recent\n.target sm_80\n" + line);
  REQUIRE(program.functions.size() == 2);
  CHECK(program.functions[0].sm == 52);
  CHECK(program.functions[0].instructions[0].operands[3].registers == 1);
  CHECK(program.functions[1].sm == 80);
  CHECK(program.functions[1].instructions[0].operands[3].registers == 2);
}

TEST_CASE("of items that are shared, edited ones become a copy and the rest stay as they were") {
  SharedArray<int> one{1, 2, 3};
  const SharedArray<int> other = one;
  CHECK(one.data() == other.data());
  one.edit()[1] = 7;
  CHECK(one[1] == 7);
  CHECK(other[1] == 2);
  const int* const before = one.data();
  one.edit()[0] = 9;
  CHECK(one.data() == before);
  CHECK(SharedArray<int>().edit().empty());
}
