// SPDX-License-Identifier: MIT
// Load write-back of one processing block: returning loads write their registers where the write
// ports are free.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cycle.hpp"
#include "core/ring.hpp"
#include "execute/load_store_unit.hpp"
#include "execute/memory_path.hpp"
#include "operand/bank_ports.hpp"
#include "scoreboard/release_queue.hpp"

namespace smsim {

/// Loads write in the order of their return, a register (or the registers of a pass) a cycle. Where
/// a fixed-latency or special-function result takes the same bank's write port, the load waits, and
/// all behind it. Source: H200, loads among FFMAs of either destination parity; Huerta et al.,
/// MICRO 2025, sec. 5.3.
class LoadWriteBack {
 public:
  void add(const LoadReturn& load) { queue_.push_back({load, 0}); }

  bool empty() const { return queue_.empty(); }

  /// Whether the next write is of a result that came over the SM's return bus; special registers
  /// come another way.
  bool next_is_returned() const {
    return !queue_.empty() && queue_.front().load.inst->memory.wavefronts > 0;
  }

  /// Writes what is due and finds its write port free; false if there is nothing like that.
  template <typename Sink>
  bool tick(Cycle now, const BankPorts& fixed, const BankPorts& special, ReleaseQueue& releases,
            Sink& sink) {
    if (queue_.empty()) return false;
    Entry& head = queue_.front();
    const StaticInst& inst = *head.load.inst;
    const int step = registers_a_cycle(inst);
    if (ready(head) > now || blocked(inst, head.written * step, step, now, fixed, special))
      return false;
    sink.wrote(now, head.load.block, head.load.warp, inst, head.written + 1 >= steps(inst));
    if (++head.written < steps(inst)) return true;
    releases.add(now + memory_path::kWriteToRelease, head.load.warp, inst.write_barrier,
                 inst.scoreboard);
    queue_.pop_front();
    return true;
  }

  Cycle next_after(Cycle now, Cycle best) const {
    if (queue_.empty()) return best;
    return std::min(best, std::max(now + 1, ready(queue_.front())));
  }

  template <typename Writer>
  void save(const StaticInst* code, Cycle now, Writer& out) const {
    out.put(queue_.size());
    for (const Entry& e : queue_) {
      out.put(e.load.inst - code);
      out.put(e.load.warp);
      out.put(e.written);
      out.time(ready(e), now);
    }
  }

 private:
  struct Entry {
    LoadReturn load;
    int written;
  };

  static int registers_a_cycle(const StaticInst& inst) {
    if (inst.memory.global) return 1;
    return std::max(1, inst.write_count / std::max<int>(1, inst.memory.passes));
  }
  static int steps(const StaticInst& inst) {
    const int step = registers_a_cycle(inst);
    return std::max(1, (inst.write_count + step - 1) / step);
  }
  static Cycle ready(const Entry& e) { return e.load.at - (steps(*e.load.inst) - 1) + e.written; }

  static bool blocked(const StaticInst& inst, int first, int count, Cycle slot,
                      const BankPorts& fixed, const BankPorts& special) {
    for (int i = first; i < std::min<int>(first + count, inst.write_count); ++i) {
      const auto bank = inst.write_banks[static_cast<std::size_t>(i)];
      if (fixed.taken(bank, slot) || special.taken(bank, slot + 1)) return true;
    }
    return false;
  }

  Ring<Entry> queue_;
};

}  // namespace smsim
