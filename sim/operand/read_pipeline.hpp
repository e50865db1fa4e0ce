// SPDX-License-Identifier: MIT
// Read pipeline: the stages behind issue in which an instruction fetches its registers (Volta and
// later).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "operand/bank_ports.hpp"
#include "operand/operand_latches.hpp"
#include "operand/read_plan.hpp"
#include "operand/recent_results.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Instructions move one stage a cycle: `read_delay_cycles` stages of control and allocation, then
/// `read_window_cycles` in which registers are read. In each cycle each bank serves one read
/// (`read_ports_per_bank`), of the oldest instruction first. Every bank has an operand latch a
/// source slot; a read waits while an older instruction in the read stages owns the latch of the
/// same bank and slot, filled or not, and needs no bank if that one leaves the operand behind. FP64
/// and HFMA2.MMA have latches of their own. An instruction in the last stage with reads left stops
/// the whole pipeline and the front end with it; the banks go on serving. A result that left less
/// than kFromBank cycles ago is found on its bypass, in the first cycle of the last stage; whoever
/// stays there longer waits until it is in the bank. Source: H200, 2167 loops of operand pairs,
/// triples, reuse and pipe mixes, 1432 windows of random loops, 9460 loops of fresh results, 7900
/// of flags, all exact; suite `bank.*`, `bankmix.*`, `bankwin.*`, `stamps.conf*`.
class ReadPipeline {
 public:
  static constexpr std::size_t kMaxBanks = ReadPlan::kMaxBanks;
  static constexpr std::size_t kMaxStages = 16;

  ReadPipeline(const Arch& arch, std::size_t warps, const std::vector<StaticInst>& code)
      : banks_(static_cast<std::size_t>(arch.register_file.banks)),
        ports_(arch.register_file.read_ports_per_bank),
        first_read_(static_cast<std::size_t>(arch.register_file.read_delay_cycles)),
        stages_(first_read_ + static_cast<std::size_t>(arch.register_file.read_window_cycles)),
        results_(warps),
        kept_{OperandLatches(arch.reuse_cache.slots, arch.register_file.banks),
              OperandLatches(arch.reuse_cache.slots, arch.register_file.banks)},
        code_(code.data()) {
    for (const StaticInst& inst : code) plans_.emplace_back(inst, banks_, kept_[0].usable());
  }

  struct Op {
    const StaticInst* inst = nullptr;
    std::uint32_t warp = 0;
    std::uint8_t held = 0;    ///< cycles that it has stayed in the last stage for its own sake
    bool read_again = false;  ///< its second reads are done
    RecentResults::Id result = 0;
    Cycle entered = 0;     ///< its first cycle in the last stage
    ReadPlan todo;         ///< what is left of its plan
    ReadSet expected = 0;  ///< what an older instruction may leave in a latch
    ReadSet fresh = 0;     ///< what may not be in its bank yet
    std::array<RecentResults::Id, kMaxReads> producer{};
  };

  /// Serves the banks for one cycle, where `ports` does not have their ports already; `seen` hears
  /// of each read as (operation, index of the read).
  template <typename Seen>
  void serve(Cycle now, const BankPorts& ports, Seen&& seen) {
    if (!any_unserved()) return;
    BankSet free = all_banks();
    for (std::size_t b = 0; b < banks_; ++b)
      if (ports.taken(b, now)) free &= ~bank_bit(b);
    serve_once(now, free, seen);
    for (int p = 1; p < ports_; ++p) serve_once(now, all_banks(), seen);
    keep_bypass(now, free);
  }

  /// The instruction in the last stage; null if the stage is empty.
  const Op* last() const {
    const Op& op = at(stages_ - 1);
    return op.inst != nullptr ? &op : nullptr;
  }

  /// Whether the last stage's instruction still waits for a bank.
  bool blocked() const {
    const Op* op = last();
    return op != nullptr && op->todo.unserved > 0;
  }

  /// Whether the last stage's instruction stays for its own sake; counts the cycle. IMAD.WIDE and
  /// IMAD.HI read their sources a second time, from the bank alone (H200: 305 of 306 loops).
  bool holds(Cycle now) {
    Op& op = at(stages_ - 1);
    if (op.inst == nullptr || op.inst->hold == 0 || op.read_again) return false;
    if (++op.held >= op.inst->hold && all_in_bank(op, now)) op.read_again = true;
    return true;
  }

  /// The pipeline stands still in this cycle: what it holds stays where it is.
  void stop() {}

  /// Moves every instruction one stage on; the last one leaves.
  void shift(Cycle now) {
    if (const Op* op = last(); op == nullptr) {
      spoilt_ = {};
    } else {
      --occupied_;
      ++left_;
      if (op->result != 0) results_.leave(op->result, now + op->inst->write_delay);
      leave_latches(*op, now);
    }
    first_ = (first_ + kMaxStages - 1) % kMaxStages;
    at(stages_ - 1).entered = now + 1;
    at(0).inst = nullptr;
    now_ = now;
  }

  /// Takes the instruction that a warp issues at the front end's `time` into the first stage.
  void accept(std::uint32_t warp, const StaticInst& inst, Cycle time) {
    Op& op = at(0);
    op.inst = &inst;
    op.warp = warp;
    op.held = 0;
    op.read_again = false;
    op.result = 0;
    op.todo = plans_[static_cast<std::size_t>(&inst - code_)];
    op.expected = 0;
    op.fresh = 0;
    const Turn turn = left_ + occupied_++;
    if (op.todo.unserved > 0) plan_reads(op);
    leave_later(op, turn);
    if (inst.reads_apart) return;
    if (inst.route == Route::dispatch && inst.write_count > 0)
      op.result = results_.issue(warp, inst, time);
  }

  bool empty() const { return occupied_ == 0; }

  /// Reads of each bank since the last reset.
  const std::array<std::uint64_t, kMaxBanks>& reads() const { return total_; }
  void reset_counts() { total_ = {}; }

  template <typename Writer>
  void save(const StaticInst* code, Cycle time, Cycle now, Writer& out) const {
    for (std::size_t s = 0; s < stages_; ++s) {
      const Op& op = at(s);
      out.put(op.inst != nullptr ? op.inst - code + 1 : 0);
      if (op.inst == nullptr) continue;
      out.put(op.warp);
      out.put(op.held * 2 + (op.read_again ? 1 : 0));
      for (std::size_t b = 0; b < banks_; ++b) out.put(op.todo.need[b]);
      out.put(op.expected);
      if (s + 1 == stages_) out.put(std::min<Cycle>(now - op.entered, kAfterStop));
    }
    results_.save(code, time, now, out);
    for (const OperandLatches& latches : kept_) latches.save(out);
    out.put(spoilt_);
  }

 private:
  static constexpr Cycle kFromBank = 6;
  static constexpr Cycle kAfterStop = 8;

  Op& at(std::size_t stage) { return ops_[(first_ + stage) % kMaxStages]; }
  const Op& at(std::size_t stage) const { return ops_[(first_ + stage) % kMaxStages]; }

  static BankSet bank_bit(std::size_t bank) { return BankSet{1} << bank; }
  BankSet all_banks() const { return bank_bit(banks_) - 1; }

  static bool is_fresh(const Op& op, std::size_t i) { return (op.fresh >> i & 1U) != 0; }

  /// Whether read i finds its value on the bypass in the first cycle of the last stage. Sooner, the
  /// stall count was too short for this pair of units: the bank's old value is read like any other.
  bool bypassed(const Op& op, std::size_t i, Cycle now) const {
    if (!is_fresh(op, i)) return false;
    const Cycle age = results_.age(op.producer[i], now);
    return age >= results_.forwarded_from(op.producer[i], *op.inst) && age < kFromBank;
  }

  bool too_soon(const Op& op, std::size_t i) const {
    return results_.age(op.producer[i], op.entered) <
           results_.forwarded_from(op.producer[i], *op.inst);
  }

  bool readable(const Op& op, std::size_t i, bool last_stage, Cycle now) const {
    const Cycle age = results_.age(op.producer[i], now);
    if (age < 0) return true;
    if (!last_stage) return age >= kFromBank;
    return op.entered == now || age >= kAfterStop || too_soon(op, i);
  }

  /// Whether an instruction in the stages with reads still waits for a bank.
  bool any_unserved() const {
    for (std::size_t s = first_read_; s < stages_; ++s)
      if (at(s).inst != nullptr && at(s).todo.unserved > 0) return true;
    return false;
  }

  /// Latches whose last user has left: does it hold what this one needs?
  void find_in_latches(Op& op, LatchSet owned) {
    for (ReadSet left = op.expected; left != 0; left = static_cast<ReadSet>(left & (left - 1))) {
      const auto i = static_cast<std::size_t>(std::countr_zero(left));
      if ((op.todo.latches[i] & owned) == 0) settle(op, i);
    }
  }

  void settle(Op& op, std::size_t i) {
    const RegisterRead& r = op.inst->reads[i];
    op.expected = static_cast<ReadSet>(op.expected & ~(1U << i));
    if (kept_[op.todo.kind].holds(op.warp, r.bank, r.slot, r.reg))
      done(op, i);
    else
      merge(op, i, op.inst->read_count);
  }

  /// A register that is named twice is read once and fills both latches: read i and the first of
  /// `others` that still needs it.
  void merge(Op& op, std::size_t i, std::size_t others) {
    if (!op.inst->repeats_register) return;
    const RegisterRead& r = op.inst->reads[i];
    for (std::size_t j = 0; j < others; ++j) {
      if (j == i || op.inst->reads[j].reg != r.reg) continue;
      if (((op.todo.need[r.bank] & ~op.expected) >> j & 1) == 0) continue;
      op.todo.latches[j] |= op.todo.latches[i];
      done(op, i);
      return;
    }
  }

  /// Read i needs its bank no more.
  void done(Op& op, std::size_t i) {
    const std::size_t bank = op.inst->reads[i].bank;
    ReadSet& need = op.todo.need[bank];
    need = static_cast<ReadSet>(need & ~(1U << i));
    if (need == 0) op.todo.need_banks &= ~bank_bit(bank);
    --op.todo.unserved;
  }

  /// What a leaving instruction leaves behind. A value that it took from the bypass went past the
  /// latch. A slot of FP64 and HFMA2.MMA is one 64-bit latch: a use in one bank ends the other's.
  void leave_latches(const Op& op, Cycle now) {
    const StaticInst& inst = *op.inst;
    OperandLatches& latches = kept_[op.todo.kind];
    const LatchSet spoilt = std::exchange(spoilt_, LatchSet{});
    latches.clear(op.todo.ends);
    for (std::size_t i = 0; i < inst.read_count && op.todo.keeps != 0; ++i) {
      const RegisterRead& r = inst.reads[i];
      if ((op.todo.keeps & OperandLatches::bit(r.bank, r.slot)) == 0) continue;
      const LatchSet latch = OperandLatches::bit(r.bank, r.slot);
      if (inst.own_latches || !bypassed(op, i, now)) {
        if ((spoilt & latch) == 0) latches.keep(op.warp, r.bank, r.slot, r.reg);
      } else {
        spoilt_ |= latch;
        spoil_behind(latch, r.bank);
      }
    }
    if (!op.todo.ends_all) return;
    for (OperandLatches& each : kept_) each.clear(each.filled());
  }

  /// A flagged value from the bypass ends the latch a cycle late: what the next instruction leaves
  /// there is lost, and what it found there if it has latches of its own (H200, `m2.hrr`,
  /// `m2.arr`).
  void spoil_behind(LatchSet latch, std::size_t bank) {
    Op& op = at(stages_ - 2);
    if (op.inst != nullptr && op.todo.kind == 1) {
      for (std::size_t i = 0; i < op.inst->read_count; ++i) {
        const RegisterRead& r = op.inst->reads[i];
        if (OperandLatches::bit(r.bank, r.slot) != latch || (op.todo.need[bank] >> i & 1U) != 0 ||
            !kept_[1].holds(op.warp, r.bank, r.slot, r.reg))
          continue;
        op.fresh = static_cast<ReadSet>(op.fresh & ~(1U << i));
        op.todo.need[bank] = static_cast<ReadSet>(op.todo.need[bank] | 1U << i);
        op.todo.need_banks |= bank_bit(bank);
        ++op.todo.unserved;
      }
    }
    kept_[1].clear(latch);
  }

  /// One read of each free bank, for the oldest instruction that can use it.
  template <typename Seen>
  void serve_once(Cycle now, BankSet free, Seen&& seen) {
    std::array<LatchSet, 2> older{};  // latches of older instructions, by kind
    for (std::size_t s = stages_; s-- > first_read_;) {
      Op& op = at(s);
      if (op.inst == nullptr) continue;
      LatchSet& owned = older[op.todo.kind];
      if (op.todo.unserved == 0) {
        owned |= op.todo.owns;
        continue;
      }
      if (op.expected != 0) find_in_latches(op, owned);
      for (BankSet banks = op.todo.need_banks & free; banks != 0; banks &= banks - 1) {
        const auto b = static_cast<std::size_t>(std::countr_zero(banks));
        const int i = choose(op, b, s + 1 == stages_, owned, now);
        if (i < 0) continue;
        free &= ~bank_bit(b);
        done(op, static_cast<std::size_t>(i));
        ++total_[b];
        seen(op, static_cast<std::size_t>(i));
      }
      owned |= op.todo.owns;
    }
  }

  /// A bank that the feed took does not end the first cycle of the last stage for what waits there
  /// for its bypass (H200, `m2.sfu*`: 10 of 1200 loops).
  void keep_bypass(Cycle now, BankSet free) {
    Op& op = at(stages_ - 1);
    if (op.inst == nullptr || op.entered != now || (op.todo.need_banks & ~free) == 0) return;
    for (std::size_t i = 0; i < op.inst->read_count; ++i) {
      const std::size_t b = op.inst->reads[i].bank;
      if ((op.todo.need[b] >> i & 1U) != 0 && (free & bank_bit(b)) == 0 && bypassed(op, i, now))
        op.entered = now + 1;
    }
  }

  /// The source with the youngest forwarded result, then in slot order; -1: none can be read.
  int choose(const Op& op, std::size_t b, bool last_stage, LatchSet owned, Cycle now) const {
    int best = -1;
    Cycle best_age = kAfterStop;
    for (auto need = static_cast<ReadSet>(op.todo.need[b] & ~op.expected); need != 0;
         need = static_cast<ReadSet>(need & (need - 1))) {
      const auto i = static_cast<std::size_t>(std::countr_zero(need));
      if ((op.todo.latches[i] & owned) != 0) continue;
      const bool fresh = is_fresh(op, i);
      if (fresh && !readable(op, i, last_stage, now)) continue;
      const bool forwarded = fresh && !(last_stage && too_soon(op, i));
      const Cycle age = forwarded ? results_.age(op.producer[i], now) : kAfterStop;
      if (best >= 0 && age >= best_age) continue;
      best = static_cast<int>(i);
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

  /// Which reads find their operand in a latch, perhaps, and which do so on a bypass.
  void plan_reads(Op& op) {
    const StaticInst& inst = *op.inst;
    for (std::size_t i = 0; i < inst.read_count; ++i) {
      op.producer[i] = results_.writer(op.warp, inst.reads[i].reg);
      if (results_.age(op.producer[i], now_) < kAfterStop)
        op.fresh = static_cast<ReadSet>(op.fresh | 1U << i);
    }
    if ((op.todo.owns & filled_[op.todo.kind]) != 0)
      for (std::size_t i = 0; i < inst.read_count; ++i)
        if (will_be_left(op, i)) op.expected = static_cast<ReadSet>(op.expected | 1U << i);
    for (std::size_t i = 1; i < inst.read_count && inst.repeats_register; ++i)
      if ((op.expected >> i & 1U) == 0) merge(op, i, i);
  }

  /// Whether the last older user of the latch, in the pipeline or gone, may leave the operand.
  bool will_be_left(const Op& op, std::size_t i) const {
    const std::size_t kind = op.todo.kind;
    if ((op.todo.latches[i] & filled_[kind]) == 0) return false;
    const RegisterRead& read = op.inst->reads[i];
    const User& user = users_[kind][4U * read.bank + read.slot];
    if (user.turn >= left_) return leaves(user, op.warp, read);
    return kept_[kind].holds(op.warp, read.bank, read.slot, read.reg);
  }

  /// How many instructions have come before: those from left_ on are in the pipeline.
  using Turn = std::int64_t;

  /// The last instruction that leaves something in a latch.
  struct User {
    Turn turn = -1;
    const StaticInst* inst = nullptr;
    std::uint32_t warp = 0;
  };

  static bool leaves(const User& user, std::uint32_t warp, const RegisterRead& read) {
    if (user.warp != warp) return false;
    const auto end = user.inst->reads.begin() + user.inst->read_count;
    return std::any_of(user.inst->reads.begin(), end, [&](const RegisterRead& r) {
      return r.slot == read.slot && r.reg == read.reg;
    });
  }

  /// What the latches will hold when this instruction has left.
  void leave_later(const Op& op, Turn turn) {
    LatchSet& filled = filled_[op.todo.kind];
    filled = (filled & ~op.todo.ends) | op.todo.keeps;
    for (LatchSet left = op.todo.keeps; left != 0; left &= left - 1)
      users_[op.todo.kind][static_cast<std::size_t>(std::countr_zero(left))] = {turn, op.inst,
                                                                                op.warp};
    if (op.todo.ends_all) filled_ = {};
  }

  std::size_t banks_;
  int ports_;
  std::size_t first_read_;
  std::size_t stages_;
  int occupied_ = 0;
  RecentResults results_;
  std::array<OperandLatches, 2>
      kept_;             ///< of ordinary instructions, and of those with latches of their own
  LatchSet spoilt_ = 0;  ///< in which the instruction that leaves next leaves nothing
  std::array<LatchSet, 2> filled_{};  ///< latches that may hold something when all have left
  std::array<std::array<User, 4 * kMaxBanks>, 2> users_{};  ///< of those, by kind and latch
  Turn left_ = 0;                                           ///< instructions that have left
  Cycle now_ = 0;                                           ///< when the pipeline moved last
  const StaticInst* code_;
  std::vector<ReadPlan> plans_;       ///< by instruction of the code
  std::array<Op, kMaxStages> ops_{};  ///< a ring: the first stage is at first_
  std::size_t first_ = 0;
  std::array<std::uint64_t, kMaxBanks> total_{};
};

}  // namespace smsim
