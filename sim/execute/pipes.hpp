// SPDX-License-Identifier: MIT
// Execution pipes of one processing block: when each can take the next instruction.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// A pipe takes an instruction each `interval` cycles. A warp whose next instruction's pipe is busy
/// is not eligible (H200: all triples of seven opcodes and `pipe.*.w8` exact). All times are on the
/// front end's clock.
class Pipes {
 public:
  explicit Pipes(const Arch& arch) : pipes_(arch.pipes.size()) {
    for (std::size_t p = 0; p < pipes_.size(); ++p)
      pipes_[p].extra_every = static_cast<std::uint32_t>(arch.pipes[p].extra_cycle_every);
  }

  /// Earliest cycle at which the pipe can take an instruction.
  Cycle room_at(std::uint16_t pipe) const { return pipes_[pipe].free_at; }

  /// Of two pipes that could run it: an overflow pipe only while the first is busy. Else the
  /// second, unless that one was chosen in the cycle before. Settled when the instruction is first
  /// considered, and waited for whatever becomes free.
  std::uint16_t choose(const StaticInst& inst, Cycle now) const {
    if (inst.second_pipe < 0 || inst.needs_both) return inst.pipe;
    const auto second = static_cast<std::uint16_t>(inst.second_pipe);
    if (inst.overflows) return room_at(inst.pipe) <= now ? inst.pipe : second;
    return pipes_[second].chosen_at == now - 1 ? inst.pipe : second;
  }

  /// Whether the instruction can issue to `pipe` (and its second one, if it needs both) at `now`.
  bool can_take(const StaticInst& inst, std::uint16_t pipe, Cycle now) const {
    return room_at(inst, pipe) <= now;
  }
  Cycle room_at(const StaticInst& inst, std::uint16_t pipe) const {
    if (!inst.needs_both) return room_at(pipe);
    return std::max(room_at(pipe), room_at(static_cast<std::uint16_t>(inst.second_pipe)));
  }

  /// Takes an instruction at `at`; returns the cycle at which it starts.
  Cycle take(const StaticInst& inst, std::uint16_t pipe, Cycle at) {
    if (inst.second_pipe == static_cast<std::int16_t>(pipe)) {
      pipes_[pipe].chosen_at = at;
      if (inst.overflows) return occupy(pipe, at, inst.second_interval);
    }
    if (inst.needs_both) occupy(static_cast<std::uint16_t>(inst.second_pipe), at, inst.interval);
    return occupy(pipe, at, inst.interval);
  }

  std::size_t count() const { return pipes_.size(); }
  std::uint64_t busy(std::size_t pipe) const { return pipes_[pipe].busy; }
  void reset_counts() {
    for (auto& p : pipes_) p.busy = 0;
  }

  Cycle next_after(Cycle now, Cycle best) const {
    for (const Pipe& p : pipes_) {
      if (p.free_at > now) best = std::min(best, p.free_at);
    }
    return best;
  }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    for (const Pipe& p : pipes_) {
      out.time(p.free_at, now);
      out.put(p.chosen_at == now - 1 ? 1 : 0);
      if (p.extra_every > 0) out.put(p.taken);
    }
  }

 private:
  Cycle occupy(std::uint16_t pipe, Cycle at, Cycle interval) {
    Pipe& p = pipes_[pipe];
    const Cycle start = std::max(at, p.free_at);
    if (p.extra_every > 0 && ++p.taken == p.extra_every) {
      p.taken = 0;
      ++interval;
    }
    p.free_at = start + interval;
    p.busy += static_cast<std::uint64_t>(interval);
    return start;
  }

  struct Pipe {
    Cycle free_at = 0;
    Cycle chosen_at = -2;  ///< when an instruction that could have run elsewhere took it
    std::uint64_t busy = 0;
    std::uint32_t extra_every = 0;  ///< see Pipe::extra_cycle_every
    std::uint32_t taken = 0;        ///< since the last such instruction
  };
  std::vector<Pipe> pipes_;
};

}  // namespace smsim
