// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>

#include "issue/front_end_clock.hpp"
#include "issue/warp_scheduler.hpp"

using namespace smsim;

namespace {

/// Picks among the warps whose bit is set.
template <typename Policy>
int pick(Policy& policy, std::uint32_t mask) {
  return policy.pick(4, [mask](int w) { return ((mask >> w) & 1U) != 0; });
}

}  // namespace

TEST_CASE("greedy then youngest stays on a warp while it is eligible, then takes the highest id") {
  GreedyThenYoungest policy;
  CHECK(pick(policy, 0b0111) == 2);
  CHECK(pick(policy, 0b1111) == 2);
  CHECK(pick(policy, 0b1011) == 3);
  CHECK(pick(policy, 0b0001) == 0);
  CHECK(pick(policy, 0b0000) == -1);
  CHECK(pick(policy, 0b1111) == 0);  // the last stays the last over a cycle without an issue
}

TEST_CASE("greedy then oldest stays on a warp while it is eligible, then takes the lowest id") {
  GreedyThenOldest policy;
  CHECK(pick(policy, 0b1110) == 1);
  CHECK(pick(policy, 0b1111) == 1);
  CHECK(pick(policy, 0b1101) == 0);
}

TEST_CASE("loose round robin takes the next eligible warp and wraps") {
  LooseRoundRobin policy;
  CHECK(pick(policy, 0b1011) == 0);
  CHECK(pick(policy, 0b1011) == 1);
  CHECK(pick(policy, 0b1011) == 3);
  CHECK(pick(policy, 0b1011) == 0);
  CHECK(pick(policy, 0b0000) == -1);
}

TEST_CASE("a greedy policy does not ask the others while its warp is eligible") {
  GreedyThenYoungest policy;
  int asked = 0;
  policy.pick(4, [&](int) { return ++asked > 0; });
  policy.pick(4, [&](int) { return ++asked > 0; });
  CHECK(asked == 2);
}

TEST_CASE(
    "greedy then round robin goes on behind the last warp, and after a yield asks the others "
    "first") {
  GreedyThenRoundRobin policy;
  CHECK(pick(policy, 0b1111) == 0);
  CHECK(pick(policy, 0b1111) == 0);
  CHECK(pick(policy, 0b1100) == 2);
  CHECK(pick(policy, 0b0011) == 0);
  policy.issued(true);
  CHECK(pick(policy, 0b1001) == 3);
  policy.issued(true);
  CHECK(pick(policy, 0b1000) == 3);
}

TEST_CASE("the front end's clock stands still in a frozen cycle and goes on behind it") {
  FrontEndClock clock;
  CHECK(clock.at(2) == 2);
  clock.freeze();
  CHECK(clock.at(3) == 2);
  CHECK(clock.real(2) == 3);
}
