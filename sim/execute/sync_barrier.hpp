// SPDX-License-Identifier: MIT
// BAR.SYNC across the SM: a warp that arrives waits until all warps of its thread block that still
// run have arrived.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

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

  /// The warps of a loop are one thread block; a trace says which ones its warps belong to.
  SyncBarrier(const SchedulerSpec& spec, std::size_t thread_blocks)
      : sync_cycles_(spec.barrier_sync_cycles),
        arrival_cycles_(spec.barrier_arrival_cycles),
        joins_(thread_blocks) {}

  void arrive(std::size_t thread_block, Cycle now) {
    ++joins_[thread_block].arrived;
    turn_ = std::max(now, turn_ + arrival_cycles_);
  }

  /// Opens for each thread block whose running warps, `running(thread_block)`, have all arrived;
  /// true if it does for any.
  template <typename Running>
  bool settle(Running running) {
    bool opened = false;
    for (std::size_t b = 0; b < joins_.size(); ++b) {
      Join& join = joins_[b];
      if (join.arrived == 0 || join.arrived < running(b)) continue;
      join.arrived = 0;
      ++join.generation;
      join.open_at = turn_ + sync_cycles_;
      opened = true;
    }
    return opened;
  }

  /// Whether a warp that arrived in `generation` still waits.
  bool closed(std::size_t thread_block, std::uint32_t generation, Cycle now) const {
    return joins_[thread_block].generation == generation || joins_[thread_block].open_at > now;
  }

  std::size_t thread_blocks() const { return joins_.size(); }

  std::uint32_t generation(std::size_t thread_block) const {
    return joins_[thread_block].generation;
  }
  Cycle open_at(std::size_t thread_block) const { return joins_[thread_block].open_at; }

  /// The next one, if it is known; kNever: it is not.
  Cycle opening(std::size_t thread_block, Cycle now) const {
    return open_at(thread_block) > now ? open_at(thread_block) : kNever;
  }

  /// The first opening of any after `now`.
  Cycle next_opening(Cycle now) const {
    Cycle next = kNever;
    for (std::size_t b = 0; b < joins_.size(); ++b) next = std::min(next, opening(b, now));
    return next;
  }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    out.time(turn_ + arrival_cycles_, now);
    for (const Join& join : joins_) {
      out.put(join.arrived);
      out.time(join.open_at, now);
    }
  }

 private:
  struct Join {
    int arrived = 0;
    std::uint32_t generation = 0;
    Cycle open_at = 0;
  };

  Cycle sync_cycles_;
  Cycle arrival_cycles_;
  Cycle turn_ = -kNever;  ///< of the last arrival at the unit
  std::vector<Join> joins_;
};

}  // namespace smsim
