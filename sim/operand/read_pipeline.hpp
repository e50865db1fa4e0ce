// SPDX-License-Identifier: MIT
// Read pipeline: the stages behind issue in which an instruction fetches its registers (Volta and
// later).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "operand/bank_ports.hpp"
#include "operand/reuse_cache.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Instructions move one stage a cycle. In each cycle each bank serves one read
/// (`read_ports_per_bank`), of the oldest instruction first; every bank has one operand latch a
/// source slot, so a read waits while an older instruction in the pipeline owns the latch of the
/// same bank and slot, filled or not. An instruction that reaches the last stage with reads left
/// stops the whole pipeline and the front end with it; the banks go on serving. Source: H200, 1134
/// loops of operand pairs, triples and quadruples (all exact); suite `bank.*`, `bankmix.*`,
/// `bankwin.*`, `stamps.conf*`.
class ReadPipeline {
 public:
  static constexpr std::size_t kMaxBanks = 8;
  static constexpr std::size_t kMaxStages = 8;

  explicit ReadPipeline(const Arch& arch)
      : banks_(static_cast<std::size_t>(arch.register_file.banks)),
        ports_(arch.register_file.read_ports_per_bank),
        stages_(static_cast<std::size_t>(arch.register_file.read_window_cycles)),
        reuse_(arch.reuse_cache.slots, arch.register_file.banks) {}

  struct Op {
    const StaticInst* inst = nullptr;
    std::uint32_t warp = 0;
    std::uint8_t held = 0;  ///< cycles that it has stayed in the last stage for its own sake
    std::array<std::uint16_t, kMaxBanks> need{};    ///< bit i: read i is still to be served
    std::array<std::uint8_t, kMaxBanks> owns{};     ///< bit s: uses the latch of slot s
    std::array<std::uint8_t, kMaxReads> latches{};  ///< slots that read i fills
  };

  /// Serves the banks for one cycle, where `ports` does not have their ports already.
  void serve(Cycle now, const BankPorts& ports) {
    if (occupied_ == 0) return;
    for (std::size_t b = 0; b < banks_; ++b) {
      int left = ports.taken(b, now) ? 0 : ports_;
      unsigned older = 0;
      for (std::size_t s = stages_; s-- > 0 && left > 0;) {
        Op& op = ops_[s];
        if (op.inst == nullptr) continue;
        for (std::uint16_t need = op.need[b]; need != 0 && left > 0;
             need = static_cast<std::uint16_t>(need & (need - 1))) {
          const auto i = static_cast<std::size_t>(std::countr_zero(need));
          if ((op.latches[i] & older) != 0) continue;
          op.need[b] = static_cast<std::uint16_t>(op.need[b] & ~(1U << i));
          --left;
          ++total_[b];
        }
        older |= op.owns[b];
      }
    }
  }

  /// The instruction in the last stage; null if the stage is empty.
  const Op* last() const {
    return ops_[stages_ - 1].inst != nullptr ? &ops_[stages_ - 1] : nullptr;
  }

  /// Whether the last stage's instruction still waits for a bank.
  bool blocked() const {
    const Op* op = last();
    if (op == nullptr) return false;
    for (std::size_t b = 0; b < banks_; ++b)
      if (op->need[b] != 0) return true;
    return false;
  }

  /// Whether the last stage's instruction stays for its own sake (IMAD.WIDE and the like); counts
  /// the cycle.
  bool holds() {
    Op& op = ops_[stages_ - 1];
    if (op.inst == nullptr || op.held >= op.inst->hold) return false;
    ++op.held;
    return true;
  }

  /// Moves every instruction one stage on; the last one leaves.
  void shift() {
    if (last() != nullptr) --occupied_;
    for (std::size_t s = stages_ - 1; s > 0; --s) ops_[s] = ops_[s - 1];
    ops_[0].inst = nullptr;
  }

  /// Takes the instruction that a warp issues in this cycle into the first stage.
  void accept(std::uint32_t warp, const StaticInst& inst) {
    Op& op = ops_[0];
    op = {};
    op.inst = &inst;
    op.warp = warp;
    ++occupied_;
    if (inst.reads_apart) return;
    for (std::size_t i = 0; i < inst.read_count; ++i) add_read(op, inst, i);
  }

  bool empty() const { return occupied_ == 0; }
  /// Cycles from issue to the stage from which an instruction leaves.
  Cycle depth() const { return static_cast<Cycle>(stages_); }

  /// Reads of each bank since the last reset.
  const std::array<std::uint64_t, kMaxBanks>& reads() const { return total_; }
  void reset_counts() { total_ = {}; }

  template <typename Writer>
  void save(const StaticInst* code, Writer& out) const {
    for (std::size_t s = 0; s < stages_; ++s) {
      const Op& op = ops_[s];
      out.put(op.inst != nullptr ? op.inst - code + 1 : 0);
      if (op.inst == nullptr) continue;
      out.put(op.warp);
      out.put(op.held);
      for (std::size_t b = 0; b < banks_; ++b) out.put(op.need[b]);
    }
    reuse_.save(out);
  }

 private:
  void add_read(Op& op, const StaticInst& inst, std::size_t i) {
    const RegisterRead& r = inst.reads[i];
    const bool has_slot = r.slot < ReuseCache::kSlots;
    const auto latch = static_cast<std::uint8_t>(has_slot ? 1U << r.slot : 0U);
    const bool flag = has_slot && ((inst.reuse >> r.slot) & 1U) != 0;
    op.owns[r.bank] = static_cast<std::uint8_t>(op.owns[r.bank] | latch);
    if (has_slot && reuse_.access(static_cast<int>(op.warp), r.bank, r.slot, r.reg, flag)) return;
    // a register that is named twice is read once and fills both latches
    if (r.same_as >= 0) {
      const auto first = static_cast<std::size_t>(r.same_as);
      if ((op.need[r.bank] >> first & 1U) != 0) {
        op.latches[first] = static_cast<std::uint8_t>(op.latches[first] | latch);
        return;
      }
    }
    op.latches[i] = latch;
    op.need[r.bank] = static_cast<std::uint16_t>(op.need[r.bank] | 1U << i);
  }

  std::size_t banks_;
  int ports_;
  std::size_t stages_;
  int occupied_ = 0;
  ReuseCache reuse_;
  std::array<Op, kMaxStages> ops_{};
  std::array<std::uint64_t, kMaxBanks> total_{};
};

}  // namespace smsim
