// SPDX-License-Identifier: MIT
// Simulated warp instructions a second: one SM, from the first cycle to the last, with and without
// the record of every issue. As in a prediction, blocks that share nothing and hold equally many
// warps are run once and count as often as there are such blocks.

#include <benchmark/benchmark.h>

#include <set>

#include "block/event_sink.hpp"
#include "block/sm.hpp"
#include "block/steady_state.hpp"
#include "loops.hpp"
#include "operand/read_pipeline.hpp"

namespace smsim::bench {
namespace {

constexpr std::uint64_t kInstructions = 200'000;  ///< of all warps, about, in one repetition

std::vector<int> split(int warps, int blocks) {
  std::vector<int> all;
  for (int b = 0; b < std::min(warps, blocks); ++b)
    all.push_back((warps - b + blocks - 1) / blocks);
  return all;
}

/// The warps on each block of each machine that has to be run.
std::vector<std::vector<int>> machines_of(const CompiledLoop& loop, const std::vector<int>& all) {
  if (loop.uses_shared_unit) return {all};
  std::vector<std::vector<int>> machines;
  for (const int warps : std::set<int>(all.begin(), all.end())) machines.push_back({warps});
  return machines;
}

template <typename Sink>
void run(benchmark::State& state, const char* name) {
  const BenchLoop& loop = loop_named(name);
  const auto warps = static_cast<int>(state.range(0));
  const std::uint64_t per_iteration = loop.compiled.length * static_cast<std::uint64_t>(warps);
  const std::uint64_t iterations = kInstructions / per_iteration + 1;
  const auto machines = machines_of(loop.compiled, split(warps, loop.arch.processing_blocks));
  for (auto _ : state) {
    for (const std::vector<int>& blocks : machines) {
      Sink sink;
      Sm<GreedyThenLeastIssued, ReadPipeline, Sink> sm(loop.compiled, loop.arch, blocks, iterations,
                                                       sink);
      SteadyStateRunner runner(sm, true);
      benchmark::DoNotOptimize(runner.run_until(kNever));
    }
  }
  const auto rounds = static_cast<std::int64_t>(state.iterations());
  state.SetItemsProcessed(rounds * static_cast<std::int64_t>(iterations * per_iteration));
}

void warp_counts(benchmark::internal::Benchmark* b) {
  b->Arg(1)->Arg(4)->Arg(16)->Arg(64)->Unit(benchmark::kMillisecond);
}

void plain(benchmark::State& state, const char* name) { run<NoEvents>(state, name); }
void recorded(benchmark::State& state, const char* name) { run<RecordIssues>(state, name); }

BENCHMARK_CAPTURE(plain, ffma, "ffma")->Name("cycles/ffma")->Apply(warp_counts);
BENCHMARK_CAPTURE(plain, sgemm, "sgemm")->Name("cycles/sgemm")->Apply(warp_counts);
BENCHMARK_CAPTURE(plain, memory, "memory")->Name("cycles/memory")->Apply(warp_counts);
BENCHMARK_CAPTURE(plain, random, "random")->Name("cycles/random")->Apply(warp_counts);
BENCHMARK_CAPTURE(recorded, ffma, "ffma")->Name("recorded/ffma")->Apply(warp_counts);
BENCHMARK_CAPTURE(recorded, sgemm, "sgemm")->Name("recorded/sgemm")->Apply(warp_counts);

}  // namespace
}  // namespace smsim::bench
