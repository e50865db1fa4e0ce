// SPDX-License-Identifier: MIT
// Operand collector: the two places behind issue in which instructions gather their registers
// (Maxwell, Pascal).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "operand/bank_ports.hpp"
#include "operand/slot_reuse.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Instructions move one place a cycle, in order: `read_delay_cycles` without reads, then
/// `read_window_cycles` in which each bank serves one register a cycle (`read_ports_per_bank`), of
/// the oldest instruction first. If the instruction in the last place still lacks a register,
/// nothing moves and nothing issues in that cycle; the banks serve their reads all the same. A
/// register named twice is read once. Two instructions that issue together share a place.
/// Source: published grids of a GM107: `mxw-bank-*` and `mxw-reuse-*`, 485 loops within 1.0 %; with
/// one place 34 %, with three 1.6 % and up to 33 %. That stall counters stand still with it shows
/// in `mxw-reusestall-*` and `mxw-reuseswitch-*`: 2.7 % with it, 9.8 % without.
class OperandCollector {
 public:
  static constexpr std::size_t kMaxBanks = 8;
  static constexpr std::size_t kMaxStages = 16;
  static constexpr std::size_t kPorts = 2;  ///< instructions that may issue in one cycle

  struct Plans {};
  static Plans plans_of(const Arch& /*arch*/, const std::vector<StaticInst>& /*code*/) {
    return {};
  }

  OperandCollector(const Arch& arch, std::size_t /*warps*/, const std::vector<StaticInst>& /*code*/,
                   Plans /*plans*/)
      : banks_(static_cast<std::size_t>(arch.register_file.banks)),
        ports_(arch.register_file.read_ports_per_bank),
        first_read_(static_cast<std::size_t>(arch.register_file.read_delay_cycles)),
        stages_(first_read_ + static_cast<std::size_t>(arch.register_file.read_window_cycles)),
        reuse_(arch.reuse_cache) {}

  struct Op {
    const StaticInst* inst = nullptr;
    std::uint32_t warp = 0;
    std::array<std::uint16_t, kMaxBanks> need{};  ///< bit i: read i is still to be served

    /// Nobody stays in the last stage for its own sake.
    static int held_before(Cycle /*now*/) { return 0; }
  };
  using Place = std::array<Op, kPorts>;

  /// Serves the banks for one cycle, where `ports` does not have their ports already;
  /// `served(op, index)` hears of each read.
  template <typename Served>
  void serve(Cycle now, Cycle /*time*/, const BankPorts& ports, Served served) {
    if (occupied_ == 0) return;
    for (std::size_t b = 0; b < banks_; ++b)
      for (int p = ports.taken(b, now) ? 1 : 0; p < ports_; ++p)
        if (!serve_bank(b, served)) break;
  }

  /// The older instruction in the last place; null if it is empty.
  const Op* last(Cycle /*now*/) const {
    const Op& op = places_[stages_ - 1][0];
    return op.inst != nullptr ? &op : nullptr;
  }
  const Place& leaving() const { return places_[stages_ - 1]; }

  bool blocked(Cycle /*now*/) const {
    for (const Op& op : leaving()) {
      if (op.inst == nullptr) continue;
      for (std::size_t b = 0; b < banks_; ++b)
        if (op.need[b] != 0) return true;
    }
    return false;
  }
  bool holds(Cycle /*now*/) const { return false; }
  void stop(Cycle /*now*/, Cycle /*time*/, bool /*own*/) {}

  void shift(Cycle /*now*/) {
    for (Op& op : places_[stages_ - 1])
      if (op.inst != nullptr) --occupied_;
    for (std::size_t s = stages_ - 1; s > 0; --s) places_[s] = places_[s - 1];
    for (Op& op : places_[0]) op.inst = nullptr;
  }

  /// Takes an instruction that issues at the front end's `time` into the first place.
  void accept(std::uint32_t warp, const StaticInst& inst, Cycle /*now*/, Cycle time) {
    Op& op = places_[0][places_[0][0].inst == nullptr ? 0 : 1];
    op = {};
    op.inst = &inst;
    op.warp = warp;
    ++occupied_;
    if (inst.reads_apart) return;
    for (std::size_t i = 0; i < inst.read_count; ++i) add_read(op, inst, i, time);
  }

  bool empty() const { return occupied_ == 0; }
  Cycle next_turn() const { return empty() ? kNever : 0; }

  /// Reads of each bank since the last reset.
  const std::array<std::uint64_t, kMaxBanks>& reads(Cycle /*now*/) const { return total_; }
  void reset_counts(Cycle /*now*/) { total_ = {}; }

  template <typename Writer>
  void save(const StaticInst* code, Cycle time, Cycle /*now*/, Writer& out) const {
    for (std::size_t s = 0; s < stages_; ++s)
      for (const Op& op : places_[s]) {
        out.put(op.inst != nullptr ? op.inst - code + 1 : 0);
        if (op.inst == nullptr) continue;
        out.put(op.warp);
        for (std::size_t b = 0; b < banks_; ++b) out.put(op.need[b]);
      }
    reuse_.save(time, out);
  }

 private:
  template <typename Served>
  bool serve_bank(std::size_t b, Served served) {
    for (std::size_t s = stages_; s-- > first_read_;)
      for (Op& op : places_[s]) {
        if (op.inst == nullptr || op.need[b] == 0) continue;
        const int i = std::countr_zero(op.need[b]);
        op.need[b] = static_cast<std::uint16_t>(op.need[b] & ~(1U << i));
        ++total_[b];
        served(op, static_cast<std::size_t>(i));
        return true;
      }
    return false;
  }

  void add_read(Op& op, const StaticInst& inst, std::size_t i, Cycle time) {
    const RegisterRead& r = inst.reads[i];
    if (r.slot < SlotReuse::kSlots) {
      const bool flag = ((inst.reuse >> r.slot) & 1U) != 0;
      if (inst.unyielding != 0)
        reuse_.pass_by(r.slot, time);
      else if (reuse_.access(op.warp, r.slot, r.reg, flag, time))
        return;
    }
    for (std::size_t j = 0; j < i; ++j)
      if (inst.reads[j].reg == r.reg && ((op.need[r.bank] >> j) & 1U) != 0) return;
    op.need[r.bank] = static_cast<std::uint16_t>(op.need[r.bank] | 1U << i);
  }

  std::size_t banks_;
  int ports_;
  std::size_t first_read_;
  std::size_t stages_;
  int occupied_ = 0;
  SlotReuse reuse_;
  std::array<Place, kMaxStages> places_{};
  std::array<std::uint64_t, kMaxBanks> total_{};
};

}  // namespace smsim
