// SPDX-License-Identifier: MIT
// Register feed: the port through which memory and special-function instructions read the register
// file.
#pragma once

#include <algorithm>

#include "core/cycle.hpp"
#include "operand/bank_ports.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// One register each `register_interval_cycles` and block (64 bytes a cycle). A read takes its
/// bank's port in that cycle ahead of the read pipeline (H200: conflicting FFMAs slip by one
/// cycle).
class RegisterFeed {
 public:
  explicit RegisterFeed(const Arch& arch) : interval_(arch.memory.register_interval_cycles) {}

  /// Reads a register of `bank` in the first cycle not before `at` that has room; returns that
  /// cycle.
  Cycle read(std::size_t bank, Cycle at) {
    while (!free(at) || ports_.taken(bank, at)) ++at;
    ports_.take(bank, at);
    for (Cycle i = 0; i < interval_; ++i) feed_.take(0, at + i);
    return at;
  }

  /// Whether a read goes on in that cycle.
  bool busy(Cycle at) const { return feed_.taken(0, at); }
  Cycle interval() const { return interval_; }
  const BankPorts& ports() const { return ports_; }

  template <typename Writer>
  void save(std::size_t banks, Cycle now, Writer& out) const {
    feed_.save(1, now, out);
    ports_.save(banks, now, out);
  }

 private:
  bool free(Cycle at) const {
    for (Cycle i = 0; i < interval_; ++i)
      if (feed_.taken(0, at + i)) return false;
    return true;
  }

  Cycle interval_;
  BankPorts feed_;   ///< row 0: cycles in which the feed is busy
  BankPorts ports_;  ///< bank ports that it takes
};

}  // namespace smsim
