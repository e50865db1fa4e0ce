// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "scoreboard/dependency_barriers.hpp"
#include "scoreboard/release_queue.hpp"

using namespace smsim;

TEST_CASE("a raised barrier is not seen at c-1 and seen at c") {
  DependencyBarriers barriers;
  barriers.raise(2, 12);
  CHECK(barriers.pending(0b100, 11) == 0);
  CHECK(barriers.pending(0b100, 12) == 0b100);
}

TEST_CASE("a barrier is a counter: it is clear when every operation has lowered it") {
  DependencyBarriers barriers;
  barriers.raise(0, 2);
  barriers.raise(0, 4);
  barriers.lower(0);
  CHECK(barriers.pending(1, 10) == 1);
  barriers.lower(0);
  CHECK(barriers.pending(1, 10) == 0);
}

TEST_CASE("an earlier raise stays visible while a later one is hidden") {
  DependencyBarriers barriers;
  barriers.raise(1, 2);
  barriers.raise(1, 8);
  CHECK(barriers.pending(0b10, 5) == 0b10);
}

TEST_CASE("a wait sees only the barriers of its mask") {
  DependencyBarriers barriers;
  barriers.raise(3, 0);
  CHECK(barriers.pending(0b000111, 5) == 0);
  CHECK(barriers.pending(0b111111, 5) == 0b001000);
}

TEST_CASE("the field's value for no barrier raises nothing") {
  DependencyBarriers barriers;
  barriers.raise(7, 0);
  CHECK(barriers.pending(0x3f, 5) == 0);
}

TEST_CASE("releases leave in the order of time, not at c-1, at c") {
  ReleaseQueue queue;
  queue.add(9, 0, 1, StallReason::short_scoreboard);
  queue.add(5, 1, 2, StallReason::long_scoreboard);
  CHECK(queue.next() == 5);
  int seen = 0;
  queue.drain(4, [&](const Release&) { ++seen; });
  CHECK(seen == 0);
  queue.drain(5, [&](const Release& r) {
    ++seen;
    CHECK(r.warp == 1);
    CHECK(r.barrier == 2);
  });
  CHECK(seen == 1);
  CHECK(queue.next() == 9);
}
