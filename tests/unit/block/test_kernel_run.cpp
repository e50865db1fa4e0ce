// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "block/kernel_run.hpp"
#include "smsim/read.hpp"

using namespace smsim;

namespace {

Program loop_of(const std::string& controls, int instructions) {
  std::string text = ".L_loop:\n";
  for (int i = 0; i < instructions; ++i) text += "    [" + controls + "] FFMA R1, R2, R3, R5 ;\n";
  auto program =
      read_program_text(text + "    [B------:R-:W-:-:S05] @P0 BRA `(.L_loop) ;\n", "loop");
  REQUIRE(program.has_value());
  return std::move(*program);
}

double cycles_of(const std::string& controls, const KernelLaunch& launch, int warps = 48) {
  SimulateOptions options;
  options.warps = warps;
  const auto cycles =
      kernel_cycles(loop_of(controls, 40), *load_arch("ampere-ga102", {}), options, launch);
  REQUIRE(cycles.has_value());
  return *cycles;
}

}  // namespace

TEST_CASE("a kernel without stalls takes what its reads take, however many thread blocks it has") {
  // Two operands of 40 in bank 1, 12 warps; the branch's slot is hidden behind them.
  for (const int blocks : {12, 60})
    CHECK(cycles_of("B------:R-:W-:-:S01", {blocks, 100}) == doctest::Approx(960).epsilon(0.02));
}

TEST_CASE("warps that a greedy scheduler starved are alone at the end, less so among many") {
  const double once = cycles_of("B------:R-:W-:-:S10", {12, 100});
  const double often = cycles_of("B------:R-:W-:-:S10", {60, 100});
  CHECK(once > 1150);
  CHECK(often < 1020);
}

TEST_CASE("thread blocks that all find room are one round") {
  CHECK(cycles_of("B------:R-:W-:-:S01", {1, 100}, 4) ==
        doctest::Approx(cycles_of("B------:R-:W-:-:S01", {1, 50}, 4)).epsilon(0.02));
}

TEST_CASE("stall counts of 12 and 13 without a yield request are 1, of 14 and 15 they are 2") {
  const auto cycles = [](const char* stall) {
    return cycles_of(std::string("B------:R-:W-:-:S") + stall, {1, 100}, 4);
  };
  CHECK(cycles("12") == cycles("01"));
  CHECK(cycles("13") == cycles("01"));
  CHECK(cycles("14") == cycles("02"));
  CHECK(cycles("15") == cycles("02"));
}
