// SPDX-License-Identifier: MIT
// The sentence on what limits a loop, and the slots behind it.
#include <doctest/doctest.h>

#include <numeric>

#include "smsim/read.hpp"
#include "smsim/simulate.hpp"

using namespace smsim;

namespace {

Result simulated(const std::string& body, int warps) {
  const auto program = read_program_text(
      ".L_loop:\n" + body + "[B------:R-:W-:-:S05] @P0 BRA `(.L_loop) ;\n", "test");
  const auto arch = load_arch("hopper-gh100");
  REQUIRE(program.has_value());
  REQUIRE(arch.has_value());
  SimulateOptions options;
  options.warps = warps;
  const auto result = simulate(*program, *arch, options);
  REQUIRE(result.has_value());
  return *result;
}

std::string bottleneck(const std::string& body, int warps) {
  return simulated(body, warps).bottleneck;
}

/// Whether slots are lost to BAR.SYNC.
bool waits_for_others(const std::string& body) {
  const auto& slots = simulated(body, 16).slots;
  return slots[static_cast<std::size_t>(StallReason::barrier)] > 0;
}

std::string repeated(const std::string& line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("a loop that saturates the memory path is limited by it, not by the reason that shows") {
  const auto text = bottleneck(repeated("[B------:R-:W-:-:S02] LDS.128 R4, [R2] ;", 16), 16);
  CHECK_MESSAGE(text.find("load_return is busy") == 0, text);
}

TEST_CASE("a warp that waits is told for what, and before which instruction") {
  const auto text = bottleneck(
      "[B------:R-:W0:-:S02] LDS R4, [R2] ;\n"
      "[B0-----:R-:W-:-:S04] FADD R2, R4, R4 ;\n",
      1);
  CHECK_MESSAGE(text.find("short_scoreboard loses") == 0, text);
  CHECK_MESSAGE(text.find("FADD") != std::string::npos, text);
}

TEST_CASE("a block that is kept from a unit for whole periods loses its slots to that") {
  const auto result = simulated(repeated("[B------:R-:W-:-:S01] S2R R4, SR_TID.X ;", 16), 4);
  CHECK_FALSE(result.steady_state.periodic);
  CHECK(std::accumulate(result.slots.begin(), result.slots.end(), std::uint64_t{0}) ==
        4 * result.window_cycles);
}

TEST_CASE("a BAR.SYNC whose guard is never true holds no warp") {
  const std::string work = repeated("[B------:R-:W-:-:S04] FFMA R4, R5, R6, R7 ;", 8);
  CHECK(waits_for_others(work + "[B------:R-:W-:-:S05] BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"));
  CHECK_FALSE(
      waits_for_others(work + "[B------:R-:W-:-:S05] @!PT BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"));
}
