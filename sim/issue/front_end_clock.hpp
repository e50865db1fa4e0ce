// SPDX-License-Identifier: MIT
// Front-end clock: the cycles in which issue moves; it stands still while the read pipeline does.
#pragma once

#include "core/cycle.hpp"

namespace smsim {

/// Stall counters, pipe intervals and branch delays run on this clock (H200 suite: `stamps.conf*`,
/// `bankw.*.s4`, `occ.chain`: a stall count of n is n cycles in which nothing was frozen).
class FrontEndClock {
 public:
  /// Front-end time of the real cycle `now`.
  Cycle at(Cycle now) const { return now - frozen_; }

  /// The real cycle at which the front end's clock will show `time`, if nothing freezes it.
  Cycle real(Cycle time) const { return time + frozen_; }

  /// The cycle `now` moves the front end. Cycles that were jumped over moved it as well.
  void move(Cycle now) {
    catch_up(now);
    before_last_ = last_;
    last_ = now;
    ticked_ = now;
  }

  /// The cycle `now` does not.
  void freeze(Cycle now) {
    catch_up(now);
    ticked_ = now;
    ++frozen_;
  }

  /// Barriers lowered up to this real cycle are seen by an issue at `now`: the news takes two
  /// cycles of the front end (H200, loads behind which conflicting FFMAs freeze it).
  Cycle seen(Cycle now) {
    catch_up(now);
    return before_last_ + 2;
  }

  Cycle frozen() const { return frozen_; }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    if (ticked_ < now - 1) {
      out.put(1);
      out.put(2);
      return;
    }
    out.put(now - last_);
    out.put(now - before_last_);
  }

 private:
  void catch_up(Cycle now) {
    if (ticked_ >= now - 1) return;
    before_last_ = ticked_ < now - 2 ? now - 2 : last_;
    last_ = now - 1;
    ticked_ = now - 1;
  }

  Cycle frozen_ = 0;
  Cycle last_ = -1;         ///< the last real cycle that moved the front end
  Cycle before_last_ = -2;  ///< the one before
  Cycle ticked_ = -1;       ///< the last real cycle that was looked at
};

}  // namespace smsim
