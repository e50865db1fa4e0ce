// SPDX-License-Identifier: MIT
// Execution pipes of one processing block: when each can take the next instruction, and the queues
// in front of some.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// A pipe takes an instruction each `interval` cycles. Behind a queue, instructions issue while the
/// queue has room and start when the pipe gets to them; without one, issue waits for the pipe (H200
/// suite: `pipe.mufu.w1`, `pair.*`).
class Pipes {
 public:
  explicit Pipes(const Arch& arch) : pipes_(arch.pipes.size()) {
    for (std::size_t p = 0; p < pipes_.size(); ++p) {
      const auto entries = static_cast<std::size_t>(std::max(0, arch.pipes[p].queue_entries));
      pipes_[p].starts.assign(entries, 0);
    }
  }

  /// Earliest cycle at which the instruction's pipe (or its queue) can take it.
  Cycle room_at(const StaticInst& inst) const {
    const Cycle first = room_at(inst.pipe);
    if (inst.second_pipe < 0) return first;
    const Cycle second = room_at(static_cast<std::uint16_t>(inst.second_pipe));
    return inst.needs_both ? std::max(first, second) : std::min(first, second);
  }

  /// Takes an instruction at `at`; returns the cycle at which it starts. Where two pipes can run
  /// it, the second, which fewer classes may use, comes first.
  Cycle take(const StaticInst& inst, Cycle at) {
    if (inst.second_pipe < 0) return take(inst.pipe, at, inst.interval);
    const auto second = static_cast<std::uint16_t>(inst.second_pipe);
    if (inst.needs_both) {
      const Cycle start = take(second, at, inst.interval);
      return std::max(start, take(inst.pipe, at, inst.interval));
    }
    return take(room_at(second) <= at ? second : inst.pipe, at, inst.interval);
  }
  std::uint64_t busy(std::size_t pipe) const { return pipes_[pipe].busy; }
  void reset_counts() {
    for (auto& p : pipes_) p.busy = 0;
  }

  Cycle next_after(Cycle now, Cycle best) const {
    for (const Pipe& p : pipes_) {
      const Cycle at = p.starts.empty() ? p.free_at : p.starts[p.oldest];
      if (at > now) best = std::min(best, at);
    }
    return best;
  }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    for (const Pipe& p : pipes_) {
      out.time(p.free_at, now);
      for (std::size_t i = 0; i < p.starts.size(); ++i)
        out.time(p.starts[(p.oldest + i) % p.starts.size()], now);
    }
  }

 private:
  Cycle room_at(std::uint16_t pipe) const {
    const Pipe& p = pipes_[pipe];
    return p.starts.empty() ? p.free_at : p.starts[p.oldest];
  }

  Cycle take(std::uint16_t pipe, Cycle at, Cycle interval) {
    Pipe& p = pipes_[pipe];
    const Cycle start = std::max(at, p.free_at);
    p.free_at = start + interval;
    p.busy += static_cast<std::uint64_t>(interval);
    if (!p.starts.empty()) {
      p.starts[p.oldest] = start;
      p.oldest = (p.oldest + 1) % p.starts.size();
    }
    return start;
  }

  struct Pipe {
    Cycle free_at = 0;
    std::uint64_t busy = 0;
    std::vector<Cycle> starts;  ///< ring: start times of the instructions that fill the queue
    std::size_t oldest = 0;
  };
  std::vector<Pipe> pipes_;
};

}  // namespace smsim
