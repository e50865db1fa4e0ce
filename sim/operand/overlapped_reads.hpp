// SPDX-License-Identifier: MIT
// Overlapped reads: registers are fetched out of sight, and a bank conflict inside an instruction
// costs a part of a cycle (Kepler).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "operand/bank_ports.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// A K20m loses 2.33 % of its single-issue FFMA throughput when two sources lie in one bank and
/// 17.17 % when three do (Zhang et al., PPoPP'17, observation 1). One read a bank and cycle would
/// lose half and two thirds, so most of the reads overlap with something; nobody has published with
/// what. What shows is charged here as it was measured: each instruction with a conflict adds
/// thousandths of a cycle to a debt, and when a whole cycle is owed, the front end stands still for
/// it. The two numbers are fitted.
class OverlappedReads {
 public:
  static constexpr std::size_t kMaxBanks = 8;
  static constexpr std::size_t kPorts = 2;  ///< instructions that may issue in one cycle

  struct Plans {};
  static Plans plans_of(const Arch& /*arch*/, const std::vector<StaticInst>& /*code*/) {
    return {};
  }

  OverlappedReads(const Arch& arch, std::size_t /*warps*/, const std::vector<StaticInst>& /*code*/,
                  Plans /*plans*/)
      : cost_{0, 0, arch.register_file.two_way_conflict_permille,
              arch.register_file.three_way_conflict_permille} {}

  struct Op {
    const StaticInst* inst = nullptr;
    std::uint32_t warp = 0;

    /// Nobody stays in the last stage for its own sake.
    static int held_before(Cycle /*now*/) { return 0; }
  };
  using Place = std::array<Op, kPorts>;

  template <typename Served>
  void serve(Cycle /*now*/, Cycle /*time*/, const BankPorts& /*ports*/, Served served) {
    if (stopped_) return;
    for (const Op& op : place_) {
      if (op.inst == nullptr || op.inst->reads_apart) continue;
      for (std::size_t i = 0; i < op.inst->read_count; ++i) {
        ++total_[op.inst->reads[i].bank];
        served(op, i);
      }
    }
  }

  const Op* last(Cycle /*now*/) const { return place_[0].inst != nullptr ? &place_[0] : nullptr; }
  const Place& leaving() const { return place_; }
  bool blocked(Cycle /*now*/) const { return debt_ >= kCycle; }
  bool holds(Cycle /*now*/) const { return false; }

  /// A cycle of the debt is paid.
  void stop(Cycle /*now*/, Cycle /*time*/, bool /*own*/) {
    debt_ -= kCycle;
    stopped_ = true;
  }
  void shift(Cycle /*now*/) {
    stopped_ = false;
    for (Op& op : place_) op.inst = nullptr;
  }

  void accept(std::uint32_t warp, const StaticInst& inst, Cycle /*now*/, Cycle /*time*/) {
    Op& op = place_[place_[0].inst == nullptr ? 0 : 1];
    op = {&inst, warp};
    if (!inst.reads_apart) debt_ += cost_[worst_bank(inst)];
  }

  bool empty() const { return place_[0].inst == nullptr; }
  Cycle next_turn() const { return empty() ? kNever : 0; }
  const std::array<std::uint64_t, kMaxBanks>& reads(Cycle /*now*/) const { return total_; }
  void reset_counts(Cycle /*now*/) { total_ = {}; }

  template <typename Writer>
  void save(const StaticInst* code, Cycle /*time*/, Cycle /*now*/, Writer& out) const {
    out.put(debt_);
    out.put(stopped_ ? 1 : 0);
    for (const Op& op : place_) {
      out.put(op.inst != nullptr ? op.inst - code + 1 : 0);
      if (op.inst != nullptr) out.put(op.warp);
    }
  }

 private:
  static constexpr int kCycle = 1000;

  /// How many different registers the instruction reads from the bank that it reads most, 3 at
  /// most.
  std::size_t worst_bank(const StaticInst& inst) const {
    std::array<std::size_t, kMaxBanks> reads{};
    std::size_t most = 0;
    for (std::size_t i = 0; i < inst.read_count; ++i) {
      const auto same = [&](const RegisterRead& r) { return r.reg == inst.reads[i].reg; };
      const auto* begin = inst.reads.data();
      if (std::any_of(begin, begin + i, same)) continue;
      most = std::max(most, ++reads[inst.reads[i].bank]);
    }
    return std::min<std::size_t>(most, 3);
  }

  std::array<int, 4> cost_;  ///< by reads of one bank
  int debt_ = 0;
  bool stopped_ = false;
  Place place_{};
  std::array<std::uint64_t, kMaxBanks> total_{};
};

}  // namespace smsim
