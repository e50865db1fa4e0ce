// SPDX-License-Identifier: MIT
// The text report: its order, its width, its colours, and sums that a reader can check.
#include <doctest/doctest.h>

#include <random>
#include <sstream>

#include "report/layout.hpp"
#include "unit/report/sample.hpp"

using namespace smsim;
using smsim::test::sample_result;
using smsim::test::slots_of;

namespace {

std::string text_of(const Result& result, const TextOptions& options = {}) {
  std::ostringstream out;
  write_text(out, result, options);
  return out.str();
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, report::columns(line));
  }
  return widest;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the report goes from the summary to the assumptions in the promised order") {
  const std::string text = text_of(sample_result());
  std::size_t last = 0;
  for (const char* part :
       {"saxpy on hopper-gh100 (sm_90)", "Cycles per iteration", "Instructions per cycle", "Loop",
        "Warps", "Steady state", "Bottleneck", "Issue slots", "The loop", "Pipes", "Register banks",
        "Other loops", "Assumptions"}) {
    CAPTURE(part);
    const std::size_t at = text.find(part, last);
    REQUIRE(at != std::string::npos);
    last = at;
  }
}

TEST_CASE("cycles that are no integer are shown as a fraction too") {
  CHECK(contains(text_of(sample_result()), "14.33 (43/3)"));
  Result whole = sample_result();
  whole.window_cycles = 75;
  whole.window_iterations = 1;
  whole.cycles_per_iteration = 75;
  CHECK(contains(text_of(whole), "Cycles per iteration    75\n"));
}

TEST_CASE("an instruction's line has its control word in the field's notation") {
  const std::string text = text_of(sample_result());
  CHECK(contains(text, "0x0040   B------:R-:W0:Y:S02  LDG.E R4, desc[UR6][R2.64]\n"));
  CHECK(contains(text, "0x0050   B0----5:R-:W-:-:S04  FFMA R5, R4.reuse, R6, R5 "));
}

TEST_CASE("an instruction's line says how many slots went before it and why, most first") {
  CHECK(contains(text_of(sample_result()),
                 "FFMA R5, R4.reuse, R6, R5        3  stall_count 2, "
                 "long_scoreboard 1\n"));
}

TEST_CASE("issued and lost slots of the instructions add up to the cycles") {
  CHECK(contains(text_of(sample_result()), "3 issued + 11.33 lost = 14.33 cycles"));
  Result idle = sample_result();
  idle.window_cycles = 46;
  CHECK(contains(text_of(idle), "3 issued + 11.33 lost + 1 without a warp = 15.33 cycles"));
}

TEST_CASE("a reason that would print as no slots is not printed") {
  Result result = sample_result();
  result.window_iterations = 3'000'000;
  CHECK(contains(text_of(result), "FFMA R5, R4.reuse, R6, R5\n"));
}

TEST_CASE("a row that is the mean of blocks that differ says so, and where to see one of them") {
  const std::string_view hint = "A fraction is a mean of processing blocks that differ";
  Result result = sample_result();
  CHECK_FALSE(contains(text_of(result), hint));  // there is more than one iteration in the window
  result.window_iterations = 1;
  CHECK_FALSE(contains(text_of(result), hint));
  ++slots_of(result.instructions[1].slots, StallReason::stall_count);
  CHECK(contains(text_of(result), hint));
  CHECK(contains(text_of(result), "smsim timeline --block"));
}

TEST_CASE("a loop's report points to what-if, where gains are, not losses") {
  Result result = sample_result();
  CHECK(contains(text_of(result), "smsim whatif"));
  result.is_loop = false;
  CHECK_FALSE(contains(text_of(result), "smsim whatif"));
}

TEST_CASE("issue slots are sorted by their number, with their share") {
  const std::string text = text_of(sample_result());
  const std::size_t stall = text.find("wait/stall_count                      62    72.1 %  ####");
  const std::size_t selected = text.find("selected                              18    20.9 %  ##");
  const std::size_t memory = text.find("long_scoreboard                        6     7.0 %  ##");
  REQUIRE(memory != std::string::npos);
  CHECK(stall < selected);
  CHECK(selected < memory);
  CHECK_FALSE(contains(text, "membar"));
}

TEST_CASE("no line is wider than asked, whatever the names and instructions are") {
  Result result = sample_result();
  const std::string name =
      "void gemm<float, std::tuple<int, int>, " + std::string(300, 'x') + ">(int)";
  result.function = name;
  result.arch = std::string(90, 'a');
  result.instructions[0].text = "LDG.E.128.CONSTANT.STRONG.GPU " + std::string(200, 'R');
  result.instructions[1].text =
      "\u00e9\u00e9\u00e9 " + std::string(50, '\xe9') + std::string(90, 'y');
  result.instructions[2].address = 0xffffffffffffff00;
  for (auto& slots : result.instructions[2].slots) slots = 123456789012;
  result.bottleneck = std::string(250, 'b') + " and more words that follow it";
  result.assumptions.push_back(std::string(40, 'w') + " " + std::string(400, 'v'));
  result.pipes.push_back({std::string(120, 'p'), 7.5});
  result.slots[3] = ~std::uint64_t{0} / 2;
  for (const int width : {80, 100, 132}) {
    CAPTURE(width);
    CHECK(widest_line(text_of(result, {false, width})) <= static_cast<std::size_t>(width));
  }
}

TEST_CASE("a long instruction is shortened with dots, and its reasons stay") {
  Result result = sample_result();
  result.instructions[1].text = "FFMA " + std::string(90, 'R');
  const std::string text = text_of(result);
  CHECK(contains(text, "RRR...       3  stall_count 2, ...\n"));
}

TEST_CASE("colour is there only when asked for, and changes nothing else") {
  const std::string plain = text_of(sample_result());
  std::string coloured = text_of(sample_result(), {true, 100});
  CHECK_FALSE(contains(plain, "\x1b"));
  CHECK(contains(coloured, "\x1b["));
  for (std::size_t at = 0; (at = coloured.find('\x1b')) != std::string::npos;) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  CHECK(coloured == plain);
}

TEST_CASE("control characters in a name cannot reach the terminal") {
  Result result = sample_result();
  result.function = "k\x1b[2Jernel\n\r";
  CHECK(contains(text_of(result), "k?[2Jernel?? on "));
  CHECK_FALSE(contains(text_of(result), "\x1b"));
}

TEST_CASE("a pass without a loop is called so") {
  Result result = sample_result();
  result.is_loop = false;
  result.steady_state = {};
  result.window_iterations = 1;
  result.cycles_per_iteration = 43;
  const std::string text = text_of(result);
  CHECK(contains(text, "Cycles of one pass      43\n"));
  CHECK(contains(text, "The pass"));
}

TEST_CASE("a figure without a steady state is called a mean, with its spread") {
  Result result = sample_result();
  result.steady_state = {false, 0, 0, 4000, 6.5};
  result.cycles_per_iteration = 14.337;
  const std::string text = text_of(result);
  CHECK(contains(text, "none in 4000 iterations: a mean; iterations differ by up to 6.5 cycles"));
  CHECK(contains(text, "Cycles per iteration    14.34\n"));
}

TEST_CASE("a report that assumed an opcode says that it is incomplete") {
  Result result = sample_result();
  CHECK_FALSE(contains(text_of(result), "Incomplete"));
  result.incomplete = true;
  CHECK(contains(text_of(result), "Incomplete"));
}

TEST_CASE("the split of the warps over the processing blocks is named") {
  Result result = sample_result();
  result.processing_blocks = 4;
  result.warps = 6;
  CHECK(contains(text_of(result), "6: 2, 2, 1, 1 on processing blocks 0 to 3"));
  result.warps = 16;
  CHECK(contains(text_of(result), "16, 4 on each of 4 processing blocks"));
}

TEST_CASE("an empty result is written without a crash") {
  CHECK(contains(text_of(Result{}), "Issue slots"));
}

TEST_CASE("code that does not say its architecture is not given one") {
  Result result = sample_result();
  result.sm = 0;
  CHECK(contains(text_of(result), "saxpy on hopper-gh100\n"));
}
