// SPDX-License-Identifier: MIT
// Operand latches: per register bank and source slot, the register that a reuse flag left behind.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace smsim {

/// Latches of one kind: four bits a bank, of which each slot has one.
using LatchSet = std::uint32_t;

/// What is called the reuse cache is the latches of the read pipeline: a flagged operand stays in
/// its latch when its instruction has left, until the next instruction that uses the latch has
/// left. A register that was rewritten meanwhile is still found, so compilers do not flag it (H200,
/// 3000 loops of rewritten registers at distances of 4 to 12 cycles). The warps share the latches.
class OperandLatches {
 public:
  static constexpr std::size_t kSlots = 3;
  static constexpr std::size_t kMaxBanks = 8;

  OperandLatches(int usable_slots, int banks)
      : usable_(static_cast<std::size_t>(std::clamp(usable_slots, 0, static_cast<int>(kSlots)))),
        banks_(static_cast<std::size_t>(banks)) {}

  /// The latch of a bank and slot; none for slots that have none.
  static LatchSet bit(std::size_t bank, std::size_t slot) {
    return slot < kSlots ? LatchSet{1} << (4 * bank + slot) : 0;
  }

  /// Slots in which the reuse flag does something.
  std::size_t usable() const { return usable_; }

  /// Those that hold something.
  LatchSet filled() const { return filled_; }

  bool holds(std::uint32_t warp, std::size_t bank, std::size_t slot, int reg) const {
    const Latch& latch = latches_[bank][slot];
    return latch.reg == reg && latch.warp == warp;
  }

  void keep(std::uint32_t warp, std::size_t bank, std::size_t slot, int reg) {
    if (slot >= usable_) return;
    latches_[bank][slot] = {reg, warp};
    filled_ |= bit(bank, slot);
  }

  void clear(LatchSet which) {
    for (LatchSet left = which & filled_; left != 0; left &= left - 1) {
      const auto at = static_cast<std::size_t>(std::countr_zero(left));
      latches_[at / 4][at % 4] = {};
    }
    filled_ &= ~which;
  }

  template <typename Writer>
  void save(Writer& out) const {
    for (std::size_t b = 0; b < banks_; ++b)
      for (const Latch& latch : latches_[b]) {
        out.put(latch.reg + 1);
        if (latch.reg >= 0) out.put(latch.warp);
      }
  }

 private:
  struct Latch {
    int reg = -1;
    std::uint32_t warp = 0;
  };
  std::size_t usable_;
  std::size_t banks_;
  std::array<std::array<Latch, kSlots>, kMaxBanks> latches_{};
  LatchSet filled_ = 0;
};

}  // namespace smsim
