// SPDX-License-Identifier: MIT
// Warp scheduler: which of the eligible warps of a processing block issues.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace smsim {

/// A policy picks one warp of a non-empty mask (bit w = warp w of the block is eligible).
template <typename T>
concept SchedulerPolicy = requires(T policy, std::uint64_t mask) {
  { policy.pick(mask) } -> std::same_as<int>;
  { policy.state() } -> std::same_as<std::uint32_t>;
};

/// Stay on the warp that issued last while it is eligible, else the youngest (Huerta et al., MICRO
/// 2025, sec. 5).
class GreedyThenYoungest {
 public:
  int pick(std::uint64_t mask) {
    if (((mask >> last_) & 1U) == 0) last_ = static_cast<std::uint32_t>(std::bit_width(mask)) - 1;
    return static_cast<int>(last_);
  }
  std::uint32_t state() const { return last_; }

 private:
  std::uint32_t last_ = 0;
};

/// Stay on the warp that issued last while it is eligible, else the oldest.
class GreedyThenOldest {
 public:
  int pick(std::uint64_t mask) {
    if (((mask >> last_) & 1U) == 0) last_ = static_cast<std::uint32_t>(std::countr_zero(mask));
    return static_cast<int>(last_);
  }
  std::uint32_t state() const { return last_; }

 private:
  std::uint32_t last_ = 0;
};

/// The next eligible warp behind the one that issued last.
class LooseRoundRobin {
 public:
  int pick(std::uint64_t mask) {
    const std::uint64_t behind = mask & ~((2ULL << last_) - 1);
    last_ = static_cast<std::uint32_t>(std::countr_zero(behind != 0 ? behind : mask));
    return static_cast<int>(last_);
  }
  std::uint32_t state() const { return last_; }

 private:
  std::uint32_t last_ = 63;
};

}  // namespace smsim
