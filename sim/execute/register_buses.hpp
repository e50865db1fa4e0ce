// SPDX-License-Identifier: MIT
// Register buses of the SM: by which the registers of memory instructions come from the blocks to
// the load/store unit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cycle.hpp"
#include "smsim/arch.hpp"

namespace smsim {

enum class Bus : std::uint8_t {
  operands,  ///< all registers of an instruction but the last of its address
  last,      ///< that one, with which it is complete
  none
};

/// What the head of a block's memory queue asks for in this cycle.
struct BusRequest {
  bool asks = false;
  Bus bus = Bus::none;  ///< none: it reads no register
  Cycle since = 0;
  bool begun = false;    ///< some registers of its instruction have been read
  bool message = false;  ///< of an instruction without address whose data has been read

  /// Goes ahead of another one on the same bus.
  bool before(const BusRequest& other) const {
    if (message != other.message) return !message;
    return since != other.since ? since < other.since : begun && !other.begun;
  }
};

/// Each bus takes one register a cycle, the last ones each `last_register_interval_cycles`, the
/// oldest request first; of equally old ones the next behind the block that was served last.
/// Source: H200, bursts of memory instructions with 1 to 6 registers on 2 to 4 blocks: with three
/// registers each block gets one in 8 cycles, whichever of them are address and data. What has no
/// address (SHFL) is complete with a message on the bus of last registers, which waits until no
/// register wants it: blocks whose loads follow go ahead of another's SHFL that has been read
/// (`n1.pair.SH-L4`: 16 cycles).
class RegisterBuses {
 public:
  explicit RegisterBuses(const Arch& arch)
      : last_interval_(arch.memory.last_register_interval_cycles) {}

  /// The block whose request (one of each block) is next on `bus`; -1: there is none, or the bus is
  /// busy.
  int next(Bus bus, const std::vector<BusRequest>& requests, Cycle now) const {
    if (bus == Bus::last && now < last_free_) return -1;
    const std::size_t n = requests.size();
    std::size_t best = n;
    auto block = static_cast<std::size_t>(first_[index(bus)]);
    if (block >= n) block = 0;
    for (std::size_t k = 0; k < n; ++k, block = block + 1 < n ? block + 1 : 0) {
      const BusRequest& r = requests[block];
      if (!r.asks || r.bus != bus) continue;
      if (best == n || r.before(requests[best])) best = block;
    }
    return best < n ? static_cast<int>(best) : -1;
  }

  void served(Bus bus, int block, Cycle now) {
    first_[index(bus)] = block + 1;
    if (bus == Bus::last) last_free_ = now + last_interval_;
  }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    for (const int f : first_) out.put(f);
    out.time(last_free_, now);
  }

 private:
  static std::size_t index(Bus bus) { return static_cast<std::size_t>(bus); }

  Cycle last_interval_;
  Cycle last_free_ = 0;
  std::array<int, 2> first_{};
};

}  // namespace smsim
