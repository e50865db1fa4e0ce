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
#include "operand/recent_results.hpp"
#include "operand/reuse_cache.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Instructions move one stage a cycle: `read_delay_cycles` stages of control and allocation, then
/// `read_window_cycles` in which registers are read. In each cycle each bank serves one read
/// (`read_ports_per_bank`), of the oldest instruction first. Every bank has an operand latch a
/// source slot; a read waits while an older instruction in the read stages owns the latch of the
/// same bank and slot, filled or not. FP64 and HFMA2.MMA have latches of their own. An instruction
/// in the last stage with reads left stops the whole pipeline and the front end with it; the banks
/// go on serving. A result that left less than kFromBank cycles ago is forwarded to the last stage
/// only, and after a standstill nothing younger than kAfterStop is. Source: H200, 2167 loops of
/// operand pairs, triples, reuse and pipe mixes and 1432 windows of random loops, all exact; suite
/// `bank.*`, `bankmix.*`, `bankwin.*`, `stamps.conf*`.
class ReadPipeline {
 public:
  static constexpr std::size_t kMaxBanks = 8;
  static constexpr std::size_t kMaxStages = 16;

  ReadPipeline(const Arch& arch, std::size_t warps)
      : banks_(static_cast<std::size_t>(arch.register_file.banks)),
        ports_(arch.register_file.read_ports_per_bank),
        first_read_(static_cast<std::size_t>(arch.register_file.read_delay_cycles)),
        stages_(first_read_ + static_cast<std::size_t>(arch.register_file.read_window_cycles)),
        results_(warps),
        reuse_{ReuseCache(arch.reuse_cache.slots, arch.register_file.banks),
               ReuseCache(arch.reuse_cache.slots, arch.register_file.banks)} {}

  struct Op {
    const StaticInst* inst = nullptr;
    std::uint32_t warp = 0;
    std::uint8_t held = 0;    ///< cycles that it has stayed in the last stage for its own sake
    bool read_again = false;  ///< its second reads are done
    RecentResults::Id result = 0;
    std::array<std::uint16_t, kMaxBanks> need{};    ///< bit i: read i is still to be served
    std::array<std::uint8_t, kMaxBanks> owns{};     ///< bit s: uses the latch of slot s
    std::array<std::uint8_t, kMaxReads> latches{};  ///< slots that read i fills
    std::array<RecentResults::Id, kMaxReads> producer{};
  };

  /// Serves the banks for one cycle, where `ports` does not have their ports already; `seen` hears
  /// of each read as (operation, index of the read).
  template <typename Seen>
  void serve(Cycle now, const BankPorts& ports, Seen&& seen) {
    if (occupied_ == 0) return;
    for (std::size_t b = 0; b < banks_; ++b)
      for (int p = ports.taken(b, now) ? 1 : 0; p < ports_; ++p)
        if (!serve_bank(b, now, seen)) break;
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

  /// Whether the last stage's instruction stays for its own sake; counts the cycle. IMAD.WIDE and
  /// IMAD.HI read their sources a second time, from the bank alone (H200: 305 of 306 loops).
  bool holds(Cycle now) {
    Op& op = ops_[stages_ - 1];
    if (op.inst == nullptr || op.inst->hold == 0 || op.read_again) return false;
    if (++op.held >= op.inst->hold && all_in_bank(op, now)) op.read_again = true;
    return true;
  }

  /// The pipeline stands still in this cycle.
  void stop() { moved_ = false; }

  /// Moves every instruction one stage on; the last one leaves.
  void shift(Cycle now) {
    moved_ = true;
    if (const Op* op = last(); op != nullptr) {
      --occupied_;
      if (op->result != 0) results_.leave(op->result, now + op->inst->write_delay);
    }
    for (std::size_t s = stages_ - 1; s > 0; --s) ops_[s] = ops_[s - 1];
    ops_[0].inst = nullptr;
  }

  /// Takes the instruction that a warp issues at the front end's `time` into the first stage.
  void accept(std::uint32_t warp, const StaticInst& inst, Cycle time) {
    Op& op = ops_[0];
    op = {};
    op.inst = &inst;
    op.warp = warp;
    ++occupied_;
    if (inst.reads_apart) return;
    for (std::size_t i = 0; i < inst.read_count; ++i) add_read(op, inst, i, time);
    if (inst.route == Route::dispatch && inst.write_count > 0)
      op.result = results_.issue(warp, inst, time);
  }

  bool empty() const { return occupied_ == 0; }

  /// Reads of each bank since the last reset.
  const std::array<std::uint64_t, kMaxBanks>& reads() const { return total_; }
  void reset_counts() { total_ = {}; }

  template <typename Writer>
  void save(const StaticInst* code, Cycle time, Cycle now, Writer& out) const {
    out.put(moved_ ? 1 : 0);
    for (std::size_t s = 0; s < stages_; ++s) {
      const Op& op = ops_[s];
      out.put(op.inst != nullptr ? op.inst - code + 1 : 0);
      if (op.inst == nullptr) continue;
      out.put(op.warp);
      out.put(op.held * 2 + (op.read_again ? 1 : 0));
      for (std::size_t b = 0; b < banks_; ++b) out.put(op.need[b]);
    }
    results_.save(code, time, now, out);
    for (const ReuseCache& cache : reuse_) cache.save(results_, out);
  }

 private:
  static constexpr Cycle kFromBank = 6;
  static constexpr Cycle kAfterStop = 8;
  static constexpr Cycle kNoInterlock =
      4;  ///< a source read this soon is a program error, and is not waited for

  bool readable(std::size_t stage, Cycle age) const {
    if (age < 0) return true;
    if (moved_) return stage + 1 == stages_ || age >= kFromBank;
    return age >= kAfterStop || (stage + 1 == stages_ && age < kNoInterlock);
  }

  /// One read of one bank: the oldest instruction first; inside it the source with the youngest
  /// forwarded result, then in slot order.
  template <typename Seen>
  bool serve_bank(std::size_t b, Cycle now, Seen&& seen) {
    std::array<unsigned, 2> older{};
    for (std::size_t s = stages_; s-- > first_read_;) {
      Op& op = ops_[s];
      if (op.inst == nullptr) continue;
      unsigned& owned = older[op.inst->own_latches ? 1 : 0];
      const int i = op.need[b] != 0 ? choose(op, b, s, owned, now) : -1;
      owned |= op.owns[b];
      if (i < 0) continue;
      op.need[b] = static_cast<std::uint16_t>(op.need[b] & ~(1U << i));
      ++total_[b];
      seen(op, static_cast<std::size_t>(i));
      return true;
    }
    return false;
  }

  int choose(const Op& op, std::size_t b, std::size_t stage, unsigned owned, Cycle now) const {
    int best = -1;
    Cycle best_age = kAfterStop;
    for (std::uint16_t need = op.need[b]; need != 0;
         need = static_cast<std::uint16_t>(need & (need - 1))) {
      const int i = std::countr_zero(need);
      if ((op.latches[static_cast<std::size_t>(i)] & owned) != 0) continue;
      const Cycle age = results_.age(op.producer[static_cast<std::size_t>(i)], now);
      if (!readable(stage, age)) continue;
      if (best >= 0 && age >= best_age) continue;
      best = i;
      best_age = std::min(age, kAfterStop);
    }
    return best;
  }

  bool all_in_bank(const Op& op, Cycle now) const {
    for (std::size_t i = 0; i < op.inst->read_count; ++i) {
      const Cycle age = results_.age(op.producer[i], now);
      if (age >= 0 && age < kAfterStop) return false;
    }
    return true;
  }

  void add_read(Op& op, const StaticInst& inst, std::size_t i, Cycle time) {
    const RegisterRead& r = inst.reads[i];
    const bool has_slot = r.slot < ReuseCache::kSlots;
    const auto latch = static_cast<std::uint8_t>(has_slot ? 1U << r.slot : 0U);
    const bool flag = has_slot && ((inst.reuse >> r.slot) & 1U) != 0;
    ReuseCache& cache = reuse_[inst.own_latches ? 1 : 0];
    op.owns[r.bank] = static_cast<std::uint8_t>(op.owns[r.bank] | latch);
    op.producer[i] = results_.writer(op.warp, r.reg);
    if (has_slot && cache.access(op.warp, r.bank, r.slot, r.reg, flag, results_, time)) return;
    // a register that is named twice is read once and fills both latches
    for (std::size_t j = 0; j < i; ++j) {
      if (inst.reads[j].reg != r.reg || ((op.need[r.bank] >> j) & 1U) == 0) continue;
      op.latches[j] = static_cast<std::uint8_t>(op.latches[j] | latch);
      return;
    }
    op.latches[i] = latch;
    op.need[r.bank] = static_cast<std::uint16_t>(op.need[r.bank] | 1U << i);
  }

  std::size_t banks_;
  int ports_;
  std::size_t first_read_;
  std::size_t stages_;
  int occupied_ = 0;
  bool moved_ = true;
  RecentResults results_;
  std::array<ReuseCache, 2>
      reuse_;  ///< of ordinary instructions, and of those with latches of their own
  std::array<Op, kMaxStages> ops_{};
  std::array<std::uint64_t, kMaxBanks> total_{};
};

}  // namespace smsim
