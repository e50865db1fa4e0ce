// SPDX-License-Identifier: MIT
// Physics of issue: stall counts, yield, branches, pipes and queues, cycle by cycle.
#include <doctest/doctest.h>

#include "support/small_machine.hpp"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("a stall count of n delays the next issue by exactly n cycles") {
  for (int n = 1; n <= 15; ++n) {
    const auto at = issue_cycles(straight({plain(n), plain()}));
    CHECK(at[1] - at[0] == n);
  }
}

TEST_CASE("a yield request keeps the same warp from the next cycle, and from no later one") {
  StaticInst yielding = plain(1);
  yielding.yield = true;
  auto at = issue_cycles(straight({yielding, plain()}));
  CHECK(at[1] - at[0] == 2);
  yielding.stall = 2;
  at = issue_cycles(straight({yielding, plain()}));
  CHECK(at[1] - at[0] == 2);
  yielding.stall = 5;
  at = issue_cycles(straight({yielding, plain()}));
  CHECK(at[1] - at[0] == 5);
}

TEST_CASE("a yielding warp's slot goes to another warp that is ready") {
  StaticInst yielding = plain(1);
  yielding.yield = true;
  const auto events = issues(straight({yielding, yielding, yielding}), small_arch(), 2);
  REQUIRE(events.size() == 6);
  for (std::size_t i = 1; i < events.size(); ++i) {
    CHECK(events[i].issue == events[i - 1].issue + 1);
    CHECK(events[i].warp != events[i - 1].warp);
  }
}

TEST_CASE("the target of a taken branch issues the branch's cost after it") {
  StaticInst branch = plain(5);
  branch.route = Route::control;
  branch.taken_branch = true;
  for (int cost : {6, 10, 13}) {
    Arch arch = small_arch();
    arch.scheduler.taken_branch_cycles = cost;
    const auto at = issue_cycles(straight({branch, plain()}), arch);
    CHECK(at[1] - at[0] == cost);
  }
}

TEST_CASE(
    "a pipe with an interval of two takes every second cycle, and holds the next instruction "
    "behind it") {
  const auto at =
      issue_cycles(straight({on_pipe(1, 2), on_pipe(1, 2), on_pipe(1, 2), plain(), plain()}));
  // the second waits a cycle in the dispatch stage, so what follows issues a cycle later than its
  // stall count asks
  CHECK(at[1] == at[0] + 1);
  CHECK(at[2] == at[0] + 3);
  CHECK(at[3] == at[0] + 5);
}

TEST_CASE("instructions enter a queue until it is full, then one each interval of its pipe") {
  StaticInst slow = on_pipe(2, 8);
  slow.route = Route::queue;
  const auto at = issue_cycles(straight({slow, slow, slow, slow, slow}));
  CHECK(at[1] == at[0] + 1);
  CHECK(at[2] == at[0] + 2);
  CHECK(at[3] == at[0] + 8);
  CHECK(at[4] == at[0] + 16);
}

TEST_CASE(
    "two pipes that can both run an instruction take two in two cycles; one that needs both takes "
    "one") {
  StaticInst either = on_pipe(0, 2);
  either.second_pipe = 1;
  auto at = issue_cycles(straight({either, either, either, either}));
  CHECK(at[3] == at[0] + 3);
  either.needs_both = true;
  at = issue_cycles(straight({either, either, either, either}));
  CHECK(at[3] == at[0] + 5);
}

TEST_CASE("while an instruction is held in dispatch, the other warps' stall counters stand still") {
  // one warp's three reads of one bank hold the front end for two cycles behind each
  const auto conflict = reads({20, 22, 24}, 0, 4);
  const auto events = issues(straight({conflict, conflict, conflict, conflict}), small_arch(), 2);
  std::vector<Cycle> first;
  for (const auto& e : events)
    if (e.warp == events.front().warp) first.push_back(e.issue);
  REQUIRE(first.size() == 4);
  CHECK(first[1] - first[0] > 4);
}
