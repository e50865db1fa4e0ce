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
/// a fixed-latency result takes the same bank's write port, the load waits, and all behind it. With
/// special functions, and with the fixed-latency results that those put off by a cycle, it shares
/// one way to the banks, so there it waits whatever the bank is. A load that has found its port
/// taken in kPatience cycles running stops the read pipeline kAskToStop cycles later, once for each
/// further cycle in which it is still taken. Source: H200, loads among FFMAs of either destination
/// parity, 280 loops with a special function's result around a load's, 728 with a load that
/// finds its port taken by each of a hundred FFMAs; Huerta et al., MICRO 2025, sec. 5.3.
class LoadWriteBack {
 public:
  void add(const LoadReturn& load) {
    const StaticInst& inst = *load.inst;
    const int step = registers_a_cycle(inst);
    const int steps = std::max(1, (inst.write_count + step - 1) / step);
    queue_.push_back({load, step, steps, load.at - (steps - 1), 0, false});
  }

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
    if (head.ready > now) return false;
    if (blocked(inst, head.written * head.step, head.step, now, fixed, special)) {
      if (++waited_ >= kPatience) ask(now, head);
      return false;
    }
    waited_ = 0;
    sink.wrote(now, head.load.block, head.load.warp, inst, head.written + 1 >= head.steps);
    ++head.ready;
    if (++head.written < head.steps) return true;
    // one that has stopped the pipeline is released a cycle later
    releases.add(now + memory_path::kWriteToRelease + (head.asked ? 1 : 0), head.load.warp,
                 inst.write_barrier, inst.scoreboard, true);
    queue_.pop_front();
    return true;
  }

  /// Whether a load that has waited for too long keeps the read pipeline from moving.
  bool stops(Cycle now) const { return stops_.taken(0, now); }
  /// The last cycle in which one does, as far as is known.
  Cycle last_stop() const { return stops_.last(); }

  Cycle next_after(Cycle now, Cycle best) const {
    if (queue_.empty()) return best;
    return std::min(best, std::max(now + 1, queue_.front().ready));
  }

  template <typename Writer>
  void save(const StaticInst* code, Cycle now, Writer& out) const {
    out.put(queue_.size());
    for (const Entry& e : queue_) {
      out.put(e.load.inst - code);
      out.put(e.load.warp);
      out.put(e.written);
      out.put(e.asked ? 1 : 0);
      out.time(e.ready, now);
    }
    out.put(waited_);
    stops_.save(1, now, out);
  }

 private:
  struct Entry {
    LoadReturn load;
    int step;     ///< registers that it writes in a cycle
    int steps;    ///< cycles in which it writes
    Cycle ready;  ///< when the next ones are there
    int written;  ///< cycles in which it has written
    bool asked;   ///< it has stopped the read pipeline
  };

  void ask(Cycle now, Entry& head) {
    head.asked = true;
    stops_.take(0, now + kAskToStop);
  }

  static int registers_a_cycle(const StaticInst& inst) {
    if (inst.memory.global) return 1;
    return std::max(1, inst.write_count / std::max<int>(1, inst.memory.passes));
  }

  /// A special function's mark is the cycle behind the one in which its result would meet that of a
  /// load; a fixed-latency result that it puts off takes the next.
  static bool blocked(const StaticInst& inst, int first, int count, Cycle slot,
                      const BankPorts& fixed, const BankPorts& special) {
    const BankSet by_fixed = fixed.taken(slot);
    for (int i = first; i < std::min<int>(first + count, inst.write_count); ++i)
      if ((by_fixed >> inst.write_banks[static_cast<std::size_t>(i)] & 1U) != 0) return true;
    return special.taken(slot + 1) != 0 || (special.taken(slot) & fixed.taken(slot - 1)) != 0;
  }

  static constexpr int kPatience = 16;    ///< cycles in which a load finds its port taken
  static constexpr Cycle kAskToStop = 3;  ///< and then to the pipeline's standstill

  Ring<Entry> queue_;
  int waited_ = 0;   ///< cycles in which the first one found its port taken
  BankPorts stops_;  ///< row 0: cycles in which the read pipeline stands still for it
};

}  // namespace smsim
