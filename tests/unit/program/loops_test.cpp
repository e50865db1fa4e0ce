// SPDX-License-Identifier: MIT
// Which loops are found in a function.
#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("a backward branch makes a loop from its target to itself") {
  const auto loops =
      find_loops(make_function({"NOP", ".L_a:", "NOP", "NOP", "@P0 BRA `(.L_a)", "EXIT"}));
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].start == 0x10);
  CHECK(loops[0].end == 0x30);
  CHECK(loops[0].instructions == 3);
  CHECK(loops[0].innermost);
}

TEST_CASE("the self-branch behind EXIT is no loop, a conditional one is") {
  CHECK(find_loops(make_function({"NOP", "EXIT", ".L_a:", "BRA `(.L_a)", "NOP"})).empty());
  const auto spin = find_loops(make_function({".L_a:", "@P0 BRA `(.L_a)", "EXIT"}));
  REQUIRE(spin.size() == 1);
  CHECK(spin[0].instructions == 1);
}

TEST_CASE("an outer loop is not innermost, its inner loop is") {
  const auto loops = find_loops(make_function(
      {".L_a:", "NOP", ".L_b:", "NOP", "@P0 BRA `(.L_b)", "@P1 BRA `(.L_a)", "EXIT"}));
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].start == 0);
  CHECK_FALSE(loops[0].innermost);
  CHECK(loops[1].start == 0x10);
  CHECK(loops[1].innermost);
}

TEST_CASE("two branches back to one start are one loop that ends with the last") {
  const auto loops = find_loops(
      make_function({".L_a:", "NOP", "@P0 BRA `(.L_a)", "NOP", "@P1 BRA `(.L_a)", "EXIT"}));
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].end == 0x30);
}

TEST_CASE("a branch back from code put behind a loop into its middle is no loop of its own") {
  const auto loops =
      find_loops(make_function({".L_a:", "@P0 BRA `(.L_rare)", ".L_b:", "NOP", "@P1 BRA `(.L_a)",
                                "EXIT", ".L_rare:", "NOP", "BRA `(.L_b)"}));
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].start == 0);
  CHECK(loops[0].end == 0x20);
}

TEST_CASE("a call backwards is no loop") {
  CHECK(find_loops(make_function({"BRA `(.L_main)", ".L_f:", "NOP", "RET.REL.NODEC R2 `(.L_f)",
                                  ".L_main:", "CALL.REL.NOINC `(.L_f)", "EXIT"}))
            .empty());
}

TEST_CASE("loops in called code and in code that nothing leads to are found") {
  const auto loops = find_loops(make_function(
      {"CALL.REL.NOINC `(.L_f)", "EXIT", ".L_f:", "NOP", ".L_a:", "NOP", "@P0 BRA `(.L_a)",
       "RET.REL.NODEC R2 `(.L_f)", ".L_b:", "NOP", "@P0 BRA `(.L_b)", "EXIT"}));
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].start == 0x30);
  CHECK(loops[1].start == 0x60);
}

TEST_CASE("a loop that ends with an unconditional branch is one") {
  const auto loops = find_loops(
      make_function({".L_a:", "@P0 BRA `(.L_out)", "NOP", "BRA `(.L_a)", ".L_out:", "EXIT"}));
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].instructions == 3);
}
