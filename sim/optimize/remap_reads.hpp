// SPDX-License-Identifier: MIT
// Remap, the reads: which reuse flags save a read under given register names, and a quick estimate
// of what the banks then cost.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "optimize/liveness.hpp"
#include "smsim/arch.hpp"

namespace smsim::optimize {

/// Register of each web.
using Names = std::vector<std::uint8_t>;

/// Instructions in the order in which a warp issues them, as far as latches and banks see them.
class ReadModel {
 public:
  /// `order`: indices into the function's instructions. `warps`: how many share a register file.
  ReadModel(const Function& function, const Arch& arch, const Liveness& live,
            const std::vector<std::size_t>& order, int warps);

  /// By place in the order: the reuse flags that save a read, a bit a slot. A flag saves a read if
  /// the warp's next use of the latch is of the same register, nothing writes it in between, and
  /// control comes straight from one to the other; it may not stand beside a yield request. Flags
  /// of instructions whose latches are not modelled (matrix units) are kept or dropped, never
  /// added.
  std::vector<std::uint8_t> best_flags(const Names& names) const;

  /// Cycles of an iteration as far as banks and stall counts make them, in 1/64; smaller parts tell
  /// names apart that cost the same, by how near to a conflict they are.
  long estimate(const Names& names) const;

  /// Webs that the instructions read through banks.
  const std::vector<int>& webs() const { return webs_; }

 private:
  struct Read {
    std::uint8_t slot = 0;
    bool may_flag = false;
    std::vector<int> webs;
  };
  struct Step {
    std::vector<Read> reads;
    std::vector<int> writes;
    std::uint8_t kind = 0;  ///< which latches: ordinary ones, a pipe's own, or none that we know
    bool begins = false;    ///< what was kept before does not reach it
    bool yield = false;
    int cycles = 1;  ///< to the next issue of a block, if nothing stands still
  };
  struct Next {
    int first = -1;  ///< register of the next use; -1: none that could find anything
    std::size_t count = 0;
    std::size_t step = 0;
    std::size_t read = 0;
  };
  static constexpr std::size_t kKinds = 3;
  static constexpr std::size_t kSlots = 4;
  static constexpr std::size_t kMaxBanks = 8;
  using Latches = std::array<std::array<std::array<Next, kSlots>, kMaxBanks>, kKinds>;

  class Clock;

  long crowding(const Step& step, std::uint8_t hits, const Names& names) const;
  Step make_step(const Function& function, const Arch& arch, const Liveness& live, std::size_t i,
                 int warps) const;
  std::size_t latch_bank(std::uint8_t kind, std::uint8_t reg) const;
  bool finds(const Latches& latches, const Step& step, const Read& read, const Names& names) const;
  void find_flags(const Names& names, std::vector<std::uint8_t>& flags,
                  std::vector<std::uint8_t>& hits) const;

  std::array<std::uint8_t, 256> bank_of_{};
  int window_ = 3;
  bool by_slot_ = false;  ///< an entry is of a slot, whatever the bank
  std::size_t usable_slots_ = 3;
  std::vector<Step> steps_;
  std::vector<int> webs_;
};

}  // namespace smsim::optimize
