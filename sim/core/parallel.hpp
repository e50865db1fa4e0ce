// SPDX-License-Identifier: MIT
// Independent pieces of work over all cores, on oneTBB.
#pragma once

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace smsim {

/// `jobs` threads, the caller's among them, but at most one a core that this process may use; 0: so
/// many.
inline tbb::task_arena threads_of(unsigned jobs) {
  const auto cores = static_cast<unsigned>(tbb::info::default_concurrency());
  return tbb::task_arena(static_cast<int>(jobs == 0 ? cores : std::min(jobs, cores)));
}

/// Calls work(0) to work(count - 1), each once, in any order. The first exception that escapes from
/// one is thrown once all threads have ended.
template <typename Work>
void in_parallel(std::size_t count, unsigned jobs, const Work& work) {
  threads_of(jobs).execute(
      [&] { tbb::parallel_for(std::size_t{0}, count, work, tbb::simple_partitioner()); });
}

/// Calls work(i) for 0 <= i < count on several threads, and take(result) for each in order, by one
/// thread at a time. Few results wait for their turn, so that memory does not grow. Ends early once
/// take() returns false. The first exception that escapes is thrown once all threads have ended.
template <typename Result, typename Work, typename Take>
void in_order(std::size_t count, unsigned jobs, const Work& work, const Take& take) {
  constexpr std::size_t kWaitingPerThread = 4;
  tbb::task_arena arena = threads_of(jobs);
  std::size_t next = 0;
  std::atomic<bool> stopped = false;  // the two serial filters may run side by side
  arena.execute([&] {
    const auto claim = [&](tbb::flow_control& control) {
      if (next == count || stopped) control.stop();
      return next == count ? count : next++;
    };
    const auto hand_on = [&](const Result& result) {
      if (!stopped && !take(result)) stopped = true;
    };
    tbb::parallel_pipeline(
        kWaitingPerThread * static_cast<std::size_t>(arena.max_concurrency()),
        tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, claim) &
            tbb::make_filter<std::size_t, Result>(tbb::filter_mode::parallel, work) &
            tbb::make_filter<Result, void>(tbb::filter_mode::serial_in_order, hand_on));
  });
}

}  // namespace smsim
