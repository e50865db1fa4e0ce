// SPDX-License-Identifier: MIT
// A set of a processing block's warps, in bits.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace smsim {

class WarpSet {
 public:
  static constexpr int kMost = 256;

  /// An empty set of a block with so many warps, at most kMost.
  explicit WarpSet(int warps) : used_(static_cast<std::size_t>(warps + 63) / 64) {}

  bool has(int w) const { return (word(w) & bit(w)) != 0; }
  void add(int w) { word(w) |= bit(w); }
  void remove(int w) { word(w) &= ~bit(w); }

  /// Calls `each(warp)` for all from the lowest number to the highest.
  template <typename Each>
  void for_each(Each each) const {
    for (std::size_t i = 0; i < used_; ++i)
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1)
        each(static_cast<int>(64 * i) + std::countr_zero(left));
  }

 private:
  static std::uint64_t bit(int w) { return std::uint64_t{1} << (w % 64); }
  std::uint64_t& word(int w) { return words_[static_cast<std::size_t>(w / 64)]; }
  std::uint64_t word(int w) const { return words_[static_cast<std::size_t>(w / 64)]; }

  std::size_t used_;  ///< words
  std::array<std::uint64_t, kMost / 64> words_{};
};

}  // namespace smsim
