// SPDX-License-Identifier: MIT
// A queue that keeps its order whatever is pushed and popped.
#include "core/ring.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <vector>

using namespace smsim;

TEST_CASE(
    "a ring gives back what was pushed, in that order, however often it goes round and grows") {
  Ring<int> ring;
  std::deque<int> expected;
  unsigned random = 1;
  for (int i = 0; i < 1000; ++i) {
    random = random * 1664525U + 1013904223U;
    const bool pops = (random >> 16) % 5 < 2 && !expected.empty();
    if (pops) {
      ring.pop_front();
      expected.pop_front();
    } else {
      ring.push_back(i);
      expected.push_back(i);
    }
    REQUIRE(ring.size() == expected.size());
    REQUIRE(ring.empty() == expected.empty());
    if (!expected.empty()) REQUIRE(ring.front() == expected.front());
  }
  std::vector<int> all;
  for (const int each : ring) all.push_back(each);
  CHECK(all == std::vector<int>(expected.begin(), expected.end()));
}
