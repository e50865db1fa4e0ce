// SPDX-License-Identifier: MIT
// Physics of issue: stall counts, yield, branches, pipes and queues, cycle by cycle.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

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

TEST_CASE("a pipe with an interval of two takes every second cycle") {
  const std::vector<StaticInst> row(40, on_pipe(1, 2));
  const auto at = issue_cycles(straight(row));
  CHECK(at[30] - at[10] == 40);
  CHECK(at[1] == at[0] + 2);  // its warp is not eligible a cycle earlier
}

TEST_CASE("special functions issue until two are underway, then one each interval of their pipe") {
  StaticInst slow = on_pipe(2, 8);
  slow.route = Route::special;
  slow.reads_apart = true;
  slow.read_count = 1;
  const auto at = issue_cycles(straight({slow, slow, slow, slow, slow}));
  CHECK(at[1] == at[0] + 1);
  CHECK(at[2] == at[0] + 13);
  CHECK(at[3] == at[0] + 21);
  CHECK(at[4] == at[0] + 29);
}

TEST_CASE(
    "room in the special functions' queue goes to the warp that issued less, not to the last") {
  // H200: sfu.123 with two warps a block, MUFU three times: the warp behind has issued all of its
  // own before the first one's third.
  StaticInst slow = on_pipe(2, 8);
  slow.route = Route::special;
  slow.reads_apart = true;
  slow.read_count = 1;
  const CompiledLoop loop = straight({slow, slow, slow});
  RecordIssues sink;
  Sm<GreedyThenLeastIssued, ReadPipeline, RecordIssues> sm(loop, small_arch(), {2}, 1, sink);
  SteadyStateRunner(sm, true).run_until(kNever);
  std::string order;
  for (const IssueEvent& event : sink.events) order += std::to_string(event.warp);
  CHECK(order == "110010");
}

TEST_CASE(
    "memory instructions issue until ten hold an entry of the queue, then one each register read") {
  StaticInst load = plain(1);
  load.pipe = 3;
  load.route = Route::memory;
  load.reads_apart = true;
  load.memory.address_count = 1;
  const auto at = issue_cycles(straight(std::vector<StaticInst>(14, load)));
  CHECK(at[9] == at[0] + 9);
  // the first entry ends with its read release, 8 cycles after issue; the second two cycles later,
  // and so on
  for (std::size_t i = 10; i < at.size(); ++i)
    CHECK(at[i] == std::max(at[i - 1] + 1, at[0] + 8 + 2 * static_cast<Cycle>(i - 10)));
}

TEST_CASE(
    "an entry of the memory queue lasts as long as it is held, and the next begins no sooner") {
  StaticInst load = plain(1);
  load.pipe = 3;
  load.route = Route::memory;
  load.reads_apart = true;
  load.memory.address_count = 1;
  Arch arch = small_arch();
  arch.memory.queue_entries = 5;
  arch.memory.entry_hold_cycles = 5;
  arch.memory.instruction_interval_cycles = 4;
  const auto at = issue_cycles(straight(std::vector<StaticInst>(8, load)), arch);
  // the first read is six cycles behind issue
  CHECK(at[4] == at[0] + 4);
  CHECK(at[5] == at[0] + 6 + 5);
  CHECK(at[6] == at[5] + 4);
  CHECK(at[7] == at[6] + 4);
  arch.memory.entry_hold_cycles = 0;
  CHECK(issue_cycles(straight(std::vector<StaticInst>(8, load)), arch)[5] == at[0] + 6 + 2);
}

TEST_CASE(
    "the first instruction of the line behind a branch target's is not there at c-1, and there at "
    "c") {
  StaticInst branch = plain(5);
  branch.route = Route::control;
  branch.taken_branch = true;
  for (const int cycles : {13, 20}) {
    Arch arch = small_arch();
    arch.scheduler.next_line_cycles = cycles;
    StaticInst next = plain();
    next.next_line = true;
    const auto at = issue_cycles(straight({branch, plain(), next}), arch);
    CHECK(at[1] == at[0] + 10);
    CHECK(at[2] == at[0] + cycles);
  }
}

TEST_CASE("an instruction that reads its sources twice holds the front end two cycles") {
  StaticInst wide = reads({20, 21, 22});
  wide.hold = 2;
  const auto at =
      issue_cycles(straight({wide, plain(), plain(), plain(), plain(), plain(), plain(), plain()}));
  CHECK(at.back() == at.front() + 7 + 2);
}

TEST_CASE(
    "two cycles after a pipe that closes the dispatch, another pipe's instruction waits a cycle") {
  StaticInst closing = on_pipe(1, 2);
  closing.closes_after = 2;
  const auto free = issue_cycles(straight(
      {on_pipe(1, 2), plain(), plain(), plain(), plain(), plain(), plain(), plain(), plain()}));
  const auto held = issue_cycles(
      straight({closing, plain(), plain(), plain(), plain(), plain(), plain(), plain(), plain()}));
  CHECK(held.back() == free.back() + 1);
}

TEST_CASE("two pipes that can both run an instruction take one a cycle; needing both, one in two") {
  StaticInst either = on_pipe(0, 2);
  either.second_pipe = 1;
  auto at = issue_cycles(straight(std::vector<StaticInst>(40, either)));
  CHECK(at[30] - at[10] == 20);
  either.needs_both = true;
  at = issue_cycles(straight(std::vector<StaticInst>(40, either)));
  CHECK(at[30] - at[10] == 40);
}

TEST_CASE("while the read pipeline stands still, the stall counters of all warps do") {
  // two reads of one bank in a row of instructions at stall 2 fit; three do not, and each holds the
  // front end a cycle
  const std::vector<StaticInst> two(40, reads({20, 22, 21}, 0, 2));
  const std::vector<StaticInst> three(40, reads({20, 22, 24}, 0, 2));
  const auto fits = issue_cycles(straight(two));
  const auto held = issue_cycles(straight(three));
  CHECK(fits[30] - fits[10] == 40);
  CHECK(held[30] - held[10] == 60);
}

namespace {

StaticInst sync_barrier(int stall) {
  StaticInst inst = plain(stall);
  inst.route = Route::control;
  inst.effect = ControlEffect::barrier_sync;
  return inst;
}

StaticInst arithmetic(int stall = 1) {
  StaticInst inst = plain(stall);
  inst.waits_for_sync = false;
  return inst;
}

Arch with_sync() {
  Arch arch = small_arch();
  arch.scheduler.barrier_sync_cycles = 14;
  arch.scheduler.barrier_arrival_cycles = 2;
  return arch;
}

}  // namespace

TEST_CASE("BAR.SYNC lets arithmetic go on and holds the rest from its sixth cycle on") {
  for (int stall = 1; stall < 14; ++stall) {
    const auto held = issue_cycles(straight({sync_barrier(stall), plain()}), with_sync());
    CHECK(held[1] - held[0] == (stall < 6 ? stall : 14));
    const auto free = issue_cycles(straight({sync_barrier(stall), arithmetic()}), with_sync());
    CHECK(free[1] - free[0] == stall);
  }
}

TEST_CASE("BAR.SYNC opens for all warps at once, two cycles later for each that arrives with it") {
  const auto loop = straight({sync_barrier(6), plain()});
  for (const std::size_t blocks : {1UL, 2UL, 3UL, 4UL}) {
    RecordIssues sink;
    const Arch arch = with_sync();
    Sm<GreedyThenLeastIssued, ReadPipeline, RecordIssues> sm(loop, arch,
                                                             std::vector<int>(blocks, 1), 1, sink);
    SteadyStateRunner runner(sm, true);
    runner.run_until(kNever);
    for (const IssueEvent& e : sink.events)
      if (e.step == 1) CHECK(e.issue == 14 + 2 * (static_cast<Cycle>(blocks) - 1));
  }
}
