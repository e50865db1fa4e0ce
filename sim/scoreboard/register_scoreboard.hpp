// SPDX-License-Identifier: MIT
// Register scoreboard: registers of a warp that a variable-latency instruction has yet to write
// (Kepler).
#pragma once

#include <array>
#include <cstdint>

#include "isa/static_inst.hpp"
#include "scoreboard/release_queue.hpp"

namespace smsim {

/// An instruction waits while a register that it reads or writes is pending. Kepler's control words
/// have no wait masks, so the hardware must know; fixed latencies are left to the stall counts.
class RegisterScoreboard {
 public:
  static constexpr int kRegisters = 255;  ///< RZ is never pending

  void raise(PendingRegisters which) {
    for (int r = which.first; r < which.first + which.count && r < kRegisters; ++r)
      if (pending_[static_cast<std::size_t>(r)]++ == 0) ++registers_;
  }
  void lower(PendingRegisters which) {
    for (int r = which.first; r < which.first + which.count && r < kRegisters; ++r) {
      auto& n = pending_[static_cast<std::size_t>(r)];
      if (n > 0 && --n == 0) --registers_;
    }
  }
  /// Whether the instruction reads or writes a register that is pending.
  bool holds(const StaticInst& inst) const {
    if (registers_ == 0) return false;
    for (std::size_t i = 0; i < inst.read_count; ++i)
      if (pending(inst.reads[i].reg)) return true;
    for (int i = 0; i < inst.write_count; ++i)
      if (pending(inst.write_first + i)) return true;
    return false;
  }
  bool pending(int reg) const {
    return reg < kRegisters && pending_[static_cast<std::size_t>(reg)] > 0;
  }

  template <typename Writer>
  void save(Writer& out) const {
    out.put(registers_);
    if (registers_ == 0) return;
    for (std::size_t r = 0; r < pending_.size(); ++r)
      if (pending_[r] > 0) {
        out.put(r);
        out.put(pending_[r]);
      }
  }

 private:
  std::array<std::uint8_t, kRegisters> pending_{};
  int registers_ = 0;
};

}  // namespace smsim
