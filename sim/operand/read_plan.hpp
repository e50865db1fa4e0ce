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
      need[read.bank] = static_cast<ReadSet>(need[read.bank] | 1U << i);
      need_banks |= BankSet{1} << read.bank;
      ++unserved;
      for (std::size_t b = 0; b < banks; ++b)
        if (inst.own_latches || b == read.bank) ends |= OperandLatches::bit(b, read.slot);
    }
  }

  std::array<ReadSet, kMaxBanks> need{};      ///< by bank: reads that may still need it
  std::array<LatchSet, kMaxReads> latches{};  ///< those that each read fills
  BankSet need_banks = 0;
  LatchSet owns = 0;          ///< all of those
  LatchSet keeps = 0;         ///< of those, what stays behind by a reuse flag
  LatchSet ends = 0;          ///< whose earlier contents end with this instruction
  std::uint8_t unserved = 0;  ///< reads that may still need a bank
  std::uint8_t kind = 0;      ///< 1: latches of its own
  /// Taken branches and requests to yield end what the latches hold (H200, `en.*`: nothing else
  /// does, neither time nor a wait nor immediates).
  bool ends_all = false;
};

}  // namespace smsim
