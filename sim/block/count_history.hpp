// SPDX-License-Identifier: MIT
// Count history: what a machine had counted when its state was looked at, so that a period that
// turns out to repeat need not be run once more to be counted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "block/counts.hpp"
#include "core/cycle.hpp"
#include "core/state_writer.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Keeps the first looks of a search; repeats that begin later are long behind the start, so that
/// one more period costs little.
template <typename Machine>
class CountHistory {
 public:
  explicit CountHistory(const Arch& arch) : none_(arch) {}

  /// To be called whenever the state is looked at.
  void look(const Machine& sm, Cycle now) {
    if (!kept_.empty() && (kept_.size() + 1) * bytes(kept_.front().counts) > kMaxBytes) return;
    Look& look = kept_.emplace_back(Look{none_, unbooked(sm, now)});
    look.counts.add_machine(sm, 1);
  }

  /// Adds, `times` times, what the machine, in the state of look `begin` again, has counted since.
  /// False, and nothing added, if that look was not kept, or if slots that were not booked at its
  /// time may not go to the same reasons as those that are not booked now.
  bool add_since(std::size_t begin, const Machine& sm, Cycle now, std::uint64_t times,
                 Counts& sum) const {
    if (begin >= kept_.size() || kept_[begin].unbooked != unbooked(sm, now)) return false;
    sum.add(kept_[begin].counts, 0 - times);
    sum.add_machine(sm, times);
    return true;
  }

 private:
  struct Look {
    Counts counts;
    std::string unbooked;
  };

  static std::string unbooked(const Machine& sm, Cycle now) {
    StateWriter state;
    sm.save_unbooked(now, state);
    return state.bytes();
  }
  static std::size_t bytes(const Counts& counts) { return counts.rows.size() * sizeof(Slots); }

  static constexpr std::size_t kMaxBytes = 256U << 10;

  Counts none_;
  std::vector<Look> kept_;
};

}  // namespace smsim
