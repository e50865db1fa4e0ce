// SPDX-License-Identifier: MIT
// Every function of every compiled dump is predicted, and every issue slot of it is accounted for.
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "smsim/arch.hpp"
#include "smsim/read.hpp"
#include "smsim/simulate.hpp"
#include "support/sample.hpp"

using namespace smsim;

namespace {

constexpr std::size_t kFunctions = 34;
constexpr std::size_t kOlderFunctions = 32;  // what needs Volta or Pascal is missing
constexpr auto kSelected = static_cast<std::size_t>(StallReason::selected);

std::uint64_t sum(const Slots& slots) {
  return std::accumulate(slots.begin(), slots.end(), std::uint64_t{0});
}

/// Every cycle of every processing block is issued or lost to one reason, in total and by row.
void check_slots(const Result& result) {
  const auto blocks = static_cast<std::uint64_t>(result.processing_blocks);
  CHECK(sum(result.slots) == result.window_cycles * blocks);
  Slots of_rows{};
  for (const InstructionRow& row : result.instructions) {
    CHECK(row.slots[kSelected] + row.paired == row.issued);
    for (std::size_t r = 0; r < kStallReasonCount; ++r) of_rows[r] += row.slots[r];
  }
  of_rows[static_cast<std::size_t>(StallReason::no_warp)] =
      result.slots[static_cast<std::size_t>(StallReason::no_warp)];
  CHECK(of_rows == result.slots);
}

/// In a window of whole periods each warp issues each instruction once an iteration.
void check_issues(const Result& result, const Arch& arch) {
  CHECK(result.window_cycles > 0);
  CHECK(result.cycles_per_iteration > 0);
  if (!result.steady_state.periodic) return;
  const SteadyState& steady = result.steady_state;
  CHECK(result.cycles_per_iteration ==
        doctest::Approx(static_cast<double>(steady.period_cycles) /
                        static_cast<double>(steady.period_iterations)));
  const bool alike =
      arch.scheduler.start_block_cycles.empty() && result.warps % result.processing_blocks == 0;
  if (result.warps > result.processing_blocks && !alike)
    return;  // blocks with fewer warps, or that start later, have other periods
  const auto expected = result.window_iterations * static_cast<std::uint64_t>(result.warps);
  for (const InstructionRow& row : result.instructions) {
    CAPTURE(row.text);
    CHECK(row.issued == expected);
  }
}

void check_function(const Program& program, const Arch& arch, const Function& function, int warps) {
  CAPTURE(function.name);
  CAPTURE(warps);
  SimulateOptions options;
  options.function = function.name;
  options.warps = warps;
#ifdef __SANITIZE_ADDRESS__
  options.max_iterations =
      40;  // sanitizers are slow, and the property holds however long the run is
#endif
  const auto result = simulate(program, arch, options);
  REQUIRE_MESSAGE(result.has_value(), to_string(result ? Diagnostics{} : result.error()));
  CHECK(result->function == function.name);
  CHECK(result->is_loop);
  CHECK_FALSE(result->incomplete);
  check_slots(*result);
  check_issues(*result, arch);
}

void check_dump(const std::string& path, std::size_t functions = kFunctions,
                const std::vector<int>& warp_counts = {1, 4, 16}) {
  const auto program = read_program(SMSIM_SOURCE_DIR "/traces/" + path);
  REQUIRE(program.has_value());
  CHECK(program->functions.size() == functions);
  const auto arch = load_arch_for_sm(program->functions.front().sm);
  REQUIRE(arch.has_value());
  for (std::size_t i = 0; i < program->functions.size(); ++i) {
    if (!test::is_sampled(i)) continue;
    for (const int warps : warp_counts)
      check_function(*program, *arch, program->functions[i], warps);
  }
}

}  // namespace

TEST_CASE("each sm_70 function is predicted at 1, 4 and 16 warps, each slot accounted for") {
  check_dump("volta/kernels.sm_70.cuobjdump.sass.gz");
}

TEST_CASE("each sm_72 function is predicted at 1, 4 and 16 warps, each slot accounted for") {
  check_dump("volta/kernels.sm_72.cuobjdump.sass.gz");
}

TEST_CASE("each sm_75 function is predicted at 1, 4 and 16 warps, each slot accounted for") {
  check_dump("turing/kernels.sm_75.cuobjdump.sass.gz");
}

TEST_CASE("each sm_80 function is predicted at 1, 4 and 16 warps, each slot accounted for") {
  check_dump("ampere/kernels.sm_80.cuobjdump.sass.gz");
}

TEST_CASE("each sm_86 function is predicted at 1, 4 and 16 warps, each slot accounted for") {
  check_dump("ampere/kernels.sm_86.cuobjdump.sass.gz");
}

TEST_CASE("each sm_89 function is predicted at 1, 4 and 16 warps, each slot accounted for") {
  check_dump("ada/kernels.sm_89.cuobjdump.sass.gz");
}

TEST_CASE("each sm_90 function is predicted at 1, 4 and 16 warps, each slot accounted for") {
  check_dump("hopper/kernels.sm_90.cuobjdump.sass.gz");
}

TEST_CASE("each sm_100 function is predicted at 1, 4 and 16 warps, each slot accounted for") {
  check_dump("blackwell/kernels.sm_100.cuobjdump.sass.gz");
}

TEST_CASE("each sm_120 function is predicted at 1, 4 and 16 warps, each slot accounted for") {
  check_dump("blackwell/kernels.sm_120.cuobjdump.sass.gz");
}

TEST_CASE("each sm_35 function is predicted at 1, 4, 16 and 64 warps, each slot accounted for") {
  check_dump("kepler/kernels.sm_35.cuobjdump.sass.gz", kOlderFunctions, {1, 4, 16, 64});
}

TEST_CASE("each sm_37 function is predicted at 1, 4, 16 and 64 warps, each slot accounted for") {
  check_dump("kepler/kernels.sm_37.cuobjdump.sass.gz", kOlderFunctions, {1, 4, 16, 64});
}

TEST_CASE("each sm_50 function is predicted at 1, 4, 16 and 64 warps, each slot accounted for") {
  check_dump("maxwell/kernels.sm_50.cuobjdump.sass.gz", kOlderFunctions, {1, 4, 16, 64});
}

TEST_CASE("each sm_52 function is predicted at 1, 4, 16 and 64 warps, each slot accounted for") {
  check_dump("maxwell/kernels.sm_52.cuobjdump.sass.gz", kOlderFunctions, {1, 4, 16, 64});
}

TEST_CASE("each sm_60 function is predicted at 1, 4, 16 and 64 warps, each slot accounted for") {
  check_dump("pascal/kernels.sm_60.cuobjdump.sass.gz", kOlderFunctions + 1, {1, 4, 16, 64});
}

TEST_CASE("each sm_61 function is predicted at 1, 4, 16 and 64 warps, each slot accounted for") {
  check_dump("pascal/kernels.sm_61.cuobjdump.sass.gz", kOlderFunctions + 1, {1, 4, 16, 64});
}
