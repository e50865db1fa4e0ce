// SPDX-License-Identifier: MIT
// The curve over numbers of warps, and who is told how far it is.
#include <numeric>

#include "unit/analysis/sample.hpp"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("who waits for an occupancy curve is told of each point that is done, one at a time") {
  std::vector<std::size_t> told;
  const auto curve = occupancy(looped("[B------:R-:W-:-:S04] NOP ;\n"), hopper(), listing(1), 9,
                               [&](std::size_t done) { told.push_back(done); });
  REQUIRE(curve.has_value());
  CHECK(curve->points.size() == 9);
  std::vector<std::size_t> all(9);
  std::iota(all.begin(), all.end(), std::size_t{1});
  CHECK(told == all);
}

TEST_CASE("a warp more on each block takes no longer while slots are free") {
  const auto curve = occupancy(looped("[B------:R-:W-:-:S08] NOP ;\n"), hopper(), listing(1), 8);
  REQUIRE(curve.has_value());
  CHECK(curve->points[7].cycles_per_iteration ==
        doctest::Approx(curve->points[0].cycles_per_iteration));
  CHECK(curve->rate(8) == doctest::Approx(8 * curve->rate(1)));
}
