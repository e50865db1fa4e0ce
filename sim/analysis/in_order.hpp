// SPDX-License-Identifier: MIT
// Pieces of work over all cores whose results are handed on in order, with few of them in memory.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "analysis/parallel.hpp"

namespace smsim::analysis {

/// Calls work(i) for begin <= i < end on several threads, and take(result) for each in order, by
/// one thread at a time. At most `window` results a thread wait for their turn, so that memory does
/// not grow. Ends early once take() returns false. The first exception that escapes is thrown once
/// all threads have ended.
template <typename Result, typename Work, typename Take>
class InOrder {
 public:
  InOrder(std::size_t begin, std::size_t end, unsigned jobs, const Work& work, const Take& take)
      : end_(end),
        next_(begin),
        taken_(begin),
        threads_(thread_count(jobs, end - begin)),
        waiting_(kWindow * threads_),
        work_(work),
        take_(take) {}

  void run() {
    {
      std::vector<std::jthread> others;
      for (std::size_t t = 1; t < threads_; ++t) others.emplace_back([this] { serve(); });
      serve();
    }
    if (failed_) std::rethrow_exception(failed_);
  }

 private:
  static constexpr std::size_t kWindow = 4;

  void serve() {
    try {
      while (const auto i = claim()) hand_on(*i, work_(*i));
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failed_) failed_ = std::current_exception();
      stop();
    }
  }

  /// The next piece, once there is room for its result.
  std::optional<std::size_t> claim() {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return next_ >= end_ || next_ < taken_ + waiting_.size(); });
    if (next_ >= end_) return std::nullopt;
    return next_++;
  }

  void hand_on(std::size_t i, Result result) {
    std::unique_lock lock(mutex_);
    waiting_[i % waiting_.size()] = std::move(result);
    if (taking_) return;  // another thread is at it, and will come to this one
    taking_ = true;
    while (auto& slot = waiting_[taken_ % waiting_.size()]) {
      Result now = std::move(*slot);
      slot.reset();
      lock.unlock();
      const bool go_on = take_(std::move(now));
      lock.lock();
      ++taken_;
      if (!go_on) stop();
      room_.notify_all();
      if (!go_on) return;  // nothing is handed on any more
    }
    taking_ = false;
  }

  void stop() {
    end_ = 0;
    room_.notify_all();
  }

  std::size_t end_;
  std::size_t next_;
  std::size_t taken_;
  std::size_t threads_;
  std::vector<std::optional<Result>> waiting_;
  const Work& work_;
  const Take& take_;
  bool taking_ = false;
  std::mutex mutex_;
  std::condition_variable room_;
  std::exception_ptr failed_;
};

}  // namespace smsim::analysis
