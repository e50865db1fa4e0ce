// SPDX-License-Identifier: MIT
// The last pass: a loop's last iteration, and what its warps go on with.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "block/compile.hpp"
#include "block/issue_times.hpp"
#include "block/last_pass.hpp"
#include "smsim/read.hpp"

using namespace smsim;

namespace {

Program read(const std::string& text) {
  const auto program = read_program_text(text, "t");
  REQUIRE(program.has_value());
  return *program;
}

/// Begins a line, and its branch ends one.
Program loop_of_a_line() {
  std::string text = ".L_loop:\n";
  for (int i = 0; i < 7; ++i) text += "    [B------:R-:W-:-:S04] CS2R R2, SR_CLOCKLO ;\n";
  return read(text + "    [B------:R-:W-:-:S05] @P0 BRA `(.L_loop) ;\n");
}

Program behind(const std::string& instruction, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += instruction + "\n";
  return read(text + "    [B------:R-:W-:-:S05] EXIT ;\n");
}

const std::string kNop = "    [B------:R-:W-:-:S02] NOP ;";
const std::string kConflict = "    [B------:R-:W-:-:S01] FFMA R20, R12, R14, R16 ;";

SimulateOptions two_a_block() {
  SimulateOptions options;
  options.warps = 8;
  return options;
}

/// Cycles from the block's first issue of the last iteration to its last one.
Cycle last_iteration(const Function* behind) {
  const auto times =
      issue_times(loop_of_a_line(), *load_arch("hopper-gh100", {}), two_a_block(), 5, behind);
  REQUIRE(times.has_value());
  REQUIRE(times->instructions.size() == 8);
  Cycle first = kNever;
  Cycle last = 0;
  for (const WarpIssueTimes& warp : times->warps) {
    REQUIRE(warp.issue.size() == 8);
    if (warp.block != 0) continue;
    first = std::min(first, warp.issue.front());
    last = std::max(last, warp.issue.back());
  }
  return last - first;
}

}  // namespace

TEST_CASE(
    "the last pass is the iteration once more, its branch not taken, and the code behind it") {
  const Arch arch = *load_arch("hopper-gh100", {});
  const Program program = loop_of_a_line();
  const auto prepared = prepare(program, arch, two_a_block());
  REQUIRE(prepared.has_value());
  auto compiled = compile(program, *prepared->function, prepared->path, arch, two_a_block());
  REQUIRE(compiled.has_value());
  CompiledLoop& loop = compiled->loop;
  const std::size_t before = loop.code.size();
  CHECK(loop.prologue_end() == before);
  const Program more = behind(kNop, 3);
  REQUIRE(add_last_pass(*prepared, more.functions.front(), arch, two_a_block(), loop).has_value());
  CHECK(loop.last_pass == before);
  CHECK(loop.code.size() == before + 8 + 4);
  CHECK(loop.first() == 8);
  CHECK(loop.has_prologue());
  CHECK(loop.code[7].taken_branch);
  const StaticInst& way_out = loop.code[loop.last_pass + 7];
  CHECK_FALSE(way_out.taken_branch);
  CHECK(way_out.line_last);  // what follows begins a line
  CHECK(loop.code[loop.last_pass + 8].line_first);
  CHECK(loop.code.back().effect == ControlEffect::exit);
  CHECK(loop.step_of(3) == 3);
  CHECK(loop.step_of(loop.last_pass + 3) == 3);
  CHECK_FALSE(loop.step_of(8).has_value());  // the prologue
  CHECK_FALSE(loop.step_of(loop.last_pass + 8).has_value());
}

TEST_CASE("other warps meet what follows the loop in their last iteration") {
  const Program calm = behind(kNop, 20);
  const Program conflicts = behind(kConflict, 20);
  const Cycle alone = last_iteration(nullptr);
  CHECK(last_iteration(&calm.functions.front()) == alone);
  CHECK(last_iteration(&conflicts.functions.front()) > alone);
}
