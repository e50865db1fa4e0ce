// SPDX-License-Identifier: MIT
// Issue-slot account of one processing block: every cycle is issued or lost to exactly one reason.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "block/booking_log.hpp"
#include "core/cycle.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// Lost slots belong to the warp that issues next and to the first constraint, in the order stall
/// count, dependency barrier, dispatch stage, pipe or queue, that still held it in that cycle. So
/// each lost cycle is explained by what would have to end for the block to issue earlier.
class SlotAccount {
 public:
  explicit SlotAccount(std::size_t instructions) : booked_(instructions) {}

  /// A constraint that held the issuing warp until (not including) a cycle.
  struct Hold {
    Cycle until;
    StallReason reason;
  };

  /// Books the cycles since the last issue and the issue at `now` to `row`. Holds are in order of
  /// precedence.
  template <std::size_t N>
  void issue(Cycle now, std::size_t row, const std::array<Hold, N>& holds) {
    Cycle c = from_;
    struct {
      StallReason reason = StallReason::selected;
      Cycle slots = 0;
    } last;  // is booked with the issue
    const auto lose = [&](StallReason reason, Cycle until) {
      if (last.slots > 0) booked_.add(row, last.reason, last.slots);
      last.reason = reason;
      last.slots = until - c;
      c = until;
    };
    for (const Hold& hold : holds) {
      if (c >= now) break;
      if (hold.until > c) lose(hold.reason, std::min(hold.until, now));
    }
    if (c < now) lose(StallReason::misc, now);
    take_frozen(row);
    booked_.add(row, last.reason, last.slots, true);
    from_ = now + 1;
  }

  /// The same right behind the last one: no slot has been lost.
  void issue_at_once(Cycle now, std::size_t row) {
    take_frozen(row);
    booked_.add(row, StallReason::selected, 0, true);
    from_ = now + 1;
  }

  /// An instruction of `row` issues in the slot of the one before it.
  void pair(std::size_t row) {
    if (pairs_.empty()) pairs_.resize(booked_.rows());
    ++pairs_[row];
  }

  /// What a warp issues before the loop, and the cycles before that: counted as misc of the first
  /// instruction.
  void prologue(Cycle now) {
    add(0, StallReason::misc, now + 1 - from_);
    take_frozen(0);
    from_ = now + 1;
  }

  /// One cycle in which the front end stood still.
  void freeze(StallReason reason) {
    ++frozen_[static_cast<std::size_t>(reason)];
    any_frozen_ = true;
  }

  /// Books the cycles up to `end` in which no warp runs any more.
  void idle(Cycle end) {
    for (auto& n : frozen_) idle_ += std::exchange(n, 0);
    if (end > from_) idle_ += static_cast<std::uint64_t>(end - from_);
    if (end > from_) from_ = end;
  }

  /// The last booking lies `cycles` further back than it says.
  void ended_earlier(Cycle cycles) { from_ -= cycles; }

  /// Forgets the cycles before `now` that are not booked yet.
  void cut(Cycle now) {
    from_ = now;
    frozen_ = {};
  }

  /// Books the cycles up to `end`: to `reason` until `until`, the rest to misc.
  void close(Cycle end, std::size_t row, Cycle until, StallReason reason) {
    const Cycle split = std::clamp(until, std::min(from_, end), end);
    if (split > from_) add(row, reason, split - from_);
    const Cycle rest = std::max(split, from_);
    if (end > rest) add(row, StallReason::misc, end - rest);
    from_ = std::max(from_, end);
    take_frozen(row);
  }

  /// The cycles before `now` that are not booked yet.
  template <typename Writer>
  void save_unbooked(Cycle now, Writer& out) const {
    out.put(now - from_);
    for (const auto n : frozen_) out.put(n);
  }

  void reset_counts() {
    booked_.clear();
    for (auto& n : pairs_) n = 0;
    idle_ = 0;
  }

  const BookingLog& booked() const { return booked_; }
  /// Issues of each row that took no slot of their own; empty: none did.
  const std::vector<std::uint64_t>& pairs() const { return pairs_; }
  std::uint64_t idle_slots() const { return idle_; }
  Cycle from() const { return from_; }

 private:
  void add(std::size_t row, StallReason reason, Cycle slots) { booked_.add(row, reason, slots); }

  void take_frozen(std::size_t row) {
    if (!std::exchange(any_frozen_, false)) return;
    for (std::size_t r = 0; r < kStallReasonCount; ++r)
      if (const std::uint64_t n = std::exchange(frozen_[r], 0); n > 0)
        add(row, static_cast<StallReason>(r), static_cast<Cycle>(n));
  }

  BookingLog booked_;
  std::vector<std::uint64_t> pairs_;
  Slots frozen_{};  ///< cycles since the last issue in which the front end stood still
  bool any_frozen_ = false;
  std::uint64_t idle_ = 0;
  Cycle from_ = 0;  ///< first cycle not yet booked
};

}  // namespace smsim
