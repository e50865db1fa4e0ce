// SPDX-License-Identifier: MIT
// Dependency barriers: six counters a warp that variable-latency instructions raise at issue and
// lower when done.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/cycle.hpp"

namespace smsim {

/// A wait passes when every barrier of its mask is zero. A raise becomes visible `visible_after`
/// cycles after issue, so an instruction right behind at stall 1 does not see it (Huerta et al.
/// sec. 4; H200 suite, `lat.*` against `lat.s1.*`).
class DependencyBarriers {
 public:
  static constexpr std::size_t kCount = 6;

  /// Nothing for the field's value of no barrier.
  void raise(int barrier, Cycle visible_at) {
    if (barrier >= static_cast<int>(kCount)) return;
    auto& b = barriers_[static_cast<std::size_t>(barrier)];
    // an earlier raise that is still hidden is as good as visible: the new one cannot be seen
    // before it
    if (b.hidden > 0 && b.visible_at != visible_at) b.hidden = 0;
    ++b.count;
    up_ = static_cast<std::uint8_t>(up_ | bit(barrier));
    ++b.hidden;
    b.visible_at = visible_at;
    all_visible_at_ = std::max(all_visible_at_, visible_at);
  }

  void lower(int barrier) {
    auto& b = barriers_[static_cast<std::size_t>(barrier)];
    if (b.count > 0 && --b.count == 0) up_ = static_cast<std::uint8_t>(up_ & ~bit(barrier));
    if (b.hidden > b.count) b.hidden = b.count;
  }

  /// The barriers of `mask` that a wait at `now` still sees raised.
  std::uint8_t pending(std::uint8_t mask, Cycle now) const {
    auto held = static_cast<std::uint8_t>(mask & up_);
    if (now >= all_visible_at_) return held;
    for (std::size_t i = 0; held >> i != 0; ++i) {
      const auto& b = barriers_[i];
      if (now < b.visible_at && b.count == b.hidden)
        held = static_cast<std::uint8_t>(held & ~(1U << i));
    }
    return held;
  }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    for (const auto& b : barriers_) {
      out.put(b.count);
      const bool hidden = b.hidden > 0 && now < b.visible_at;
      out.put(hidden ? b.hidden : 0);
      out.time(hidden ? b.visible_at : now, now);
    }
  }

 private:
  static unsigned bit(int barrier) { return 1U << static_cast<unsigned>(barrier); }

  struct Barrier {
    std::int32_t count = 0;
    std::int32_t hidden = 0;  ///< of the count, raised too recently to be seen
    Cycle visible_at = 0;
  };
  std::array<Barrier, kCount> barriers_{};
  std::uint8_t up_ = 0;       ///< bit i: barrier i is raised
  Cycle all_visible_at_ = 0;  ///< from then on each raise can be seen
};

}  // namespace smsim
