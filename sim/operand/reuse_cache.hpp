// SPDX-License-Identifier: MIT
// Reuse cache: per source slot, the operand that a flagged read left behind, shared by the block's
// warps.
#pragma once

#include <array>
#include <cstdint>

namespace smsim {

/// A hit needs the same slot, register and warp. A hit without the flag ends it, a flagged read
/// replaces it, and an unflagged read of another register leaves it in place (H200 suite,
/// `reuse.gap_fadd_other`, `reuse.gap_iadd3_other`).
class ReuseCache {
 public:
  static constexpr int kSlots = 3;
  static constexpr std::uint32_t kEmpty = ~0U;

  explicit ReuseCache(int usable_slots) : usable_(usable_slots) {}

  /// True if the operand is there, so that no bank is read. Updates the slot as the read leaves it.
  bool access(int warp, int slot, int reg, bool flag) {
    if (slot >= usable_) return false;
    const std::uint32_t key =
        static_cast<std::uint32_t>(warp) << 8 | static_cast<std::uint32_t>(reg);
    auto& held = held_[static_cast<std::size_t>(slot)];
    const bool hit = held == key;
    if (flag) {
      held = key;
    } else if (hit) {
      held = kEmpty;
    }
    return hit;
  }

  const std::array<std::uint32_t, kSlots>& state() const { return held_; }

 private:
  int usable_;
  std::array<std::uint32_t, kSlots> held_{kEmpty, kEmpty, kEmpty};
};

}  // namespace smsim
