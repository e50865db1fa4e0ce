// SPDX-License-Identifier: MIT
// Booking log: the issue slots that a processing block has booked, one entry a booking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cycle.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// A table of all reasons of all instructions would be written all over, an entry goes behind the
/// last one; and what was booked since a moment is the entries behind it. The oldest are added up
/// when there are too many.
class BookingLog {
 public:
  using Position = std::uint64_t;  ///< entries before it

  explicit BookingLog(std::size_t rows) : rows_(rows) { entries_.reserve(kFewEntries); }

  std::size_t rows() const { return rows_; }

  /// `slots` lost to `reason`; `issued`: and the slot behind them, in which the row's instruction
  /// issued.
  void add(std::size_t row, StallReason reason, Cycle slots, bool issued = false) {
    for (; slots > kMostSlots; slots -= kMostSlots) push(row, reason, kMostSlots, false);
    push(row, reason, slots, issued);
  }

  void clear() {
    sums_.clear();
    drop_entries();
  }

  Position end() const { return first_ + entries_.size(); }
  /// Whether what was booked from there on can still be told.
  bool reaches(Position from) const { return from >= first_; }

  /// Adds, `times` times, what was booked from `from` on, which it must reach.
  void add_since(Position from, std::vector<Slots>& sum, std::uint64_t times) const {
    for (std::size_t i = static_cast<std::size_t>(from - first_); i < entries_.size(); ++i)
      add_entry(entries_[i], sum, times);
  }
  /// The same of all since it was cleared.
  void add_all(std::vector<Slots>& sum, std::uint64_t times) const {
    for (std::size_t row = 0; row < sums_.size(); ++row)
      for (std::size_t r = 0; r < kStallReasonCount; ++r) sum[row][r] += times * sums_[row][r];
    add_since(first_, sum, times);
  }

 private:
  /// Row, slots, reason and whether the row's instruction issued, in 8 bytes.
  class Entry {
   public:
    Entry(std::size_t row, StallReason reason, Cycle slots, bool issued)
        : bits_(row | static_cast<std::uint64_t>(slots) << 32 |
                static_cast<std::uint64_t>(reason) << 56 |
                static_cast<std::uint64_t>(issued ? 1 : 0) << 63) {}
    std::size_t row() const { return bits_ & 0xffff'ffff; }
    std::uint64_t slots() const { return bits_ >> 32 & kMostSlots; }
    std::size_t reason() const { return bits_ >> 56 & 0x7f; }
    std::uint64_t issued() const { return bits_ >> 63; }

   private:
    std::uint64_t bits_;
  };
  static constexpr Cycle kMostSlots = (1 << 24) - 1;
  static constexpr std::size_t kFewEntries = 512;
  static constexpr std::size_t kMostEntries = 8192;  ///< 64 KB: they stay in the cache

  void push(std::size_t row, StallReason reason, Cycle slots, bool issued) {
    entries_.emplace_back(row, reason, slots, issued);
    if (entries_.size() == kMostEntries) add_up();
  }

  static void add_entry(const Entry& e, std::vector<Slots>& sum, std::uint64_t times) {
    sum[e.row()][e.reason()] += times * e.slots();
    sum[e.row()][static_cast<std::size_t>(StallReason::selected)] += times * e.issued();
  }

  void add_up() {
    sums_.resize(rows_);
    for (const Entry& e : entries_) add_entry(e, sums_, 1);
    drop_entries();
  }
  void drop_entries() {
    first_ += entries_.size();
    entries_.clear();
  }

  std::size_t rows_;
  std::vector<Entry> entries_;
  Position first_ = 0;       ///< of the entries
  std::vector<Slots> sums_;  ///< of those before them, by row; empty: there are none
};

}  // namespace smsim
