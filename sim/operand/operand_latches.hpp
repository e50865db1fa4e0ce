// SPDX-License-Identifier: MIT
// Operand latches: per register bank and source slot, the register that a reuse flag left behind.
#pragma once

#include <algorithm>
#include <array>
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
    return (filled_ & bit(bank, slot)) != 0 && latches_[4 * bank + slot] == Latch{reg, warp};
  }

  void keep(std::uint32_t warp, std::size_t bank, std::size_t slot, int reg) {
    if (slot >= usable_) return;
    latches_[4 * bank + slot] = {reg, warp};
    filled_ |= bit(bank, slot);
  }

  void clear(LatchSet which) { filled_ &= ~which; }

  template <typename Writer>
  void save(Writer& out) const {
    for (std::size_t at = 0; at < 4 * banks_; ++at) {
      if (at % 4 >= kSlots) continue;
      const bool filled = (filled_ >> at & 1U) != 0;
      out.put(filled ? latches_[at].reg + 1 : 0);
      if (filled) out.put(latches_[at].warp);
    }
  }

 private:
  struct Latch {
    int reg = -1;
    std::uint32_t warp = 0;
    bool operator==(const Latch&) const = default;
  };
  std::size_t usable_;
  std::size_t banks_;
  std::array<Latch, 4 * kMaxBanks> latches_{};  ///< those that are filled hold something
  LatchSet filled_ = 0;
};

}  // namespace smsim
