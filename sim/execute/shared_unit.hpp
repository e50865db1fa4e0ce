// SPDX-License-Identifier: MIT
// Memory input/output unit of the SM: what all processing blocks send their memory instructions to.
#pragma once

#include <algorithm>
#include <vector>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Accepts at most one instruction each `shared_interval_cycles`, longer when the last one moves
/// more data; among blocks that ask in the same cycle it goes round.
class SharedUnit {
 public:
  explicit SharedUnit(const Arch& arch) : interval_(arch.memory.shared_interval_cycles) {}

  bool free(Cycle now) const { return free_at_ <= now; }
  Cycle free_at() const { return free_at_; }

  void accept(Cycle now, int block, const StaticInst& inst) {
    free_at_ = now + std::max<Cycle>(interval_, inst.unit_cycles);
    last_block_ = block;
  }

  /// The block that is asked first in this cycle.
  int first_block(int blocks) const { return (last_block_ + 1) % blocks; }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    out.time(free_at_, now);
    out.put(last_block_);
  }

 private:
  Cycle interval_;
  Cycle free_at_ = 0;
  int last_block_ = -1;
};

/// BAR.SYNC across the SM: a warp that arrives waits until all warps that still run have arrived.
class SyncBarrier {
 public:
  void arrive() { ++arrived_; }
  bool complete(int running) const { return arrived_ > 0 && arrived_ >= running; }
  void open(Cycle at) {
    arrived_ = 0;
    ++generation_;
    open_at_ = at;
  }
  std::uint32_t generation() const { return generation_; }
  Cycle open_at() const { return open_at_; }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    out.put(arrived_);
    out.time(open_at_, now);
  }

 private:
  int arrived_ = 0;
  std::uint32_t generation_ = 0;
  Cycle open_at_ = 0;
};

}  // namespace smsim
