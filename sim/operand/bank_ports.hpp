// SPDX-License-Identifier: MIT
// Bank ports: cycles in which a register bank's port is taken ahead of time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/cycle.hpp"

namespace smsim {

using BankSet = std::uint32_t;  ///< bit b: bank b

/// For an operand stage whose reads nobody wants to hear of.
struct NobodySees {
  template <typename Op>
  void operator()(const Op& /*op*/, std::size_t /*index*/) const {}
};

/// A calendar of the next cycles for all banks. A cell holds the cycle that it is for, so nothing
/// has to be cleared.
class BankPorts {
 public:
  static constexpr std::size_t kMaxBanks = 8;
  static constexpr Cycle kHorizon = 64;

  bool taken(std::size_t bank, Cycle at) const { return (taken(at) >> bank & 1U) != 0; }
  /// The banks whose port is taken.
  BankSet taken(Cycle at) const {
    const Cell& cell = cells_[index(at)];
    return cell.at == stamp(at) ? cell.banks : 0;
  }
  void take(std::size_t bank, Cycle at) {
    Cell& cell = cells_[index(at)];
    if (cell.at != stamp(at)) cell = {stamp(at), 0};
    cell.banks |= BankSet{1} << bank;
    last_ = std::max(last_, at);
    ++takes_;
  }

  /// The latest cycle in which a port is taken.
  Cycle last() const { return last_; }
  /// How often one was taken.
  std::uint64_t takes() const { return takes_; }

  template <typename Writer>
  void save(std::size_t banks, Cycle from, Writer& out) const {
    const Cycle end = std::min(from + kHorizon / 2 - 1, last_);
    for (std::size_t b = 0; b < banks; ++b) {
      std::uint64_t bits = 0;
      for (Cycle at = from; at <= end; ++at)
        bits |= static_cast<std::uint64_t>(taken(b, at)) << (at - from);
      out.put(bits);
    }
  }

 private:
  struct Cell {
    std::uint32_t at = UINT32_MAX;  ///< of the cycle, what tells it from its neighbours
    BankSet banks = 0;
  };
  static std::uint32_t stamp(Cycle at) { return static_cast<std::uint32_t>(at); }
  static std::size_t index(Cycle at) {
    return static_cast<std::size_t>(at + kHorizon) % static_cast<std::size_t>(kHorizon);
  }
  std::array<Cell, kHorizon> cells_{};
  Cycle last_ = -1;
  std::uint64_t takes_ = 0;
};

}  // namespace smsim
