// SPDX-License-Identifier: MIT
// Start of the warps behind a barrier: who leads, by how much, and what has been counted.
#include <doctest/doctest.h>

#include "issue/warp_start.hpp"

using namespace smsim;

namespace {

SchedulerSpec h200() {
  SchedulerSpec spec;
  spec.start_skew_cycles = 9;
  spec.start_open_cycles = 20;
  spec.start_leader_issues = 15;
  spec.start_block_cycles = {0, 0, 4, 6};
  return spec;
}

}  // namespace

TEST_CASE("the warp that comes to the barrier last goes on while the others wait for it to open") {
  const SchedulerSpec spec = h200();
  const WarpStart first(spec, true, 0, 2);
  CHECK(first.leader() == 1);
  CHECK(first.ready_at(1) == 5);
  CHECK(first.ready_at(0) == 20);
  const WarpStart last(spec, true, 3, 2);
  CHECK(last.ready_at(1) == 11);
  CHECK(last.ready_at(0) == 20);
  CHECK(last.leader_count() == 15);
}

TEST_CASE("with more than two warps the oldest leads") {
  const SchedulerSpec spec = h200();
  const WarpStart start(spec, true, 2, 4);
  CHECK(start.leader() == 0);
  CHECK(start.ready_at(0) == 9);
  CHECK(start.ready_at(3) == 20);
}

TEST_CASE("where no barrier is known the warps start a skew apart") {
  SchedulerSpec spec = h200();
  spec.start_open_cycles = 0;
  const WarpStart start(spec, true, 3, 4);
  CHECK(start.ready_at(0) == 0);
  CHECK(start.ready_at(3) == 27);
  CHECK(start.leader_count() == 0);
}
