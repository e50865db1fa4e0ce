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

  /// A cycle that does not move the front end.
  void freeze() { ++frozen_; }

  Cycle frozen() const { return frozen_; }

 private:
  Cycle frozen_ = 0;
};

}  // namespace smsim
