// SPDX-License-Identifier: MIT
// A progress bar with the time left, on standard error if that is a terminal; else a line now and
// then, if wanted.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace smsim::cli {

class Progress {
 public:
  /// What goes to a standard error that is no terminal: nothing, or a line after 2 seconds, and
  /// another one each time that twice as many have gone by.
  enum class Elsewhere { silent, lines };

  /// Of `all` pieces, `done` were there before.
  Progress(std::uint64_t done, std::uint64_t all, Elsewhere elsewhere = Elsewhere::silent);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// So many are done now.
  void show(std::uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  /// How long it will still take, as text; ? if there is nothing to go by.
  std::string left(std::uint64_t done, double seconds) const;
  void show_line(std::uint64_t done, double seconds);

  bool visible_;
  bool lines_;
  double next_line_ = 2;  ///< seconds after the start
  std::uint64_t first_;
  std::uint64_t all_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_;
};

}  // namespace smsim::cli
