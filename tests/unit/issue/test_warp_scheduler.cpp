// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "issue/warp_scheduler.hpp"

using namespace smsim;

TEST_CASE("greedy then youngest stays on a warp while it is eligible, then takes the highest id") {
  GreedyThenYoungest policy;
  CHECK(policy.pick(0b0111) == 0);  // it starts on warp 0
  CHECK(policy.pick(0b0110) == 2);
  CHECK(policy.pick(0b1111) == 2);
  CHECK(policy.pick(0b1011) == 3);
}

TEST_CASE("greedy then oldest stays on a warp while it is eligible, then takes the lowest id") {
  GreedyThenOldest policy;
  CHECK(policy.pick(0b1110) == 1);
  CHECK(policy.pick(0b1111) == 1);
  CHECK(policy.pick(0b1101) == 0);
}

TEST_CASE("loose round robin takes the next eligible warp and wraps") {
  LooseRoundRobin policy;
  CHECK(policy.pick(0b1011) == 0);
  CHECK(policy.pick(0b1011) == 1);
  CHECK(policy.pick(0b1011) == 3);
  CHECK(policy.pick(0b1011) == 0);
  CHECK(policy.pick(1ULL << 63) == 63);
  CHECK(policy.pick(0b0001) == 0);
}
