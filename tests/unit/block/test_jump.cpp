// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "block/jump.hpp"

using namespace smsim;

namespace {

using Periods = std::vector<std::uint64_t>;

std::vector<Jump> jumps(const std::vector<Periods>& iterations) {
  std::vector<Jump> all;
  for (const Periods& each : iterations) all.push_back({1, each, {}, {}, {}});
  return all;
}

}  // namespace

TEST_CASE("periods fit as long as no warp ends in them; one that has ended does nothing") {
  CHECK(periods_before_end({1, 1}, {10, 10}, 90) == 79);
  CHECK(periods_before_end({4, 1}, {10, 10}, 90) == 19);
  CHECK(periods_before_end({0, 1}, {90, 10}, 90) == 79);
  CHECK(periods_before_end({1}, {100}, 90) == 79);  // in its second thread block
  CHECK(periods_before_end({1}, {89}, 90) == 0);
}

TEST_CASE("warps that go side by side take their iterations in the one place where they repeat") {
  CHECK(periods_for(jumps({{1, 1}}), 256) == Periods{256});
  CHECK(periods_for(jumps({{4, 4}}), 256) == Periods{64});
}

TEST_CASE("a starved warp does its iterations where the others have ended") {
  CHECK(periods_for(jumps({{2, 0}, {0, 1}}), 256) == Periods{128, 256});
  CHECK(periods_for(jumps({{2, 1}, {0, 1}}), 256) == Periods{128, 128});
}

TEST_CASE("a place after which every warp goes on to repeat elsewhere takes none") {
  CHECK(periods_for(jumps({{1, 1}, {1, 1}}), 10) == Periods{0, 10});
}

TEST_CASE("what no number of whole periods gives is not found") {
  CHECK(!periods_for(jumps({{3, 3}}), 256));          // no whole number
  CHECK(!periods_for(jumps({{1, 2}}), 256));          // one warp does too many
  CHECK(!periods_for(jumps({{1, 0}}), 256));          // one does none
  CHECK(!periods_for(jumps({{1, 2}, {0, 1}}), 256));  // one has done too many before
  CHECK(!periods_for({}, 256));
}
