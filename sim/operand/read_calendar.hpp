// SPDX-License-Identifier: MIT
// Read calendar: in which of the next cycles the instructions in the read pipeline will read which
// register banks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cycle.hpp"
#include "operand/bank_ports.hpp"

namespace smsim {

/// A cell holds the cycle that it is for, so nothing has to be cleared as time goes on.
class ReadCalendar {
 public:
  explicit ReadCalendar(int ports)
      : more_ports_(static_cast<std::size_t>(ports) - 1), more_(more_ports_ * kHorizon) {}

  /// The banks whose `port` is taken at `at`; the first one's by others, too.
  BankSet taken(Cycle at, std::size_t port) const {
    const Cell& cell = cells_[index(at)];
    if (cell.at != stamp(at)) return 0;
    return port == 0 ? BankSet{cell.read} | cell.fed : more_[index(at) * more_ports_ + port - 1];
  }
  /// Of the first ports, those that others take.
  BankSet fed(Cycle at) const {
    return cells_[index(at)].at == stamp(at) ? cells_[index(at)].fed : 0;
  }

  /// The first cycle from `at` on in which the bank's first port is free.
  Cycle first_free(std::size_t bank, Cycle at) const {
    for (;; ++at) {
      const Cell& cell = cells_[index(at)];
      if (cell.at != stamp(at) || ((cell.read | cell.fed) >> bank & 1U) == 0) return at;
    }
  }

  void take(std::size_t bank, Cycle at) {
    std::uint8_t& read = cell_of(at).read;
    read = static_cast<std::uint8_t>(read | 1U << bank);
    last_ = std::max(last_, at);
  }
  void take(std::size_t bank, Cycle at, std::size_t port) {
    if (port == 0) return take(bank, at);
    cell_of(at);
    more_[index(at) * more_ports_ + port - 1] |= BankSet{1} << bank;
    last_ = std::max(last_, at);
  }

  /// Others take the first ports of these banks; true if some of them were to be read.
  bool feed(BankSet banks, Cycle at) {
    Cell& cell = cell_of(at);
    cell.fed = static_cast<std::uint8_t>(cell.fed | banks);
    return (cell.read & banks) != 0;
  }

  /// Forgets the reads from cycle `from` on.
  void clear_from(Cycle from) {
    for (Cycle at = from; at <= last_; ++at) {
      cell_of(at).read = 0;
      clear_more(at);
    }
    last_ = std::min(last_, from - 1);
  }

 private:
  /// More than the instructions in the pipeline can wait for results and banks one after another.
  static constexpr std::size_t kHorizon = 256;

  struct Cell {
    std::uint32_t at = UINT32_MAX;  ///< of the cycle, what tells it from its neighbours
    std::uint8_t read = 0;
    std::uint8_t fed = 0;
  };
  static std::uint32_t stamp(Cycle at) { return static_cast<std::uint32_t>(at); }

  static std::size_t index(Cycle at) { return static_cast<std::size_t>(at) % kHorizon; }
  Cell& cell_of(Cycle at) {
    Cell& cell = cells_[index(at)];
    if (cell.at != stamp(at)) {
      cell = {stamp(at), 0, 0};
      clear_more(at);
    }
    return cell;
  }
  void clear_more(Cycle at) {
    if (more_ports_ == 0) return;
    std::fill_n(more_.begin() + static_cast<std::ptrdiff_t>(index(at) * more_ports_), more_ports_,
                0);
  }

  std::size_t more_ports_;  ///< beside the first
  std::array<Cell, kHorizon> cells_{};
  static_assert(BankPorts::kMaxBanks <= 8);
  std::vector<BankSet> more_;  ///< what is read through them, by cell and port
  Cycle last_ = -1;
};

}  // namespace smsim
