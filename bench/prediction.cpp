// SPDX-License-Identifier: MIT
// A whole prediction: from a parsed program, from text, and for many iterations against few.

#include <benchmark/benchmark.h>

#include <sstream>

#include "loops.hpp"
#include "smsim/read.hpp"
#include "smsim/report.hpp"
#include "smsim/simulate.hpp"

namespace smsim::bench {
namespace {

SimulateOptions with_warps(int warps) {
  SimulateOptions options;
  options.warps = warps;
  return options;
}

/// Parsed program to result.
void predict(benchmark::State& state) {
  const BenchLoop& loop = loop_named("sgemm");
  const SimulateOptions options = with_warps(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(simulate(loop.program, loop.arch, options));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(predict)
    ->Name("predict/sgemm")
    ->Arg(1)
    ->Arg(4)
    ->Arg(16)
    ->Arg(64)
    ->Unit(benchmark::kMicrosecond);

/// The steady state is found, not run through: how many iterations are asked for costs nothing.
void iterations(benchmark::State& state) {
  const BenchLoop& loop = loop_named("sgemm");
  SimulateOptions options = with_warps(16);
  options.max_iterations = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(simulate(loop.program, loop.arch, options));
}
BENCHMARK(iterations)
    ->Name("predict/iterations")
    ->Arg(100)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMicrosecond);

/// Text to report: read, configure, simulate, render.
void whole(benchmark::State& state) {
  const std::string file = source_path("traces/volta/sgemm_8x8_remapped.sass");
  for (auto _ : state) {
    const auto program = read_program(file);
    const auto arch = load_arch("volta-v100");
    const auto result = simulate(*program, *arch, with_warps(16));
    std::ostringstream out;
    write_json(out, *result);
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(whole)->Name("predict/text_to_json")->Unit(benchmark::kMillisecond);

void load(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(load_arch("hopper-gh100"));
}
BENCHMARK(load)->Name("load/hopper-gh100")->Unit(benchmark::kMillisecond);

/// A cuobjdump dump of 34 kernels.
void read(benchmark::State& state) {
  const auto text = read_bytes(source_path("traces/volta/kernels.sm_70.cuobjdump.sass.gz"));
  for (auto _ : state) benchmark::DoNotOptimize(read_program_text(*text, "dump"));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(text->size()));
}
BENCHMARK(read)->Name("read/cuobjdump")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace smsim::bench
