// SPDX-License-Identifier: MIT
// BAR.SYNC across the SM: a warp that arrives waits until all warps that still run have arrived.
#pragma once

#include <cstdint>

#include "core/cycle.hpp"

namespace smsim {

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
