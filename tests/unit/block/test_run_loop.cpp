// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <numeric>
#include <random>

#include "block/checkpoints.hpp"
#include "block/count_history.hpp"
#include "block/finite_run.hpp"
#include "support/sample.hpp"
#include "support/small_machine.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

StaticInst branch() {
  StaticInst inst = plain(5);
  inst.route = Route::control;
  inst.taken_branch = true;
  return inst;
}

StaticInst memory(int write_barrier) {
  StaticInst inst = plain(2);
  inst.pipe = 3;
  inst.route = Route::memory;
  inst.reads_apart = true;
  inst.memory.address_count = 1;
  inst.memory.returns = true;
  inst.write_first = 40;
  inst.write_count = 1;
  inst.latency = 23;
  inst.read_release = 9;
  inst.write_barrier = static_cast<std::uint8_t>(write_barrier);
  return inst;
}

/// S2R: no register is read for it.
StaticInst special_register(int write_barrier) {
  StaticInst inst = memory(write_barrier);
  inst.stall = 1;
  inst.memory.address_count = 0;
  inst.memory.wavefronts = 0;
  return inst;
}

/// A random legal loop over all routes.
CompiledLoop random_loop(std::mt19937& rng, bool with_memory) {
  auto pick = [&](int n) { return static_cast<int>(rng() % static_cast<unsigned>(n)); };
  std::vector<StaticInst> code;
  const int length = 4 + pick(30);
  for (int i = 0; i < length; ++i) {
    StaticInst inst = reads({20 + pick(8), 20 + pick(8), 20 + pick(8)}, pick(8), 1 + pick(6));
    const int kind = pick(with_memory ? 5 : 4);
    if (kind == 1) inst.pipe = 1, inst.interval = 2;
    if (kind == 2) inst.yield = true;
    if (kind == 3) {
      inst = on_pipe(2, 8, 1 + pick(3));
      inst.route = Route::special;
      inst.write_barrier = 1;
      inst.latency = 20;
    }
    if (kind == 4) inst = pick(3) == 0 ? special_register(pick(2)) : memory(pick(2));
    if (pick(4) == 0) inst.wait_mask = static_cast<std::uint8_t>(pick(4));
    code.push_back(inst);
  }
  code.push_back(branch());
  return looped(code);
}

/// Warps of one processing block, or of two.
const std::vector<std::vector<int>> kOnBlocks{{1}, {4, 3}, {5}};

/// So many random loops, every second one with memory, each with all of these warps.
template <typename Warps, typename Check>
void on_random_loops(unsigned seed, std::size_t count, const std::vector<Warps>& all_warps,
                     Check check) {
  std::mt19937 rng(seed);
  for (std::size_t i = 0; i < sampled(count); ++i) {
    const CompiledLoop loop = random_loop(rng, i % 2 == 0);
    for (const Warps& warps : all_warps) check(loop, warps);
  }
}

std::uint64_t all_slots(const RunOutcome& out) {
  std::uint64_t sum = out.idle_slots;
  for (const auto& row : out.rows) sum = std::accumulate(row.begin(), row.end(), sum);
  return sum;
}

/// Both end in the same cycle, and have counted the same `behind` cycles later.
template <typename Run>
void check_same(Run& run, Run& other, const Arch& arch, Cycle behind = 0,
                std::uint64_t copies = 1) {
  REQUIRE(run.end() == other.end());
  Counts a(arch);
  Counts b(arch);
  run.add_counts_until(run.end() + behind, copies, a);
  other.add_counts_until(other.end() + behind, copies, b);
  CHECK(a.rows == b.rows);
  CHECK(a.idle_slots == b.idle_slots);
  CHECK(a.pipe_busy == b.pipe_busy);
  CHECK(a.bank_reads == b.bank_reads);
}

}  // namespace

TEST_CASE("a lone warp's loop takes the sum of its stall counts and the branch's cost") {
  const auto out = run_loop(looped({plain(3), plain(7), branch()}), small_arch(), {1, 1000, true});
  CHECK(out.steady.periodic);
  CHECK(out.cycles_per_iteration == doctest::Approx(3 + 7 + 10));
}

TEST_CASE(
    "slots sum to cycles times blocks with a warp, and each instruction is issued once an "
    "iteration") {
  on_random_loops(1, 60, std::vector{1, 4, 6, 16}, [&](const CompiledLoop& loop, int warps) {
    const auto out = run_loop(loop, small_arch(), {warps, 100, true});
    REQUIRE(out.stuck_instruction == -1);
    const auto cycles = static_cast<std::uint64_t>(out.window_end - out.window_begin);
    CHECK(all_slots(out) == cycles * static_cast<std::uint64_t>(out.blocks_with_warps));
    if (!out.steady.periodic || warps % 4 != 0) return;
    for (const auto& row : out.rows)
      CHECK(row[0] == out.window_iterations * static_cast<std::uint64_t>(warps));
  });
}

TEST_CASE("jumping over idle cycles gives what ticking through them gives") {
  on_random_loops(2, 60, std::vector{1, 3, 8}, [&](const CompiledLoop& loop, int warps) {
    const auto jump = run_loop(loop, small_arch(), {warps, 100, true});
    const auto tick = run_loop(loop, small_arch(), {warps, 100, false});
    CHECK(jump.cycles_per_iteration == tick.cycles_per_iteration);
    CHECK(jump.window_begin == tick.window_begin);
    CHECK(jump.window_end == tick.window_end);
    CHECK(jump.rows == tick.rows);
    CHECK(jump.idle_slots == tick.idle_slots);
  });
}

TEST_CASE("a run that jumps over whole periods ends and counts as one that does not") {
  using Machine = Sm<GreedyThenLeastIssued, ReadPipeline, NoEvents>;
  int uneven = 0;
  const Arch arch = small_arch();
  on_random_loops(4, 60, kOnBlocks, [&](const CompiledLoop& loop, const std::vector<int>& warps) {
    FiniteRun<Machine> jump(loop, arch, warps, 90, true);
    FiniteRun<Machine> plain(loop, arch, warps, 90, false);
    check_same(jump, plain, arch, 7, 3);
    for (std::size_t w = 0; w < jump.sm().blocks()[0].warps().size(); ++w) {
      const Cycle at = plain.finished_at(plain.sm().blocks()[0].warps()[w]);
      CHECK(jump.finished_at(jump.sm().blocks()[0].warps()[w]) == at);
      if (at + 1 < plain.end()) ++uneven;
    }
  });
  CHECK(uneven > 0);
}

TEST_CASE(
    "a run made longer ends and counts as the longer one, however its warps starve each other") {
  using Machine = Sm<ByAge, ReadPipeline, NoEvents>;
  int made_longer = 0;
  int uneven = 0;
  Arch arch = small_arch();
  arch.scheduler.policy = "greedy_then_youngest";
  on_random_loops(7, 60, kOnBlocks, [&](const CompiledLoop& loop, const std::vector<int>& warps) {
    FiniteRun<Machine> run(loop, arch, warps, 18, true);
    if (!run.extend(72)) return;
    FiniteRun<Machine> plain(loop, arch, warps, 90, false);
    check_same(run, plain, arch, 7, 3);
    for (std::size_t w = 0; w < run.sm().blocks()[0].warps().size(); ++w) {
      const Cycle at = plain.finished_at(plain.sm().blocks()[0].warps()[w]);
      CHECK(run.finished_at(run.sm().blocks()[0].warps()[w]) == at);
      if (at + 100 < plain.end()) ++uneven;
    }
    ++made_longer;
  });
  CHECK(made_longer > 0);
  CHECK(uneven > 0);
}

TEST_CASE("a run that goes on from a search's checkpoint ends and counts as one from the start") {
  using Machine = Sm<GreedyThenLeastIssued, ReadPipeline, NoEvents>;
  int compared = 0;
  const Arch arch = small_arch();
  on_random_loops(5, 40, kOnBlocks, [&](const CompiledLoop& loop, const std::vector<int>& warps) {
    NoEvents none;
    Machine sm(loop, arch, warps, 1'000'000, none);
    SteadyStateRunner runner(sm, true);
    Checkpoints<Machine> checkpoints({6, 40});
    for (int n = 0; n < 100 && runner.run_iteration(); ++n) checkpoints.look(runner);
    for (const std::uint64_t limit : {6, 40}) {
      const auto* from = checkpoints.before(limit);
      if (from == nullptr) continue;
      CHECK(from->runner.most_iterations() < limit);
      FiniteRun<Machine> on(*from, limit, arch, true);
      FiniteRun<Machine> anew(loop, arch, warps, limit, true);
      check_same(on, anew, arch);
      ++compared;
    }
  });
  CHECK(compared > 0);
}

TEST_CASE("a run that goes on from a repeat that was found ends and counts as one from the start") {
  using Machine = Sm<GreedyThenLeastIssued, ReadPipeline, NoEvents>;
  int known = 0;
  const Arch arch = small_arch();
  on_random_loops(6, 40, kOnBlocks, [&](const CompiledLoop& loop, const std::vector<int>& warps) {
    NoEvents none;
    Machine sm(loop, arch, warps, 1'000'000, none);
    SteadyStateRunner runner(sm, true);
    CountHistory<Machine> history(arch);
    const auto repeat = runner.find(40, [&] { history.look(sm, runner.now()); });
    if (!repeat.found) return;
    Counts seen(arch);
    if (history.add_since(repeat.look, sm, runner.now(), 1, seen)) {
      ++known;
      Counts again(arch);
      Machine copy(sm);
      SteadyStateRunner<Machine> on(copy, runner);
      again.add_machine(copy, std::uint64_t{0} - 1);
      on.run_until(repeat.end + (repeat.end - repeat.begin));
      again.add_machine(copy, 1);
      CHECK(seen.rows == again.rows);
      CHECK(seen.pipe_busy == again.pipe_busy);
      CHECK(seen.bank_reads == again.bank_reads);
    }
    const FiniteRun<Machine>::Found found{repeat, history};
    FiniteRun<Machine> on(Moment<Machine>(runner), 90, arch, true, &found);
    FiniteRun<Machine> anew(loop, arch, warps, 90, false);
    check_same(on, anew, arch);
  });
  CHECK(known > 0);
}

TEST_CASE(
    "one pass ends with the last issue, and blocks that are done lose their slots to having no "
    "warp") {
  StaticInst exit = plain(5);
  exit.route = Route::control;
  exit.effect = ControlEffect::exit;
  const auto out = run_loop(straight({plain(4), exit}), small_arch(), {1, 1000, true});
  CHECK_FALSE(out.steady.periodic);
  CHECK(out.cycles_per_iteration == doctest::Approx(5));
  CHECK(all_slots(out) == 5);
}

TEST_CASE("a warp that waits for ever is named by its instruction instead of hanging") {
  // a memory queue without entries stands in for a unit that never answers
  Arch arch = small_arch();
  arch.memory.queue_entries = 0;
  const auto out = run_loop(straight({plain(1), memory(0)}), arch, {1, 1000, true});
  CHECK(out.stuck_instruction == 1);
}

TEST_CASE("a synchronised loop keeps its warps together") {
  StaticInst sync = plain(5);
  sync.route = Route::control;
  sync.effect = ControlEffect::barrier_sync;
  const auto one =
      run_loop(looped({plain(1), sync, plain(1), branch()}), small_arch(), {1, 1000, true});
  const auto all =
      run_loop(looped({plain(1), sync, plain(1), branch()}), small_arch(), {8, 1000, true});
  CHECK(one.steady.periodic);
  CHECK(all.steady.periodic);
  CHECK(one.cycles_per_iteration >= 10 + small_arch().scheduler.barrier_sync_cycles);
  CHECK(all.cycles_per_iteration >= one.cycles_per_iteration);
}

TEST_CASE("blocks that share nothing run apart: five warps take as long as two on one block") {
  std::mt19937 rng(3);
  int compared = 0;
  for (int i = 0; i < 50; ++i) {
    const auto loop = random_loop(rng, false);
    Arch single = small_arch();
    single.processing_blocks = 1;
    const auto five = run_loop(loop, small_arch(), {5, 500, true});
    const auto two = run_loop(loop, single, {2, 500, true});
    if (!five.steady.periodic || !two.steady.periodic) continue;
    CHECK(five.cycles_per_iteration == doctest::Approx(two.cycles_per_iteration));
    ++compared;
  }
  CHECK(compared > 25);
}
