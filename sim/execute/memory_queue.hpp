// SPDX-License-Identifier: MIT
// Memory queue of one processing block: issued memory instructions waiting for the SM's shared
// unit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "core/cycle.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Holds `queue_entries` instructions in order; its head leaves at most every
/// `block_interval_cycles`, when the shared unit takes it (Huerta et al., MICRO 2025, Table 1).
class MemoryQueue {
 public:
  struct Entry {
    Cycle issued;
    std::uint32_t inst;
    std::uint32_t warp;
  };

  explicit MemoryQueue(const Arch& arch)
      : entries_(static_cast<std::size_t>(arch.memory.queue_entries)),
        interval_(arch.memory.block_interval_cycles) {}

  void push(Cycle now, std::uint32_t inst, std::uint32_t warp) {
    queue_.push_back({now, inst, warp});
  }

  bool ready(Cycle now) const {
    return !queue_.empty() && queue_.front().issued < now && next_ <= now;
  }

  Entry pop(Cycle now) {
    const Entry e = queue_.front();
    queue_.pop_front();
    next_ = now + interval_;
    last_pop_ = now;
    return e;
  }

  /// Earliest cycle at which an instruction may enter; kNever while the queue is full.
  Cycle room_at() const { return queue_.size() < entries_ ? last_pop_ : kNever; }

  Cycle next_after(Cycle now, Cycle best) const {
    if (queue_.empty()) return best;
    return std::min(best, std::max({now + 1, next_, queue_.front().issued + 1}));
  }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    out.put(queue_.size());
    out.time(next_, now);
    for (const Entry& e : queue_) {
      out.put(e.issued >= now ? 1 : 0);
      out.put(e.inst);
      out.put(e.warp);
    }
  }

 private:
  std::size_t entries_;
  Cycle interval_;
  std::deque<Entry> queue_;
  Cycle next_ = 0;
  Cycle last_pop_ = 0;
};

}  // namespace smsim
