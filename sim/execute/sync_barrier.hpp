// SPDX-License-Identifier: MIT
// BAR.SYNC across the SM: a warp that arrives waits until all warps that still run have arrived.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cycle.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// One unit for all blocks takes an arrival each `barrier_arrival_cycles`. When it has taken the
/// last one, all warps go on together, `barrier_sync_cycles` after that one's turn. Source: H200,
/// stamped barriers of 1 to 16 warps that arrive together, in groups and apart.
class SyncBarrier {
 public:
  /// A warp is held from so many cycles after its BAR on. Compilers leave it a stall count of 5 at
  /// least; what issues then still goes through (H200: BAR with stall counts of 1 to 15).
  static constexpr Cycle kHeldAfter = 6;

  /// Shared memory that a warp accesses behind the barrier, having accessed some before it: from
  /// the opening to the first cycle at the load/store unit; one more than the way there takes
  /// (H200: loads at all distances behind BAR with and without a store before;
  /// kernel.barrier_loop).
  static constexpr Cycle kOpenToUnit = 11;

  explicit SyncBarrier(const SchedulerSpec& spec)
      : sync_cycles_(spec.barrier_sync_cycles), arrival_cycles_(spec.barrier_arrival_cycles) {}

  void arrive(Cycle now) {
    ++arrived_;
    turn_ = std::max(now, turn_ + arrival_cycles_);
  }

  /// Opens if all of the `running` warps have arrived; true if it does.
  bool settle(int running) {
    if (arrived_ == 0 || arrived_ < running) return false;
    arrived_ = 0;
    ++generation_;
    open_at_ = turn_ + sync_cycles_;
    return true;
  }

  /// Whether a warp that arrived in `generation` still waits.
  bool closed(std::uint32_t generation, Cycle now) const {
    return generation_ == generation || open_at_ > now;
  }

  std::uint32_t generation() const { return generation_; }
  Cycle open_at() const { return open_at_; }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    out.put(arrived_);
    out.time(turn_ + arrival_cycles_, now);
    out.time(open_at_, now);
  }

 private:
  Cycle sync_cycles_;
  Cycle arrival_cycles_;
  int arrived_ = 0;
  std::uint32_t generation_ = 0;
  Cycle turn_ = -kNever;  ///< of the last arrival at the unit
  Cycle open_at_ = 0;
};

}  // namespace smsim
