// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

using namespace smsim::test;

namespace {

const std::string kLoop = source_file("traces/volta/sgemm_8x8_remapped.sass");

}  // namespace

TEST_CASE(
    "occupancy says for each number of warps what predict says, and where more stop helping") {
  const auto curve = run_smsim({"occupancy", kLoop, "--format", "json"});
  REQUIRE(curve.exit_code == 0);
  const auto document = nlohmann::json::parse(curve.out);
  REQUIRE(document["points"].size() == 64);
  for (const int warps : {1, 4, 9, 64}) {
    const auto alone =
        run_smsim({"predict", kLoop, "--warps", std::to_string(warps), "--format", "json"});
    CHECK(document["points"][static_cast<std::size_t>(warps - 1)]["cycles_per_iteration"] ==
          nlohmann::json::parse(alone.out)["cycles_per_iteration"]);
  }
  double best = 0;
  for (const auto& point : document["points"])
    best = std::max(best, point["warp_iterations_per_1000_cycles"].get<double>());
  const auto knee = document["knee"].get<std::size_t>();
  CHECK(document["points"][knee - 1]["warp_iterations_per_1000_cycles"] >= 0.95 * best);
  for (std::size_t w = 1; w < knee; ++w)
    CHECK(document["points"][w - 1]["warp_iterations_per_1000_cycles"] < 0.95 * best);
}

TEST_CASE("occupancy draws its curve, and marks the knee in the table") {
  const auto svg = run_smsim({"occupancy", kLoop, "--warps", "9", "--format", "svg"});
  CHECK(svg.exit_code == 0);
  CHECK(svg.out.starts_with("<svg"));
  CHECK(svg.out.find("polyline") != std::string::npos);
  const auto text = run_smsim({"occupancy", kLoop, "--warps", "9"});
  CHECK(text.exit_code == 0);
  CHECK(text.out.find("  > ") != std::string::npos);
  CHECK(text.out.find("default of --warps") == std::string::npos);
  CHECK(run_smsim({"occupancy", "/nonexistent.sass"}).exit_code == 66);
}
