// SPDX-License-Identifier: MIT
// Kepler and Maxwell against what has been published of them: banks, conflicts, dual issue, SGEMM.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>

#include "smsim/arch.hpp"
#include "smsim/read.hpp"
#include "smsim/simulate.hpp"

using namespace smsim;

namespace {

Result predicted(const std::string& trace, int warps) {
  const auto program = read_program(SMSIM_SOURCE_DIR "/traces/" + trace);
  REQUIRE(program.has_value());
  const auto arch = load_arch_for_sm(program->functions.front().sm);
  REQUIRE(arch.has_value());
  SimulateOptions options;
  options.warps = warps;
  // all lanes of a warp read the same A, and the same B: the fragments are broadcast
  options.lane_stride_bytes = {{96, 0}, {97, 0}};
  auto result = simulate(*program, *arch, options);
  REQUIRE_MESSAGE(result.has_value(), to_string(result ? Diagnostics{} : result.error()));
  return *result;
}

/// FFMA results a cycle and SM, with 16 warps on each scheduler.
double lanes(const std::string& loop) {
  const Result result = predicted("kepler/ffma_" + loop + ".sass", 64);
  std::uint64_t issued = 0;
  for (const InstructionRow& row : result.instructions)
    if (row.text.starts_with("FFMA")) issued += row.issued;
  return 32.0 * static_cast<double>(issued) / static_cast<double>(result.window_cycles);
}

}  // namespace

TEST_CASE("K20m: all 32 registers of the published table lie in their banks") {
  // Zhang et al., PPoPP'17, table 3
  constexpr std::array<int, 32> kBanks = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3,
                                          0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
  const auto arch = load_arch("kepler-k20m");
  REQUIRE(arch.has_value());
  for (std::size_t r = 0; r < kBanks.size(); ++r) {
    CAPTURE(r);
    CHECK(arch->register_file.bank_of[r] == kBanks[r]);
  }
}

TEST_CASE("K20m: two sources in one bank cost 2.33 % of single issue, three 17.17 %") {
  const double free = lanes("single");
  CHECK(100 * (1 - lanes("two_way") / free) == doctest::Approx(2.33).epsilon(0.5 / 2.33));
  CHECK(100 * (1 - lanes("three_way") / free) == doctest::Approx(17.17).epsilon(0.5 / 17.17));
}

TEST_CASE("K20m: dual issue reaches 186.35 of 192 lanes a cycle, single issue no more than 128") {
  CHECK(lanes("dual") == doctest::Approx(186.35).epsilon(0.01));
  CHECK(lanes("single") <= 128);
  CHECK(lanes("single") > 126);
}

TEST_CASE("Maxwell: the SGEMM loop of 64 threads takes 520 issue slots for 512 FFMA") {
  const Result result = predicted("maxwell/sgemm_64.sass", 8);
  const std::uint64_t warp_iterations = 8 * result.window_iterations;
  std::uint64_t slots = 0;
  for (const InstructionRow& row : result.instructions) {
    CAPTURE(row.text);
    slots += row.issued - row.paired;
    const bool goes_along = row.text.starts_with("LDS") || row.text.starts_with("STS") ||
                            row.text.starts_with("LDG") || row.text.starts_with("BAR") ||
                            row.text.starts_with("@P0");
    CHECK(row.issued == warp_iterations);
    CHECK(row.paired <= (goes_along ? warp_iterations : 0));
  }
  CHECK(static_cast<double>(slots) / static_cast<double>(warp_iterations) ==
        doctest::Approx(520).epsilon(0.002));
  // two warps a block hide everything else: 98.5 % of peak, as published (98 % was measured)
  CHECK(result.cycles_per_iteration == doctest::Approx(2 * 520).epsilon(0.005));
}

TEST_CASE("Maxwell: three reads of one bank at the start of each column slow the SGEMM loop down") {
  CHECK(predicted("maxwell/sgemm_64_spoiled.sass", 8).cycles_per_iteration >
        1.05 * predicted("maxwell/sgemm_64.sass", 8).cycles_per_iteration);
}
