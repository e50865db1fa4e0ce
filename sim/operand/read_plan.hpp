// SPDX-License-Identifier: MIT
// Read plan: what an instruction has to read and which operand latches it uses, worked out once a
// program.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/static_inst.hpp"
#include "operand/operand_latches.hpp"

namespace smsim {

using BankSet = std::uint32_t;
using ReadSet = std::uint16_t;  ///< bit i: read i of the instruction

struct ReadPlan {
  static constexpr std::size_t kMaxBanks = OperandLatches::kMaxBanks;

  ReadPlan() = default;
  /// `usable_slots`: source slots in which the reuse flag does something.
  ReadPlan(const StaticInst& inst, std::size_t banks, std::size_t usable_slots) {
    kind = inst.own_latches ? 1 : 0;
    ends_all = inst.taken_branch || inst.yield;
    if (inst.reads_apart) return;
    for (std::size_t i = 0; i < inst.read_count; ++i) {
      const RegisterRead& read = inst.reads[i];
      const bool flagged = read.slot < usable_slots && ((inst.reuse >> read.slot) & 1U) != 0;
      latches[i] = OperandLatches::bit(read.bank, read.slot);
      owns |= latches[i];
      if (flagged) keeps |= latches[i];
      of_bank[read.bank] = static_cast<ReadSet>(of_bank[read.bank] | 1U << i);
      banks_used |= BankSet{1} << read.bank;
      reads = static_cast<ReadSet>(reads | 1U << i);
      for (std::size_t b = 0; b < banks; ++b)
        if (inst.own_latches || b == read.bank) ends |= OperandLatches::bit(b, read.slot);
    }
    for (std::size_t i = 0; i < inst.read_count; ++i)
      if ((keeps & latches[i]) != 0) kept = static_cast<ReadSet>(kept | 1U << i);
  }

  std::array<ReadSet, kMaxBanks> of_bank{};   ///< reads of each bank
  std::array<LatchSet, kMaxReads> latches{};  ///< those that each read fills
  BankSet banks_used = 0;
  LatchSet owns = 0;      ///< all latches that its reads fill
  LatchSet keeps = 0;     ///< of those, what stays behind by a reuse flag
  LatchSet ends = 0;      ///< whose earlier contents end with this instruction
  ReadSet reads = 0;      ///< all of them
  ReadSet kept = 0;       ///< those whose latch keeps something
  std::uint8_t kind = 0;  ///< 1: latches of its own
  /// Taken branches and requests to yield end what the latches hold (H200, `en.*`: nothing else
  /// does, neither time nor a wait nor immediates).
  bool ends_all = false;
};

}  // namespace smsim
