// SPDX-License-Identifier: MIT
// Start of the warps: what a BAR.SYNC in front of a loop leaves, when each warp of a block goes on
// and how often the scheduler has counted it.
#pragma once

#include <cstddef>

#include "core/cycle.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// The suites' loops stand behind BAR, two NOPs with stall count 15 and a CS2R, which the compiled
/// loop has as its prologue. The warp of a block that comes to BAR last is not held by it: it goes
/// on while the others wait until it opens for all. The blocks' last warps come some cycles apart,
/// so blocks settle into different rhythms.
/// Source: H200, own loops `start.*`: start clocks of 142 loops of straight code, and their issue
/// times with two warps a block (143 of 143 runs) and three (86 of 89).
class WarpStart {
 public:
  /// `prologue`: the code has one; else there is no barrier.
  WarpStart(const SchedulerSpec& spec, bool prologue, int block, int warps)
      : spec_(spec), prologue_(prologue), block_(block), warps_(warps) {}

  /// Whether the machine's loops start behind such a barrier; else warps start a skew apart.
  static bool behind_barrier(const SchedulerSpec& spec) { return spec.start_open_cycles > 0; }
  bool behind_barrier() const { return prologue_ && behind_barrier(spec_); }

  /// The warp that came last. Which one it is differs from run to run; these are the usual ones.
  int leader() const { return warps_ == 2 ? 1 : 0; }

  Cycle ready_at(int warp) const {
    if (!behind_barrier()) return static_cast<Cycle>(warp) * spec_.start_skew_cycles;
    if (warp != leader()) return spec_.start_open_cycles;
    return kBarrierStall + last_arrival(spec_, block_);
  }

  /// How often the leader has issued of late, the others being at zero.
  int leader_count() const { return behind_barrier() ? spec_.start_leader_issues : 0; }

  /// Cycles by which the block's last warp comes to the barrier after the first block's.
  static int last_arrival(const SchedulerSpec& spec, int block) {
    const auto b = static_cast<std::size_t>(block);
    return b < spec.start_block_cycles.size() ? spec.start_block_cycles[b] : 0;
  }

 private:
  static constexpr Cycle kBarrierStall = 5;
  const SchedulerSpec& spec_;
  bool prologue_;
  int block_;
  int warps_;
};

}  // namespace smsim
