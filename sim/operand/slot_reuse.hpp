// SPDX-License-Identifier: MIT
// Slot reuse: per source slot, the few operands that flagged reads left behind, shared by the warps
// of a processing block (Maxwell, Pascal).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/cycle.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// A hit needs the same slot, register and warp; then no bank is read. A read that misses goes
/// through one of the slot's entries, and with the reuse flag stays there: through an empty one,
/// else through the one that was filled last. But never through the one that the instruction of the
/// cycle before has in use, so instructions that follow each other closely take turns.
/// Source: published grids of a GM107, `mxw-reuse*`: one warp keeps two operands a slot and not
/// three; of three or more warps none keeps any while every cycle issues, and one of them keeps its
/// own as soon as there are gaps (three warps at stall 4: 7 reads in 9). Least recently used keeps
/// none there, and misses `mxw-reusestall-*` by 4 % in the mean.
class SlotReuse {
 public:
  static constexpr std::size_t kSlots = 3;
  static constexpr std::size_t kMaxEntries = 4;

  explicit SlotReuse(const ReuseCacheSpec& spec)
      : usable_(static_cast<std::size_t>(std::clamp(spec.slots, 0, static_cast<int>(kSlots)))),
        count_(static_cast<std::size_t>(
            std::clamp(spec.entries_per_slot, 1, static_cast<int>(kMaxEntries)))) {}

  /// True if the operand is there. `time` is the front end's, at issue.
  bool access(std::uint32_t warp, std::size_t slot, int reg, bool flag, Cycle time) {
    if (slot >= usable_) return false;
    Slot& s = slots_[slot];
    for (std::size_t e = 0; e < count_; ++e) {
      if (s.entries[e].reg != reg || s.entries[e].warp != warp) continue;
      use(s, e, time);
      return true;
    }
    pass(s, flag ? Entry{reg, warp} : Entry{}, time);
    return false;
  }

  /// A read that may not hit, and leaves nothing.
  void pass_by(std::size_t slot, Cycle time) {
    if (slot < usable_) pass(slots_[slot], {}, time);
  }

  template <typename Writer>
  void save(Cycle time, Writer& out) const {
    for (std::size_t i = 0; i < usable_; ++i) {
      const Slot& s = slots_[i];
      out.put(s.filled_last);
      out.put(s.used_at >= time - 1 ? s.used + 1 : 0);
      for (std::size_t e = 0; e < count_; ++e) {
        out.put(s.entries[e].reg + 1);
        if (s.entries[e].reg >= 0) out.put(s.entries[e].warp);
      }
    }
  }

 private:
  struct Entry {
    int reg = -1;
    std::uint32_t warp = 0;
  };
  struct Slot {
    std::array<Entry, kMaxEntries> entries{};
    std::size_t filled_last = 0;
    std::size_t used = 0;  ///< by the slot's last read
    Cycle used_at = -2;
  };

  static void use(Slot& s, std::size_t entry, Cycle time) {
    s.used = entry;
    s.used_at = time;
  }

  void pass(Slot& s, const Entry& entry, Cycle time) {
    const auto busy = [&](std::size_t e) { return s.used_at == time - 1 && s.used == e; };
    std::size_t at = s.filled_last;
    for (std::size_t e = count_; e-- > 0;)
      if (s.entries[e].reg < 0 && !busy(e)) at = e;
    if (busy(at)) at = (at + 1) % count_;
    s.entries[at] = entry;
    s.filled_last = at;
    use(s, at, time);
  }

  std::size_t usable_;
  std::size_t count_;
  std::array<Slot, kSlots> slots_{};
};

}  // namespace smsim
