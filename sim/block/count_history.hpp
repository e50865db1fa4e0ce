// SPDX-License-Identifier: MIT
// Count history: what a machine had counted when its state was looked at, so that a period that
// turns out to repeat need not be run once more to be counted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "block/booking_log.hpp"
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
    if (kept_.size() == kMostLooks) return;
    Look& look = kept_.emplace_back(Look{none_, {}, unbooked(sm, now)});
    look.counts.add_all_but_rows(sm, 1);
    look.booked.reserve(sm.blocks().size());
    for (const auto& block : sm.blocks()) look.booked.push_back(block.account().booked().end());
  }

  /// Adds, `times` times, what the machine, in the state of look `begin` again, has counted since.
  /// False, and nothing added, if that look was not kept, or if slots that were not booked at its
  /// time may not go to the same reasons as those that are not booked now.
  bool add_since(std::size_t begin, const Machine& sm, Cycle now, std::uint64_t times,
                 Counts& sum) const {
    if (begin >= kept_.size()) return false;
    const Look& look = kept_[begin];
    if (!all_reach(look, sm) || look.unbooked != unbooked(sm, now)) return false;
    sum.add(look.counts, 0 - times);
    sum.add_all_but_rows(sm, times);
    auto from = look.booked.begin();
    for (const auto& block : sm.blocks()) sum.add_rows_since(*from++, block, times);
    return true;
  }

 private:
  struct Look {
    Counts counts;                             ///< without rows
    std::vector<BookingLog::Position> booked;  ///< by block
    std::string unbooked;
  };

  static bool all_reach(const Look& look, const Machine& sm) {
    return std::equal(look.booked.begin(), look.booked.end(), sm.blocks().begin(),
                      [](BookingLog::Position from, const auto& block) {
                        return block.account().booked().reaches(from);
                      });
  }

  static std::string unbooked(const Machine& sm, Cycle now) {
    StateWriter state;
    sm.save_unbooked(now, state);
    return state.bytes();
  }

  static constexpr std::size_t kMostLooks = 512;

  Counts none_;
  std::vector<Look> kept_;
};

}  // namespace smsim
