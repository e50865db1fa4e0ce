// SPDX-License-Identifier: MIT
// Awake warps: who wakes when, and what need not be looked at.

#include <doctest/doctest.h>

#include <vector>

#include "issue/awake_warps.hpp"

using namespace smsim;

namespace {

std::vector<std::size_t> listed(const WarpSet& set) {
  std::vector<std::size_t> warps;
  set.visit([&](std::size_t w) { warps.push_back(w); });
  return warps;
}

}  // namespace

TEST_CASE("a set goes from the youngest warp to the oldest, up to 64 of them") {
  CHECK(listed(WarpSet::first(3)) == std::vector<std::size_t>{2, 1, 0});
  CHECK(listed(WarpSet::first(64)).size() == 64);
  WarpSet set;
  set.add(63);
  set.add(0);
  CHECK(listed(set) == std::vector<std::size_t>{63, 0});
  set.remove(63);
  CHECK(listed(set) == std::vector<std::size_t>{0});
}

TEST_CASE("a warp is asleep in the cycle before its time, and awake from then on") {
  AwakeWarps warps(2);
  const std::vector<Cycle> wakes{10, 12};
  const auto wakes_at = [&](std::size_t w) { return wakes[w]; };
  warps.rouse(9, wakes_at);
  CHECK(warps.none());
  CHECK(warps.next() == 10);
  warps.rouse(10, wakes_at);
  CHECK(warps.has(0));
  CHECK_FALSE(warps.has(1));
  CHECK(warps.next() == 12);
  warps.rouse(12, wakes_at);
  CHECK(listed(warps.awake()) == std::vector<std::size_t>{1, 0});
  CHECK(warps.next() == kNever);
}

TEST_CASE("a frozen front end lets a warp sleep on without its being forgotten") {
  AwakeWarps warps(1);
  warps.rouse(9, [](std::size_t) { return Cycle{10}; });
  warps.rouse(10, [](std::size_t) { return Cycle{11}; });  // one cycle stood still
  CHECK(warps.none());
  CHECK(warps.next() == 11);
}

TEST_CASE("a warp that issues sleeps until its time, one that has ended for good") {
  AwakeWarps warps(2);
  warps.rouse(0, [](std::size_t) { return Cycle{0}; });
  warps.sleep(1, 5);
  CHECK(listed(warps.awake()) == std::vector<std::size_t>{0});
  CHECK(warps.next() == 5);
  warps.end(0);
  warps.rouse(5, [](std::size_t) { return Cycle{5}; });
  CHECK(listed(warps.awake()) == std::vector<std::size_t>{1});
}
