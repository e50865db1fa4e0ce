// SPDX-License-Identifier: MIT
// A progress bar with the time left, on standard error if that is a terminal.
#pragma once

#include <chrono>
#include <cstdint>

namespace smsim::cli {

class Progress {
 public:
  /// Of `all` pieces, `done` were there before.
  Progress(std::uint64_t done, std::uint64_t all);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// So many are done now.
  void show(std::uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  bool visible_;
  std::uint64_t first_;
  std::uint64_t all_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_;
};

}  // namespace smsim::cli
