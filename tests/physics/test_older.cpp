// SPDX-License-Identifier: MIT
// Physics of the generations before Volta: operand collector, slot reuse, active set, dual issue,
// overlapped reads, shared lanes, register scoreboard.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "block/with_policies.hpp"
#include "issue/branch_turns.hpp"
#include "support/small_machine.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

/// A Maxwell block in round numbers: four banks, two places to collect in, all warps active.
Arch collector_arch() {
  Arch arch = small_arch();
  arch.operand_read = "operand_collector";
  arch.scheduler.policy = "greedy_active_set";
  arch.scheduler.dual_issue = true;
  arch.register_file.banks = 4;
  arch.register_file.read_delay_cycles = 0;
  arch.register_file.read_window_cycles = 2;
  arch.reuse_cache.entries_per_slot = 2;
  return arch;
}

StaticInst collects(const std::vector<int>& registers, int reuse = 0, int stall = 1) {
  StaticInst inst = reads(registers, reuse, stall);
  for (auto& read : inst.reads) read.bank = read.reg % 4;
  return inst;
}

std::vector<IssueEvent> older_issues(const CompiledLoop& loop, const Arch& arch, int warps = 1,
                                     std::uint64_t iterations = 1) {
  RecordIssues sink;
  with_policies(arch, [&]<typename Scheduler, typename OperandStage>() {
    Sm<Scheduler, OperandStage, RecordIssues> sm(loop, arch, {warps}, iterations, sink);
    SteadyStateRunner runner(sm, true);
    return runner.run_until(kNever);
  });
  return sink.events;
}

std::vector<Cycle> older_cycles(const CompiledLoop& loop, const Arch& arch) {
  std::vector<Cycle> cycles;
  for (const IssueEvent& e : older_issues(loop, arch)) cycles.push_back(e.issue);
  return cycles;
}

Cycle last_issue(const CompiledLoop& loop, const Arch& arch) {
  return older_cycles(loop, arch).back();
}

const StaticInst kFree = collects({1, 2, 3});
const StaticInst kTwoWay = collects({4, 8, 1});
const StaticInst kThreeWay = collects({4, 8, 12});

}  // namespace

TEST_CASE("collector: three reads of one bank hold issue for one cycle, two for none") {
  const Arch arch = collector_arch();
  const auto behind = [&](const StaticInst& inst) {
    return last_issue(straight({plain(4), inst, plain(), plain(), plain(), plain(4)}), arch);
  };
  CHECK(behind(kTwoWay) == behind(kFree));
  CHECK(behind(kThreeWay) == behind(kFree) + 1);
}

TEST_CASE("collector: a row of equal instructions takes the reads of its busiest bank") {
  const Arch arch = collector_arch();
  const auto cycles_of_forty = [&](const StaticInst& inst) {
    const auto at = older_cycles(straight(std::vector<StaticInst>(60, inst)), arch);
    return at[50] - at[10];
  };
  CHECK(cycles_of_forty(kFree) == 40);
  CHECK(cycles_of_forty(kTwoWay) == 80);
  CHECK(cycles_of_forty(kThreeWay) == 120);
  CHECK(cycles_of_forty(collects({4, 4, 4})) == 40);  // one register is one read
}

TEST_CASE("collector: conflicts in different banks overlap, but only two at a time") {
  const Arch arch = collector_arch();
  std::vector<StaticInst> row;
  for (int i = 0; i < 60; ++i) {
    const int bank = i % 3;
    row.push_back(collects({bank, bank + 4, bank + 8}));
  }
  const auto at = older_cycles(straight(row), arch);
  CHECK(at[50] - at[10] == 60);  // 9 cycles of reads would fit into 6, three at a time into 3
}

TEST_CASE("collector: the stall counters of other warps stand still with it") {
  const Arch arch = collector_arch();
  const auto second_issue_of = [&](const StaticInst& first) {
    const auto events = older_issues(straight({first, plain()}), arch, 2);
    return std::find_if(events.begin(), events.end(),
                        [](const IssueEvent& e) { return e.warp == 0 && e.step == 1; })
        ->issue;
  };
  StaticInst free = kFree;
  StaticInst conflict = kThreeWay;
  free.stall = conflict.stall = 12;
  CHECK(second_issue_of(free) == 12);
  CHECK(second_issue_of(conflict) == 15);  // a cycle of its own, two of the other warp's behind it
}

TEST_CASE("reuse: a slot keeps two operands of a warp, and not three") {
  const Arch arch = collector_arch();
  const auto cycles = [&](int operands) {
    std::vector<StaticInst> row;
    for (int i = 0; i < 60; ++i) row.push_back(collects({4 * (i % operands), 0, 20}, 0b001));
    const auto at = older_cycles(straight(row), arch);
    return at[49] - at[13];
  };
  CHECK(cycles(1) < 2 * 36 + 2);
  CHECK(cycles(2) == cycles(1));
  CHECK(cycles(3) > cycles(1));
}

TEST_CASE("reuse: without the flag, or in another slot, nothing is kept") {
  SlotReuse cache(ReuseCacheSpec{.slots = 3, .entries_per_slot = 2});
  CHECK_FALSE(cache.access(0, 0, 8, true, 10));
  CHECK(cache.access(0, 0, 8, true, 11));
  CHECK_FALSE(cache.access(0, 1, 8, true, 12));
  CHECK_FALSE(cache.access(1, 0, 8, true, 13));
  SlotReuse plain_reads(ReuseCacheSpec{.slots = 3, .entries_per_slot = 2});
  CHECK_FALSE(plain_reads.access(0, 0, 8, false, 10));
  CHECK_FALSE(plain_reads.access(0, 0, 8, false, 11));
}

TEST_CASE("reuse: of three warps in turn one keeps its operand if there are gaps, else none does") {
  const auto hits = [](Cycle round) {
    SlotReuse cache(ReuseCacheSpec{.slots = 3, .entries_per_slot = 2});
    int n = 0;
    for (Cycle r = 0; r < 30; ++r)
      for (std::uint32_t w = 0; w < 3; ++w)
        if (cache.access(w, 0, 8, true, r * round + w)) ++n;
    return n;
  };
  CHECK(hits(3) == 0);
  CHECK(hits(4) == 29);
}

TEST_CASE("active set: at most four warps hide each other's stall counts") {
  Arch arch = collector_arch();
  const auto cycles_per_instruction = [&](int warps, int active) {
    arch.scheduler.active_warps = active;
    StaticInst branch = plain(1);
    branch.route = Route::control;
    branch.taken_branch = true;
    std::vector<StaticInst> code(100, plain(8));
    code.push_back(branch);
    const auto events = older_issues(looped(code), arch, warps, 8);
    return static_cast<double>(events.back().issue) / static_cast<double>(events.size());
  };
  CHECK(cycles_per_instruction(4, 4) == doctest::Approx(2).epsilon(0.05));
  CHECK(cycles_per_instruction(16, 4) == doctest::Approx(2).epsilon(0.05));
  CHECK(cycles_per_instruction(16, 0) == doctest::Approx(1).epsilon(0.05));
  CHECK(cycles_per_instruction(2, 4) == doctest::Approx(4).epsilon(0.05));
}

TEST_CASE("active set: warps take turns, so none is ahead by more than the set's size") {
  Arch arch = collector_arch();
  arch.scheduler.active_warps = 4;
  StaticInst branch = plain(1);
  branch.route = Route::control;
  branch.taken_branch = true;
  const auto events = older_issues(looped({plain(3), plain(3), branch}), arch, 6, 40);
  std::vector<int> done(6, 0);
  for (const IssueEvent& e : events) {
    if (e.step == 2) ++done[e.warp];
    const auto [least, most] = std::minmax_element(done.begin(), done.end());
    CHECK(*most - *least <= 4);
  }
}

TEST_CASE("active set: a warp that waits for a barrier gives its place to one that does not") {
  Arch arch = collector_arch();
  arch.scheduler.active_warps = 1;
  StaticInst load = on_pipe(0, 1, 2);
  load.route = Route::dispatch;
  load.latency = 50;
  load.write_barrier = 0;
  StaticInst user = plain();
  user.wait_mask = 1;
  const auto events = older_issues(straight({load, user}), arch, 2);
  REQUIRE(events.size() == 4);
  CHECK(events[1].warp == 1);
  CHECK(events[1].issue < 10);
}

TEST_CASE("unyielding stall counts of 12 to 15 are what the config says they are") {
  Arch arch = collector_arch();
  SchedulerSpec& spec = arch.scheduler;
  spec.unyielding_12_cycles = 16;
  spec.unyielding_12_apart_cycles = 6;
  spec.unyielding_13_cycles = 6;
  spec.unyielding_14_cycles = 8;
  spec.unyielding_15_cycles = 12;
  const auto distance = [&](int stall, bool yielding) {
    StaticInst inst = plain(stall);
    if (!yielding) inst.unyielding = static_cast<std::uint8_t>(stall);
    const auto at = older_cycles(straight({inst, plain()}), arch);
    return at[1] - at[0];
  };
  CHECK(distance(12, false) == 16);
  CHECK(distance(13, false) == 6);
  CHECK(distance(14, false) == 8);
  CHECK(distance(15, false) == 12);
  for (int stall = 12; stall <= 15; ++stall) CHECK(distance(stall, true) == stall);
  StaticInst twelve = plain(12);
  twelve.unyielding = 12;
  const auto events = older_issues(straight({twelve}), arch, 3);
  CHECK(events[1].issue == events[0].issue + 6);
  CHECK(events[2].issue == events[1].issue + 6);
}

TEST_CASE(
    "dual issue: a stall count of 0 lets the next instruction go along on another pipe only") {
  const Arch arch = collector_arch();
  StaticInst first = plain(0);
  first.dual = true;
  const auto at = [&](const StaticInst& a, const StaticInst& b) {
    return older_cycles(straight({a, b, plain()}), arch);
  };
  const StaticInst other_pipe = on_pipe(1, 2);
  CHECK(at(first, other_pipe)[1] == 0);
  CHECK(at(first, other_pipe)[2] == 1);
  CHECK(at(first, plain())[1] == 1);       // the same pipe
  CHECK(at(plain(), other_pipe)[1] == 1);  // not asked for
}

TEST_CASE("dual issue: a second instruction that has to wait issues by itself later") {
  const Arch arch = collector_arch();
  StaticInst load = on_pipe(1, 2, 2);
  load.latency = 20;
  load.write_barrier = 0;
  StaticInst first = plain(0);
  first.dual = true;
  StaticInst user = on_pipe(1, 2);
  user.wait_mask = 1;
  const auto at = older_cycles(straight({load, first, user}), arch);
  CHECK(at[1] == 2);
  CHECK(at[2] == 20);
}

TEST_CASE("overlapped reads: conflicts add up to whole cycles") {
  Arch arch = collector_arch();
  arch.operand_read = "overlapped_reads";
  arch.scheduler.policy = "greedy_then_oldest";
  arch.register_file.two_way_conflict_permille = 100;
  arch.register_file.three_way_conflict_permille = 250;
  const auto cycles_of_forty = [&](const StaticInst& inst) {
    const auto at = older_cycles(straight(std::vector<StaticInst>(60, inst)), arch);
    return at[50] - at[10];
  };
  CHECK(cycles_of_forty(kFree) == 40);
  CHECK(cycles_of_forty(kTwoWay) == 44);
  CHECK(cycles_of_forty(kThreeWay) == 50);
  CHECK(cycles_of_forty(collects({4, 4, 4})) == 40);
}

TEST_CASE(
    "shared lanes take what the own lanes have no room for, and each sixth keeps them longer") {
  Arch arch = collector_arch();
  arch.pipes[1].overflow = true;
  StaticInst inst = plain(0);
  inst.dual = true;
  inst.second_pipe = 1;
  inst.overflows = true;
  inst.second_interval = 2;
  const CompiledLoop row = straight(std::vector<StaticInst>(400, inst));
  const auto rate = [&](int extra_every) {
    arch.pipes[1].extra_cycle_every = extra_every;
    const auto at = older_cycles(row, arch);
    return 300.0 / static_cast<double>(at[350] - at[50]);
  };
  CHECK(rate(0) == doctest::Approx(1.5).epsilon(0.01));
  CHECK(rate(6) == doctest::Approx(1 + 6.0 / 13).epsilon(0.01));
}

TEST_CASE("scoreboard: readers and writers of a pending register wait, others do not") {
  Arch arch = collector_arch();
  arch.scheduler.dependencies = "scoreboard";
  StaticInst load = plain();
  load.latency = 30;
  load.write_first = 4;
  load.write_count = 2;
  load.write_barrier = register_token({4, 2});
  StaticInst writer = plain();
  writer.write_first = 5;
  writer.write_count = 1;
  const auto second = [&](const StaticInst& inst) {
    return older_cycles(straight({load, inst}), arch)[1];
  };
  CHECK(second(collects({5, 1, 2})) == 30);
  CHECK(second(writer) == 30);
  CHECK(second(collects({6, 1, 3})) == 1);
}

TEST_CASE("scoreboard: a register with two results under way waits for both") {
  RegisterScoreboard board;
  board.raise({4, 1});
  board.raise({4, 2});
  board.lower({4, 1});
  CHECK(board.pending(4));
  board.lower({4, 2});
  CHECK_FALSE(board.pending(4));
}

TEST_CASE("branches of several warps come late by each value below the spread in turn") {
  BranchTurns turns;
  turns.configure(13, 4);
  std::set<Cycle> seen;
  for (int i = 0; i < 13; ++i) seen.insert(turns.next());
  CHECK(seen.size() == 13);
  CHECK(*seen.begin() == 0);
  CHECK(*seen.rbegin() == 12);
  CHECK(turns.mean() == 6);
  turns.configure(13, 1);
  CHECK(turns.next() == 0);
  CHECK(turns.mean() == 0);
}
