// SPDX-License-Identifier: MIT
// Read plan: what an instruction has to read and which operand latches it uses, worked out once a
// program.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "isa/static_inst.hpp"
#include "operand/bank_ports.hpp"
#include "operand/operand_latches.hpp"

namespace smsim {

using ReadSet = std::uint16_t;  ///< bit i: read i of the instruction

constexpr ReadSet read_bit(std::size_t i) { return static_cast<ReadSet>(1U << i); }
constexpr bool has(ReadSet set, std::size_t i) { return (set >> i & 1U) != 0; }
constexpr std::size_t first_of(ReadSet set) {
  return static_cast<std::size_t>(std::countr_zero(set));
}
constexpr ReadSet without_first(ReadSet set) { return static_cast<ReadSet>(set & (set - 1)); }

struct ReadPlan {
  static constexpr std::size_t kMaxBanks = OperandLatches::kMaxBanks;

  static constexpr std::size_t kLatches = 4 * kMaxBanks;

  ReadPlan() { latch_at.fill(kLatches); }
  /// `usable_slots`: source slots in which the reuse flag does something.
  ReadPlan(const StaticInst& inst, std::size_t banks, std::size_t usable_slots) : ReadPlan() {
    kind = inst.own_latches ? 1 : 0;
    ends_all = inst.taken_branch || inst.yield;
    if (inst.reads_apart) return;
    for (std::size_t i = 0; i < inst.read_count; ++i) {
      const RegisterRead& read = inst.reads[i];
      const bool flagged = read.slot < usable_slots && ((inst.reuse >> read.slot) & 1U) != 0;
      const LatchSet latch = OperandLatches::bit(read.bank, read.slot);
      if (latch != 0) latch_at[i] = static_cast<std::uint8_t>(std::countr_zero(latch));
      owns |= latch;
      if (flagged) keeps |= latch;
      need[read.bank] = static_cast<ReadSet>(need[read.bank] | 1U << i);
      reads = static_cast<ReadSet>(reads | 1U << i);
      for (std::size_t b = 0; b < banks; ++b)
        if (inst.own_latches || b == read.bank) ends |= OperandLatches::bit(b, read.slot);
    }
    for (std::size_t i = 0; i < inst.read_count; ++i)
      if ((keeps & latch(i)) != 0) kept = static_cast<ReadSet>(kept | 1U << i);
  }

  /// The latch that read i fills, if any.
  LatchSet latch(std::size_t i) const {
    return static_cast<LatchSet>(std::uint64_t{1} << latch_at[i]);
  }

  std::array<ReadSet, kMaxBanks> need{};         ///< by bank: reads that may need it
  std::array<std::uint8_t, kMaxReads> latch_at;  ///< the number of each read's; kLatches: none
  ReadSet reads = 0;                             ///< that may need a bank
  ReadSet kept = 0;                              ///< whose operand stays behind by a reuse flag
  LatchSet owns = 0;                             ///< all of those latches
  LatchSet keeps = 0;                            ///< of those, what stays behind by a reuse flag
  LatchSet ends = 0;      ///< whose earlier contents end with this instruction
  std::uint8_t kind = 0;  ///< 1: latches of its own
  /// Taken branches and requests to yield end what the latches hold (H200, `en.*`: nothing else
  /// does, neither time nor a wait nor immediates).
  bool ends_all = false;
};

}  // namespace smsim
