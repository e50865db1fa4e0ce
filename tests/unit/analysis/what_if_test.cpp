// SPDX-License-Identifier: MIT
// Variants: each takes its limit away and leaves the others.
#include <cmath>

#include "unit/analysis/sample.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

std::string repeated(const std::string& line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line + "\n";
  return text;
}

WhatIf ask(const std::string& body, int warps = 1) {
  auto answer = what_if(looped(body), hopper(), listing(warps));
  REQUIRE_MESSAGE(answer.has_value(), (answer ? "" : to_string(answer.error())));
  return *answer;
}

WhatIf ask_file(const char* file, const char* device, int warps) {
  const auto arch = load_arch(device);
  const auto program = read_program(source_file(file));
  REQUIRE(arch.has_value());
  REQUIRE(program.has_value());
  SimulateOptions options;
  options.warps = warps;
  const auto answer = what_if(*program, *arch, options);
  REQUIRE_MESSAGE(answer.has_value(), (answer ? "" : to_string(answer.error())));
  return *answer;
}

const VariantRow* variant(const WhatIf& answer, const std::string& name) {
  for (const VariantRow& row : answer.variants)
    if (row.name == name) return &row;
  return nullptr;
}

double without(const WhatIf& answer, const std::string& name) {
  const VariantRow* row = variant(answer, name);
  REQUIRE_MESSAGE(row != nullptr, name);
  REQUIRE_MESSAGE(row->result.has_value(), row->error);
  return row->cycles;
}

}  // namespace

TEST_CASE("without bank conflicts a conflicting loop takes its issue slots") {
  const auto answer = ask(repeated("[B------:R-:W-:-:S01] FFMA R1, R2, R4, R6 ;", 30));
  CHECK(answer.base.cycles_per_iteration > 90);
  CHECK(without(answer, "no_bank_conflicts") == doctest::Approx(30 + 10));
  CHECK(without(answer, "all_reused") < 60);
  CHECK(without(answer, "no_reuse") == doctest::Approx(answer.base.cycles_per_iteration));
}

TEST_CASE("a pipe of twice the rate halves a loop that it limits") {
  const auto answer =
      ask(repeated("[B------:R-:W-:-:S01] LOP3.LUT R1, R2, R3, RZ, 0xc0, !PT ;", 60), 8);
  CHECK(answer.base.cycles_per_iteration >= 240);
  CHECK(without(answer, "twice/alu") < 150);
  CHECK(variant(answer, "twice/fma_heavy") == nullptr);  // which it does not use
}

TEST_CASE("without latency a warp does not wait for its loads") {
  const auto answer =
      ask("[B------:R-:W0:-:S02] LDS R4, [R6] ;\n"
          "[B0-----:R-:W-:-:S04] FADD R6, R4, R4 ;");
  CHECK(answer.base.cycles_per_iteration == doctest::Approx(23 + 4 + 10));
  CHECK(without(answer, "no_latency") == doctest::Approx(2 + 4 + 10));
}

TEST_CASE("stall counts, yields and the branch can be ignored, each alone") {
  const auto answer =
      ask(repeated("[B------:R-:W-:Y:S01] NOP ;", 5) + repeated("[B------:R-:W-:-:S07] NOP ;", 5));
  const double base = answer.base.cycles_per_iteration;
  CHECK(base == doctest::Approx(5 * 2 + 5 * 7 + 10));
  CHECK(without(answer, "no_yield") == doctest::Approx(base - 5));
  CHECK(without(answer, "no_stall_counts") == doctest::Approx(base - 30));
  CHECK(without(answer, "no_branch_delay") == doctest::Approx(base - 5));  // its stall count stays
}

TEST_CASE(
    "without stall counts a barrier is still seen by the instruction right behind its setter") {
  const auto answer =
      ask("[B------:R-:W0:-:S08] LDS R4, [R6] ;\n"
          "[B0-----:R-:W-:-:S04] FADD R6, R4, R4 ;");
  // one cycle after the load the FADD would find the barrier clear, and not wait at all
  CHECK(without(answer, "no_stall_counts") >= 23 + 1 + 10);
}

TEST_CASE("dual issue can be taken away from those that have it") {
  const WhatIf answer = ask_file("traces/lessons/dual_maxwell.sass", "maxwell-gm107", 4);
  REQUIRE(variant(answer, "no_dual_issue") != nullptr);
  CHECK(without(answer, "no_dual_issue") > answer.base.cycles_per_iteration);
  CHECK(variant(ask("[B------:R-:W-:-:S04] NOP ;"), "no_dual_issue") == nullptr);
}

TEST_CASE("a pipe that takes what does not fit another is doubled with that") {
  const WhatIf answer = ask_file("traces/kepler/ffma_dual.sass", "kepler-k20m", 32);
  CHECK(without(answer, "twice/core+shared_core") < 0.9 * answer.base.cycles_per_iteration);
}

TEST_CASE("Kepler's results can be there at once") {
  const auto program = read_program(source_file("traces/kepler/kernels.sm_35.cuobjdump.sass.gz"));
  const auto arch = load_arch("kepler-k20m");
  REQUIRE(program.has_value());
  REQUIRE(arch.has_value());
  SimulateOptions options;
  options.function = "sgemm_smem";
  options.warps = 4;
  const auto answer = what_if(*program, *arch, options);
  REQUIRE(answer.has_value());
  CHECK(without(*answer, "no_latency") < answer->base.cycles_per_iteration);
  CHECK(without(*answer, "no_dual_issue") > answer->base.cycles_per_iteration);
}

TEST_CASE("twice the warps are compared for the same work") {
  const auto answer = ask(repeated("[B------:R-:W-:-:S04] NOP ;", 20));
  // two warps on two blocks take as long as one
  CHECK(without(answer, "twice_the_warps") ==
        doctest::Approx(answer.base.cycles_per_iteration / 2));
  CHECK(variant(ask("[B------:R-:W-:-:S04] NOP ;", 64), "twice_the_warps") == nullptr);
}

TEST_CASE("a variant that cannot run says why, and the others stand") {
  const auto program = looped("[B------:R-:W-:-:S04] FADD R1, R2, R3 ;");
  Arch small = hopper();
  small.max_warps = 2;
  small.name = "small";
  const auto answer =
      compare_variants(program, hopper(), {{"small", small}, {"same", hopper()}}, listing(4));
  REQUIRE(answer.has_value());
  CHECK_FALSE(answer->variants[0].result.has_value());
  CHECK(answer->variants[0].error.find("4 warps") != std::string::npos);
  CHECK(answer->variants[1].cycles == doctest::Approx(answer->base.cycles_per_iteration));
}
