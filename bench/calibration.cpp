// SPDX-License-Identifier: MIT
// The unit that results are compared in: a loop of integer arithmetic, branches and small loads
// that only the machine's speed changes.

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>

namespace {

void calibration(benchmark::State& state) {
  std::array<std::uint32_t, 4096> table{};
  for (auto _ : state) {
    std::uint32_t x = 1;
    for (int i = 0; i < 1'000'000; ++i) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
      std::uint32_t& cell = table[x % table.size()];
      cell = (cell & 1U) != 0 ? cell / 3 : cell + x;
    }
    benchmark::DoNotOptimize(table);
  }
}
BENCHMARK(calibration)->Unit(benchmark::kMillisecond);

}  // namespace
