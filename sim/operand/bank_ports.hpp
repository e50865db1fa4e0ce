// SPDX-License-Identifier: MIT
// Bank ports: cycles in which a register bank's port is taken ahead of time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/cycle.hpp"

namespace smsim {

/// A calendar of the next cycles for each bank. Cells hold the cycle that took them, so nothing has
/// to be cleared.
class BankPorts {
 public:
  static constexpr std::size_t kMaxBanks = 8;
  static constexpr Cycle kHorizon = 64;

  BankPorts() {
    for (auto& bank : cells_) bank.fill(-1);
  }

  bool taken(std::size_t bank, Cycle at) const { return cells_[bank][cell(at)] == at; }
  void take(std::size_t bank, Cycle at) { cells_[bank][cell(at)] = at; }

  template <typename Writer>
  void save(std::size_t banks, Cycle from, Writer& out) const {
    for (std::size_t b = 0; b < banks; ++b) {
      std::uint64_t bits = 0;
      for (Cycle i = 0; i < kHorizon / 2; ++i)
        bits |= static_cast<std::uint64_t>(taken(b, from + i)) << i;
      out.put(bits);
    }
  }

 private:
  static std::size_t cell(Cycle at) {
    return static_cast<std::size_t>(at + kHorizon) % static_cast<std::size_t>(kHorizon);
  }
  std::array<std::array<Cycle, kHorizon>, kMaxBanks> cells_;
};

}  // namespace smsim
