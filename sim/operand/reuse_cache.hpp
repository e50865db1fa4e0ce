// SPDX-License-Identifier: MIT
// Reuse cache: per register bank and source slot, the operand that a flagged read left behind,
// shared by the warps.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "operand/recent_results.hpp"

namespace smsim {

/// A hit needs the same bank and slot, register and warp. Any use of the bank and slot, hit or
/// miss, ends the entry; a flagged one becomes the new entry, unless its value was still being
/// forwarded (its writer issued at most kForwarded cycles before). A register that was rewritten
/// longer ago than kRewritten cycles no longer hits. Source: H200, 450 loops of flag patterns, all
/// exact; suite `reuse.*`; Huerta et al., MICRO 2025, Listing 4, found the same life of an entry.
class ReuseCache {
 public:
  static constexpr std::size_t kSlots = 3;

  ReuseCache(int usable_slots, int banks)
      : usable_(static_cast<std::size_t>(std::clamp(usable_slots, 0, static_cast<int>(kSlots)))),
        entries_(static_cast<std::size_t>(banks)) {}

  /// True if the operand is there, so that no bank is read. Updates the entry as the use leaves it.
  bool access(std::uint32_t warp, std::size_t bank, std::size_t slot, int reg, bool flag,
              const RecentResults& results, Cycle time) {
    if (slot >= usable_) return false;
    Entry& entry = entries_[bank][slot];
    const RecentResults::Id writer = results.writer(warp, reg);
    const Cycle age = results.issue_age(writer, time);
    const bool same = entry.reg == reg && entry.warp == warp;
    const bool hit = same && (entry.writer == writer || age < kRewritten);
    entry = flag && age > kForwarded ? Entry{reg, warp, writer} : Entry{};
    return hit;
  }

  template <typename Writer>
  void save(const RecentResults& results, Writer& out) const {
    for (const auto& bank : entries_)
      for (const Entry& e : bank) {
        out.put(e.reg + 1);
        if (e.reg < 0) continue;
        out.put(e.warp);
        out.put(results.writer(e.warp, e.reg) == e.writer ? 1 : 0);
      }
  }

 private:
  static constexpr Cycle kForwarded = 4;
  static constexpr Cycle kRewritten = 6;

  struct Entry {
    int reg = -1;
    std::uint32_t warp = 0;
    RecentResults::Id writer = 0;
  };
  std::size_t usable_;
  std::vector<std::array<Entry, kSlots>> entries_;
};

}  // namespace smsim
