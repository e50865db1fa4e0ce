// SPDX-License-Identifier: MIT
// Counts: what the blocks of a machine have counted, added up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "block/booking_log.hpp"
#include "smsim/arch.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// All modulo 2^64: so a difference of two moments is one addition -1 times and one once.
struct Counts {
  std::vector<Slots> rows;                ///< by instruction of the loop, all blocks
  std::vector<std::uint64_t> pairs;       ///< issues of each that took no slot; empty: none did
  std::uint64_t idle_slots = 0;           ///< of blocks without a running warp
  std::vector<std::uint64_t> pipe_busy;   ///< cycles, all blocks
  std::vector<std::uint64_t> bank_reads;  ///< all blocks

  Counts() = default;
  explicit Counts(const Arch& arch)
      : pipe_busy(arch.pipes.size()),
        bank_reads(static_cast<std::size_t>(arch.register_file.banks)) {}

  /// Adds others `times` times.
  void add(const Counts& other, std::uint64_t times) {
    add_rows(other.rows, times);
    add_up(pairs, other.pairs, times);
    idle_slots += times * other.idle_slots;
    add_up(pipe_busy, other.pipe_busy, times);
    add_up(bank_reads, other.bank_reads, times);
  }

  /// Adds what a machine has counted, `times` times.
  template <typename Machine>
  void add_machine(const Machine& sm, std::uint64_t times) {
    for (const auto& block : sm.blocks()) {
      make_room(block);
      block.account().booked().add_all(rows, times);
    }
    add_all_but_rows(sm, times);
  }

  /// Of what a block has booked, that from `from` on, which its log must reach.
  template <typename Block>
  void add_rows_since(BookingLog::Position from, const Block& block, std::uint64_t times) {
    make_room(block);
    block.account().booked().add_since(from, rows, times);
  }

  template <typename Machine>
  void add_all_but_rows(const Machine& sm, std::uint64_t times) {
    for (const auto& block : sm.blocks()) {
      add_up(pairs, block.account().pairs(), times);
      idle_slots += times * block.account().idle_slots();
      for (std::size_t p = 0; p < pipe_busy.size(); ++p) pipe_busy[p] += times * block.pipe_busy(p);
      const auto reads = block.bank_reads(sm.next());
      for (std::size_t b = 0; b < bank_reads.size(); ++b) bank_reads[b] += times * reads[b];
    }
  }

 private:
  template <typename Block>
  void make_room(const Block& block) {
    rows.resize(std::max(rows.size(), block.account().booked().rows()));
  }

  void add_rows(const std::vector<Slots>& other, std::uint64_t times) {
    rows.resize(std::max(rows.size(), other.size()));
    for (std::size_t i = 0; i < other.size(); ++i)
      for (std::size_t r = 0; r < kStallReasonCount; ++r) rows[i][r] += times * other[i][r];
  }

  static void add_up(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& other,
                     std::uint64_t times) {
    sum.resize(std::max(sum.size(), other.size()));
    for (std::size_t i = 0; i < other.size(); ++i) sum[i] += times * other[i];
  }
};

}  // namespace smsim
