// SPDX-License-Identifier: MIT
// The process from start to end: time and memory of `smsim predict`, and of a suite's validation.

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <string>
#include <vector>

#include "loops.hpp"

extern char** environ;

namespace smsim::bench {
namespace {

/// Runs the program with its output thrown away; returns its peak memory in KiB, -1 if it failed.
long run_smsim(std::vector<std::string> words) {
  words.insert(words.begin(), SMSIM_PROGRAM);
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, SMSIM_PROGRAM, &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  rusage use{};
  if (error != 0 || wait4(pid, &status, 0, &use) < 0 || status != 0) return -1;
  return use.ru_maxrss;
}

void measure(benchmark::State& state, const std::vector<std::string>& words) {
  long memory = 0;
  for (auto _ : state) {
    memory = std::max(memory, run_smsim(words));
    if (memory <= 0) return state.SkipWithError("smsim failed");
  }
  state.counters["peak_MiB"] = static_cast<double>(memory) / 1024;
}

void predict(benchmark::State& state) {
  measure(state, {"predict", source_path("traces/volta/sgemm_8x8_remapped.sass"), "--warps",
                  std::to_string(state.range(0))});
}
BENCHMARK(predict)
    ->Name("process/predict")
    ->Arg(4)
    ->Arg(16)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// One suite after the other; `bench/run` adds nothing up, people do.
void suite(benchmark::State& state, const char* name) {
  measure(state, {"validate", source_path(std::string("traces/suites/h200/") + name + ".jsonl.gz"),
                  "--summary"});
}
BENCHMARK_CAPTURE(suite, characterise, "characterise")
    ->Name("process/validate/characterise")
    ->UseRealTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(suite, random, "random")
    ->Name("process/validate/random")
    ->UseRealTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(suite, kernels, "kernels")
    ->Name("process/validate/kernels")
    ->UseRealTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace smsim::bench
