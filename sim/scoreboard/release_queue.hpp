// SPDX-License-Identifier: MIT
// Release queue: when the operations in flight will lower the dependency barriers that they raised.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "core/cycle.hpp"
#include "scoreboard/dependency_barriers.hpp"
#include "smsim/stall_reason.hpp"

namespace smsim {

/// Barrier fields from here on stand for registers that a scoreboard holds pending.
inline constexpr std::uint16_t kFirstRegisterToken = 8;

struct PendingRegisters {
  int first = 0;
  int count = 0;  ///< 1 to 8
};

constexpr std::uint16_t register_token(PendingRegisters which) {
  return static_cast<std::uint16_t>(kFirstRegisterToken + which.first * 8 + which.count - 1);
}
constexpr PendingRegisters pending_registers(std::uint16_t token) {
  return {(token - kFirstRegisterToken) / 8, (token - kFirstRegisterToken) % 8 + 1};
}

struct Release {
  Cycle at = 0;
  std::uint32_t warp = 0;
  std::uint16_t barrier = 0;                           ///< or a register token
  StallReason reason = StallReason::short_scoreboard;  ///< what waiting for it is called
  bool of_load = false;                                ///< by a load's last write
};

/// A heap by time; equal times leave in the order of warp and barrier, which makes the state
/// canonical.
class ReleaseQueue {
 public:
  /// Nothing for the field's value of no barrier.
  void add(Cycle at, std::uint32_t warp, std::uint16_t barrier, StallReason reason,
           bool of_load = false) {
    if (barrier >= DependencyBarriers::kCount && barrier < kFirstRegisterToken) return;
    heap_.push_back({at, warp, barrier, reason, of_load});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  template <typename Visit>
  void drain(Cycle now, Visit visit) {
    while (!heap_.empty() && heap_.front().at <= now) {
      std::pop_heap(heap_.begin(), heap_.end(), later);
      const Release release = heap_.back();
      heap_.pop_back();
      visit(release);
    }
  }

  /// Time of the earliest release; kNever if there is none.
  Cycle next() const { return heap_.empty() ? kNever : heap_.front().at; }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    std::vector<Release> sorted = heap_;
    std::sort(sorted.begin(), sorted.end(),
              [](const Release& a, const Release& b) { return later(b, a); });
    out.put(sorted.size());
    for (const Release& r : sorted) {
      out.time(r.at, now);
      out.put(r.warp);
      out.put(r.barrier * 2 + (r.of_load ? 1 : 0));
    }
  }

 private:
  static bool later(const Release& a, const Release& b) {
    return std::tie(a.at, a.warp, a.barrier) > std::tie(b.at, b.warp, b.barrier);
  }
  std::vector<Release> heap_;
};

}  // namespace smsim
