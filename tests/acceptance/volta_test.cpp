// SPDX-License-Identifier: MIT
// Volta, as far as it is published: colliding triples, what mapping registers gains, and two warps
// on one processing block.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

using namespace smsim::test;
using nlohmann::json;

namespace {

double cycles(const std::string& file, const std::vector<std::string>& more,
              const std::string& input = {}) {
  std::vector<std::string> words = {"predict", file, "--format", "json"};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome outcome = run_smsim(words, input);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out)["cycles_per_iteration"];
}

/// Cycles of a loop of so many FFMAs with these sources.
double loop_cycles(const std::string& sources, int count) {
  std::string text = "\t.target\tsm_70\n.L_loop:\n";
  for (int i = 0; i < count; ++i)
    text += "    [B------:R-:W-:-:S01] FFMA R" + std::to_string(100 + i) + ", " + sources + " ;\n";
  return cycles("-", {"--warps", "1"}, text + "    [B------:R-:W-:-:S05] @P0 BRA `(.L_loop) ;\n");
}

/// What one more FFMA with these sources costs in a row of them.
double cycles_each(const std::string& sources) {
  return (loop_cycles(sources, 32) - loop_cycles(sources, 16)) / 16;
}

}  // namespace

TEST_CASE("Volta: the four published triples collide, each in every FFMA") {
  for (const char* triple : {"R16, R12, R80", "R25, R13, R81", "R31, R11, R81", "R43, R15, R83"}) {
    CAPTURE(triple);
    CHECK(cycles_each(triple) == 3);
  }
}

TEST_CASE("Volta: none of them collides after the mapping, which swaps C's registers in pairs") {
  for (const char* triple : {"R17, R12, R80", "R24, R13, R81", "R30, R11, R81", "R42, R15, R83"}) {
    CAPTURE(triple);
    CHECK(cycles_each(triple) == 2);
  }
}

TEST_CASE("Volta: mapping the 8x8 tile's registers gains 15.4 % within two points") {
  const double before =
      cycles(source_file("traces/volta/sgemm_8x8_compiler.sass"), {"--warps", "4"});
  const double after =
      cycles(source_file("traces/volta/sgemm_8x8_remapped.sass"), {"--warps", "4"});
  const double gain = 100 * (before / after - 1);
  CHECK(gain > 13.4);
  CHECK(gain < 17.4);
}

TEST_CASE("Volta: two warps on one processing block and on two run as 42 to 66, within 5 %") {
  const std::string loop = source_file("traces/volta/two_warps.sass");
  const double two_blocks = cycles(loop, {"--warps", "2"});
  const double one_block = cycles(loop, {"--warps", "2", "--set", "processing_blocks=1"});
  const double ratio = two_blocks / one_block;  // of the rates, one block to two
  CHECK(ratio > 0.95 * 42 / 66);
  CHECK(ratio < 1.05 * 42 / 66);
}
