// SPDX-License-Identifier: MIT
// The process from start to end: processor time and memory of `smsim predict`, and of a suite's
// validation. What else the machine does delays a process, but costs it little of its own time.

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "loops.hpp"
#include "smsim/read.hpp"

extern char** environ;

namespace smsim::bench {
namespace {

struct Cost {
  long peak_kib = -1;  ///< -1: it failed
  double seconds = 0;  ///< on all cores
};

/// Runs the program with its output thrown away.
Cost run_smsim(std::vector<std::string> words) {
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
  if (error != 0 || wait4(pid, &status, 0, &use) < 0 || status != 0) return {};
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return {use.ru_maxrss, seconds(use.ru_utime) + seconds(use.ru_stime)};
}

void measure(benchmark::State& state, const std::vector<std::string>& words) {
  long memory = 0;
  for (auto _ : state) {
    const Cost cost = run_smsim(words);
    if (cost.peak_kib <= 0) return state.SkipWithError("smsim failed");
    memory = std::max(memory, cost.peak_kib);
    state.SetIterationTime(cost.seconds);
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
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// One suite after the other; `bench/run` adds nothing up, people do.
void suite(benchmark::State& state, const char* name) {
  measure(state, {"validate", source_path(std::string("traces/suites/h200/") + name + ".jsonl.gz"),
                  "--summary"});
}
BENCHMARK_CAPTURE(suite, characterise, "characterise")
    ->Name("process/validate/characterise")
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(suite, random, "random")
    ->Name("process/validate/random")
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(suite, kernels, "kernels")
    ->Name("process/validate/kernels")
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// A dump of 300 MB: the kernels of one, again and again under new names.
std::string long_dump(const char* kernels) {
  const auto text = read_bytes(source_path(kernels));
  const auto path = std::filesystem::temp_directory_path() / "smsim-bench-long.sass";
  if (!text) return {};
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  constexpr std::size_t kBytes = 300'000'000;
  constexpr std::string_view kName = "Function : ";
  for (std::size_t written = 0, copy = 0; written < kBytes; ++copy) {
    std::string renamed = *text;
    const std::string name = std::string(kName) + "copy" + std::to_string(copy) + "_";
    for (std::size_t at = renamed.find(kName); at != renamed.npos;
         at = renamed.find(kName, at + name.size())) {
      renamed.replace(at, kName.size(), name);
    }
    file << renamed;
    written += renamed.size();
  }
  return path.string();
}

void read_long(benchmark::State& state, const char* kernels) {
  const std::string path = long_dump(kernels);
  measure(state, {"loops", path, "--format", "json"});
  std::error_code ignored;
  const auto bytes = static_cast<double>(std::filesystem::file_size(path, ignored));
  state.counters["MB"] = bytes / 1e6;
  state.counters["MB/s"] =
      benchmark::Counter(bytes / 1e6, benchmark::Counter::kIsIterationInvariantRate);
  std::filesystem::remove(path, ignored);
}
BENCHMARK_CAPTURE(read_long, hopper, "traces/hopper/kernels.sm_90.cuobjdump.sass.gz")
    ->Name("process/read/300MB")
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
/// Lines are half as long here: twice as many instructions.
BENCHMARK_CAPTURE(read_long, kepler, "traces/kepler/kernels.sm_35.cuobjdump.sass.gz")
    ->Name("process/read/300MB/kepler")
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace smsim::bench
