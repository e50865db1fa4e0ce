// SPDX-License-Identifier: MIT
// One warp's way through an iteration: how far apart its control words, branches and barriers keep
// any two of its instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"

namespace smsim::analysis {

/// A wait that holds: `to` cannot issue before the barrier that `from` raised is lowered.
struct BarrierEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  int distance = 0;
  int cycles = 0;  ///< on an idle machine
  int barrier = 0;
  bool write = true;  ///< the result is written, or else the sources are read
};

/// What holds one warp back whatever the other warps do. Every figure is a lower limit, so that
/// sums of them are bounds.
class WarpPath {
 public:
  /// `warps` resident on the SM take part in BAR.SYNC.
  WarpPath(const CompiledLoop& loop, const Arch& arch, int warps);

  /// Cycles from an instruction's issue to that of the next one, by stall count, yield and branch.
  int control_cycles(std::size_t i) const { return control_[i]; }

  /// BAR.SYNC: from each to the first instruction that is held by it for sure. They hold from the
  /// first warp's instruction to that of any, which is as good for a bound.
  const std::vector<BarrierEdge>& syncs() const { return syncs_; }

  /// The code line behind a taken branch's target: edges of the fetch.
  const std::vector<BarrierEdge>& fetches() const { return fetches_; }

  /// Dependency barriers, from each raise to the first wait on it.
  const std::vector<BarrierEdge>& barriers() const { return barriers_; }

  /// Cycles from the issue of `from` to that of `to` of `distance` (0 or 1) iterations later that
  /// the hardware enforces: control words, and the barriers that `from` raises.
  int enforced(std::size_t from, std::size_t to, int distance) const;

  /// Issue to the release of the write barrier on an idle machine; 0 if it raises none.
  int write_latency(std::size_t i) const { return write_latency_[i]; }

 private:
  void add_controls(const CompiledLoop& loop, const Arch& arch);
  void add_syncs(const CompiledLoop& loop, const Arch& arch, int warps);
  void add_fetches(const CompiledLoop& loop, const Arch& arch);
  void add_barriers(const CompiledLoop& loop, const Arch& arch);
  void add_wait(const CompiledLoop& loop, std::size_t from, int barrier, bool write, int cycles,
                int visible);
  int along(std::size_t from, std::size_t to, int distance) const;

  std::size_t length_;
  bool is_loop_;
  std::vector<int> control_;
  std::vector<int> before_;  ///< cycles from the first instruction to each, and to the next first
  std::vector<int> write_latency_;
  std::vector<BarrierEdge> syncs_;
  std::vector<BarrierEdge> fetches_;
  std::vector<BarrierEdge> barriers_;
};

}  // namespace smsim::analysis
