// SPDX-License-Identifier: MIT
// Reuse cache: per register bank and source slot, the operand that a flagged read left behind,
// shared by the warps.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace smsim {

/// A hit needs the same slot, register and warp. A hit without the flag ends it, a flagged read
/// replaces it, and an unflagged read of another register leaves it in place (H200 suite,
/// `reuse.gap_fadd_other`, `reuse.gap_iadd3_other`); Huerta et al., MICRO 2025, found one entry for
/// each bank and slot, too.
class ReuseCache {
 public:
  static constexpr std::size_t kSlots = 3;
  static constexpr std::uint32_t kEmpty = ~0U;

  ReuseCache(int usable_slots, int banks)
      : usable_(static_cast<std::size_t>(std::clamp(usable_slots, 0, static_cast<int>(kSlots)))),
        held_(static_cast<std::size_t>(banks), {kEmpty, kEmpty, kEmpty}) {}

  /// True if the operand is there, so that no bank is read. Updates the entry as the read leaves
  /// it.
  bool access(int warp, std::size_t bank, std::size_t slot, int reg, bool flag) {
    if (slot >= usable_) return false;
    const std::uint32_t key =
        static_cast<std::uint32_t>(warp) << 8 | static_cast<std::uint32_t>(reg);
    auto& held = held_[bank][slot];
    const bool hit = held == key;
    if (flag) {
      held = key;
    } else if (hit) {
      held = kEmpty;
    }
    return hit;
  }

  template <typename Writer>
  void save(Writer& out) const {
    for (const auto& bank : held_)
      for (const auto key : bank) out.put(key == kEmpty ? 0 : key + 1);
  }

 private:
  std::size_t usable_;
  std::vector<std::array<std::uint32_t, kSlots>> held_;
};

}  // namespace smsim
