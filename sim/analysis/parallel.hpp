// SPDX-License-Identifier: MIT
// Independent pieces of work over all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace smsim::analysis {

/// Threads to use when `jobs` were asked for (0: one a core) and there are so many pieces.
inline std::size_t thread_count(unsigned jobs, std::size_t pieces) {
  const std::size_t wanted = jobs == 0 ? std::thread::hardware_concurrency() : jobs;
  return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, pieces));
}

/// Calls work(0) to work(count - 1), each once, in any order and on several threads. The first
/// exception that escapes from one is thrown once all threads have ended.
template <typename Work>
void in_parallel(std::size_t count, unsigned jobs, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex mutex;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!failed) failed = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < thread_count(jobs, count); ++i) others.emplace_back(run);
    run();
  }
  if (failed) std::rethrow_exception(failed);
}

}  // namespace smsim::analysis
