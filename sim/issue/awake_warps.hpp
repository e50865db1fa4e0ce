// SPDX-License-Identifier: MIT
// Awake warps: those that their own stall count, branch or yield request does not hold.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/cycle.hpp"
#include "issue/warp_set.hpp"

namespace smsim {

/// A warp that is awake stays so until it issues: times on the front end's clock move with it. So
/// the others need not be looked at before the first of them can wake.
class AwakeWarps {
 public:
  /// All are asleep at first.
  explicit AwakeWarps(std::size_t warps) : asleep_(WarpSet::first(warps)) {}

  const WarpSet& awake() const { return awake_; }
  bool has(std::size_t warp) const { return awake_.has(warp); }
  bool none() const { return awake_.empty(); }

  /// Before this cycle none of the others wakes.
  Cycle next() const { return next_; }

  /// Finds those that have woken by `now`; `wakes_at(warp)` is a real cycle, if nothing freezes the
  /// front end until then.
  template <typename WakesAt>
  void rouse(Cycle now, WakesAt wakes_at) {
    next_ = kNever;
    asleep_.visit([&](std::size_t warp) {
      if (const Cycle at = wakes_at(warp); at > now)
        next_ = std::min(next_, at);
      else
        awake_.add(warp);
    });
    asleep_ = asleep_.without(awake_);
  }

  /// It has issued, and wakes again at `at`.
  void sleep(std::size_t warp, Cycle at) {
    awake_.remove(warp);
    asleep_.add(warp);
    next_ = std::min(next_, at);
  }
  /// It has issued its last instruction.
  void end(std::size_t warp) { awake_.remove(warp); }

 private:
  WarpSet awake_;
  WarpSet asleep_;
  Cycle next_ = 0;
};

}  // namespace smsim
