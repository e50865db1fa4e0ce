// SPDX-License-Identifier: MIT
// Branch turns: by how much the targets of a block's taken branches come late, one after the other.
#pragma once

#include "core/cycle.hpp"

namespace smsim {

/// Where several warps share the way to the instruction cache, their branches do not all take
/// equally long. On a GM107 the phases between warps mix: loops with bank conflicts take as long as
/// if the phases were equally distributed (`mxw-reusestall-*`: without this 7.0 %, with it 2.5 %).
/// Who is served when is not known, so the extra cycles go round a fixed sequence of all values
/// below the spread. Fitted: spreads of 13 to 23 are alike.
class BranchTurns {
 public:
  /// `warps` on the block: a lone one has nobody to wait for.
  void configure(int spread, std::size_t warps) { spread_ = warps > 1 ? spread : 1; }

  /// 0 to spread - 1.
  Cycle next() {
    if (spread_ <= 1) return 0;
    turn_ = (turn_ + kStep) % spread_;
    return turn_;
  }

  /// The mean of next().
  Cycle mean() const { return (spread_ - 1) / 2; }

  int state() const { return turn_; }

 private:
  static constexpr int kStep = 5;
  int spread_ = 1;
  int turn_ = 0;
};

}  // namespace smsim
