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

  /// Reads a register of `bank`, not before `at`; returns the cycle of the read.
  Cycle read(std::size_t bank, Cycle at) {
    Cycle s = std::max(at, free_at_);
    while (ports_.taken(bank, s)) ++s;
    ports_.take(bank, s);
    free_at_ = s + interval_;
    return s;
  }

  Cycle free_at() const { return free_at_; }
  Cycle interval() const { return interval_; }
  const BankPorts& ports() const { return ports_; }

  template <typename Writer>
  void save(std::size_t banks, Cycle now, Writer& out) const {
    out.time(free_at_, now);
    ports_.save(banks, now, out);
  }

 private:
  Cycle interval_;
  Cycle free_at_ = 0;
  BankPorts ports_;
};

}  // namespace smsim
