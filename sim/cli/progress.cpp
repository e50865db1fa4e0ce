// SPDX-License-Identifier: MIT
// A progress bar with the time left, on standard error if that is a terminal; else a line now and
// then, if wanted.
#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

namespace smsim::cli {
namespace {

/// 1:05:09 or 2:30
std::string clock_text(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

}  // namespace

Progress::Progress(std::uint64_t done, std::uint64_t all, Elsewhere elsewhere)
    : visible_(::isatty(STDERR_FILENO) == 1),
      lines_(!visible_ && elsewhere == Elsewhere::lines),
      first_(done),
      all_(all) {}

Progress::~Progress() {
  if (visible_) fmt::print(stderr, "\r\033[K");
}

std::string Progress::left(std::uint64_t done, double seconds) const {
  if (done <= first_) return "?";
  return clock_text(seconds / static_cast<double>(done - first_) *
                    static_cast<double>(all_ - done));
}

void Progress::show_line(std::uint64_t done, double seconds) {
  if (seconds < next_line_ || done == all_) return;
  next_line_ = 2 * seconds;
  fmt::print(stderr, "smsim: {} of {} simulated, {} left\n", done, all_, left(done, seconds));
}

void Progress::show(std::uint64_t done) {
  constexpr auto kPause = std::chrono::milliseconds(100);
  constexpr std::size_t kColumns = 30;
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - start_).count();
  if (lines_) return show_line(done, seconds);
  if (!visible_ || all_ == 0 || now - shown_ < kPause) return;
  shown_ = now;
  const double share = static_cast<double>(done) / static_cast<double>(all_);
  const auto filled = static_cast<std::size_t>(share * kColumns);
  fmt::print(stderr, "\r[{:<{}}] {}/{}, {} left\033[K", std::string(filled, '#'), kColumns, done,
             all_, left(done, seconds));
  std::fflush(stderr);
}

}  // namespace smsim::cli
