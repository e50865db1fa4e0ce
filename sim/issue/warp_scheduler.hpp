// SPDX-License-Identifier: MIT
// Warp scheduler: which of the eligible warps of a processing block issues.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace smsim {

/// A policy asks warps, in its order of preference, until one is eligible; -1 if none is. Warps
/// behind it are not asked: the FMA half that an instruction will take is settled when its warp is
/// first considered.
template <typename T>
concept SchedulerPolicy = requires(T policy, bool (*eligible)(int)) {
  { policy.pick(1, eligible) } -> std::same_as<int>;
  policy.issued(true);
  { policy.state() } -> std::same_as<int>;
};

/// Stay on the warp that issued last while it is eligible, also over cycles in which nobody issues;
/// else the next one behind it. After an instruction that asked to yield the others go first.
/// Source: H200 suite, `stamps.*`, `pipe.*.w8`, `stall.*`; random loops with two warps a block: the
/// yield part takes 24 to 37 of 77 exact.
class GreedyThenRoundRobin {
 public:
  template <typename Eligible>
  int pick(int warps, Eligible&& eligible) {
    if (last_ >= 0 && !yielded_ && eligible(last_)) return last_;
    for (int i = 1; i <= warps; ++i) {
      const int w = (last_ + i) % warps;
      if (eligible(w)) return last_ = w;
    }
    return -1;
  }
  void issued(bool yielded) { yielded_ = yielded; }
  int state() const { return last_ * 2 + (yielded_ ? 1 : 0); }

 private:
  int last_ = -1;
  bool yielded_ = false;
};

/// As above, but behind the last warp comes the one whose last issue is longest ago.
class GreedyThenLeastRecent {
 public:
  template <typename Eligible>
  int pick(int warps, Eligible&& eligible) {
    if (count_ == 0) start(warps);
    if (!yielded_ && eligible(order_[count_ - 1])) return order_[count_ - 1];
    for (std::size_t i = 0; i < count_; ++i) {
      const int w = order_[i];
      if (!eligible(w)) continue;
      const auto at = order_.begin() + static_cast<std::ptrdiff_t>(i);
      std::rotate(at, at + 1, order_.begin() + static_cast<std::ptrdiff_t>(count_));
      return w;
    }
    return -1;
  }
  void issued(bool yielded) { yielded_ = yielded; }
  int state() const {
    std::uint32_t hash = yielded_ ? 1 : 0;
    for (std::size_t i = 0; i < count_; ++i)
      hash = hash * 31 + static_cast<std::uint32_t>(order_[i]);
    return static_cast<int>(hash & 0x7fffffffU);
  }

 private:
  void start(int warps) {
    count_ = static_cast<std::size_t>(warps);
    for (std::size_t i = 0; i < count_; ++i) order_[i] = static_cast<int>(i);
    std::rotate(order_.begin(), order_.begin() + 1,
                order_.begin() + static_cast<std::ptrdiff_t>(count_));
  }
  std::array<int, 256> order_{};  ///< least recent first
  std::size_t count_ = 0;
  bool yielded_ = false;
};

/// Stay on the warp that issued last while it is eligible, else the youngest (Huerta et al.,
/// MICRO 2025, sec. 5, of Ampere).
class GreedyThenYoungest {
 public:
  template <typename Eligible>
  int pick(int warps, Eligible&& eligible) {
    if (last_ >= 0 && eligible(last_)) return last_;
    for (int w = warps - 1; w >= 0; --w)
      if (w != last_ && eligible(w)) return last_ = w;
    return -1;
  }
  void issued(bool /*yielded*/) {}
  int state() const { return last_; }

 private:
  int last_ = -1;
};

/// Stay on the warp that issued last while it is eligible, else the oldest.
class GreedyThenOldest {
 public:
  template <typename Eligible>
  int pick(int warps, Eligible&& eligible) {
    if (last_ >= 0 && eligible(last_)) return last_;
    for (int w = 0; w < warps; ++w)
      if (w != last_ && eligible(w)) return last_ = w;
    return -1;
  }
  void issued(bool /*yielded*/) {}
  int state() const { return last_; }

 private:
  int last_ = -1;
};

/// The next eligible warp behind the one that issued last.
class LooseRoundRobin {
 public:
  template <typename Eligible>
  int pick(int warps, Eligible&& eligible) {
    for (int i = 1; i <= warps; ++i) {
      const int w = (last_ + i) % warps;
      if (eligible(w)) return last_ = w;
    }
    return -1;
  }
  void issued(bool /*yielded*/) {}
  int state() const { return last_; }

 private:
  int last_ = -1;
};

}  // namespace smsim
