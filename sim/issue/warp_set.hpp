// SPDX-License-Identifier: MIT
// A set of the warps of one processing block.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace smsim {

/// Warps by number, in one word: the cycle loop goes through the set instead of through all warps.
class WarpSet {
 public:
  static constexpr int kMaxWarps = 64;

  WarpSet() = default;
  static WarpSet first(std::size_t warps) {
    return WarpSet(warps < kMaxWarps ? bit(warps) - 1 : ~std::uint64_t{0});
  }

  void add(std::size_t warp) { bits_ |= bit(warp); }
  void remove(std::size_t warp) { bits_ &= ~bit(warp); }
  bool has(std::size_t warp) const { return (bits_ >> warp & 1U) != 0; }
  bool empty() const { return bits_ == 0; }
  WarpSet without(WarpSet others) const { return WarpSet(bits_ & ~others.bits_); }

  /// From the youngest, which has the highest number, to the oldest.
  template <typename Visit>
  void visit(Visit visit) const {
    for (std::uint64_t left = bits_; left != 0;) {
      const auto last = static_cast<std::size_t>(63 - std::countl_zero(left));
      left ^= bit(last);
      visit(last);
    }
  }

 private:
  explicit WarpSet(std::uint64_t bits) : bits_(bits) {}
  static std::uint64_t bit(std::size_t warp) { return std::uint64_t{1} << warp; }

  std::uint64_t bits_ = 0;
};

}  // namespace smsim
