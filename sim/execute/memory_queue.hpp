// SPDX-License-Identifier: MIT
// Memory queue of one processing block: issued memory instructions that fetch their registers and
// wait for the SM's load/store unit.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cycle.hpp"
#include "core/ring.hpp"
#include "execute/load_store_unit.hpp"
#include "execute/memory_path.hpp"
#include "execute/register_buses.hpp"
#include "isa/static_inst.hpp"
#include "operand/register_feed.hpp"
#include "scoreboard/release_queue.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// In order. An instruction holds one of `queue_entries` entries from issue until its registers are
/// read (its read release; a global access one cycle more). Behind the read pipeline its head reads
/// data registers in ascending order, then the address (the high word of a 64-bit one first): an
/// address in the cycle in which it is granted, data a cycle later. Source: H200, bursts of k
/// memory instructions on 1 to 4 blocks, all exact; suite `war.*`, `pipe.lds*`, `pipe.sts*`.
class MemoryQueue {
 public:
  explicit MemoryQueue(const Arch& arch)
      : entries_(static_cast<std::size_t>(arch.memory.queue_entries)),
        interval_(arch.memory.instruction_interval_cycles),
        hold_(arch.memory.entry_hold_cycles) {}

  /// Earliest cycle at which an instruction may issue to it, as far as is known: kNever while no
  /// entry is about to end.
  Cycle room_at() const {
    if (unread_.size() + frees_.size() < entries_) return last_free_;
    return frees_.empty() ? kNever : frees_.front();
  }

  /// Gives back the entries that ended up to `now`.
  void tick(Cycle now) {
    while (!frees_.empty() && frees_.front() <= now) {
      last_free_ = frees_.front();
      frees_.pop_front();
    }
  }

  /// An instruction issues: it holds an entry from now on.
  void reserve(const UnitOrder& order) { unread_.push_back(order); }

  /// It has left the read pipeline and may start to read at `at`.
  void enter(const StaticInst& inst, std::uint32_t warp, Cycle at) {
    queue_.push_back({&inst, warp, at});
  }

  /// What the head asks of the SM in this cycle.
  BusRequest wants(Cycle now) const {
    if (queue_.empty()) return {};
    const Cycle since = std::max(next_, queue_.front().at);
    const int left = registers(queue_.front()) - read_;
    return {since <= now,
            left > 1    ? Bus::operands
            : left == 1 ? Bus::last
                        : Bus::none,
            since, read_ > 0};
  }

  /// A store's data registers are read in one go: special functions may not cut in.
  bool in_data() const { return in_data_; }

  /// Moves the head on by one register; false if the unit has no room for another instruction.
  template <typename Sink>
  bool serve(Cycle now, int block, RegisterFeed& feed, LoadStoreUnit& unit, ReleaseQueue& releases,
             Sink& sink) {
    const Request& head = queue_.front();
    const MemoryOp& op = head.inst->memory;
    if (registers(head) == 0) return start_without_registers(now, block, unit, releases);
    const Cycle lead = op.data_count > 0 ? 1 : 0;
    if (read_ == 0 && !unit.has_credit()) return false;
    // data that comes in the very cycle in which the feed ends another read waits for the next
    // (H200, pairs and triples of SHFL and MUFU at each distance: 2 cycles apart take 3)
    if (read_ == 0 && lead > 0 && head.at == now && feed.busy(now)) return false;
    if (read_ == 0) {
      unit.take_credit();
      begun_ = now;
    }
    const std::size_t bank = op.banks[static_cast<std::size_t>(read_)];
    const Cycle at = feed.read(bank, std::max(now + lead, after_));
    sink.fed(at, block, head.warp, *head.inst, bank);
    after_ = at + feed.interval();
    next_ = now + feed.interval();
    ++read_;
    in_data_ = read_ < op.data_count;
    if (read_ < registers(head)) return true;
    // both words of a wide address count as one request, so the next one comes a cycle early
    if (op.address_count > 1) next_ = at + 1;
    finish(at, block, unit, releases);
    return true;
  }

  bool idle() const { return queue_.empty(); }

  Cycle next_after(Cycle now, Cycle best) const {
    if (!frees_.empty()) best = std::min(best, frees_.front());
    if (queue_.empty()) return best;
    return std::min(best, std::max({now + 1, next_, queue_.front().at}));
  }

  template <typename Writer>
  void save(const StaticInst* code, Cycle now, Writer& out) const {
    out.put(unread_.size());
    for (const UnitOrder& u : unread_) {
      out.time(u.not_before, now);
      out.put(u.misses ? 1 : 0);
    }
    out.put(frees_.size());
    for (const Cycle f : frees_) out.time(f, now);
    out.time(next_, now);
    out.time(after_, now);
    out.put(read_);
    if (read_ > 0) out.put(now - begun_);
    out.put(queue_.size());
    if (const BusRequest r = wants(now); r.asks) out.put(std::min(now - r.since, kLongWait));
    for (const Request& r : queue_) {
      out.put(r.inst - code);
      out.put(r.warp);
      out.time(r.at, now);
    }
  }

 private:
  struct Request {
    const StaticInst* inst;
    std::uint32_t warp;
    Cycle at;
  };

  void finish(Cycle last_read, int block, LoadStoreUnit& unit, ReleaseQueue& releases) {
    const UnitOrder order = unread_.front();
    const Request head = pop();
    const Cycle arrival = std::max(last_read + head.inst->memory.read_to_unit, order.not_before);
    const Cycle read_done = last_read + memory_path::kReadToRelease;
    frees_.push_back(std::max(read_done + (head.inst->memory.global ? 1 : 0), begun_ + hold_));
    next_ = std::max(next_, begun_ + interval_);
    releases.add(read_done + head.inst->memory.read_release_extra, head.warp,
                 head.inst->read_barrier, head.inst->scoreboard);
    unit.arrive(block, *head.inst, head.warp, arrival, order.misses);
    read_ = 0;
  }

  /// S2R and the like read no register: they pass in one cycle and go to the special registers.
  bool start_without_registers(Cycle now, int block, LoadStoreUnit& unit, ReleaseQueue& releases) {
    const bool special = queue_.front().inst->memory.wavefronts == 0;
    if (special ? !unit.special_has_room(now) : !unit.has_credit()) return false;
    const Request head = pop();
    next_ = now + 1;
    frees_.push_back(now - memory_path::kEntryToRelease);
    releases.add(now + memory_path::kReadToRelease + head.inst->memory.read_release_extra,
                 head.warp, head.inst->read_barrier, head.inst->scoreboard);
    if (special) {
      unit.read_special(now, block, *head.inst, head.warp);
    } else {
      unit.take_credit();
      unit.arrive(block, *head.inst, head.warp, now + head.inst->memory.read_to_unit, false);
    }
    return true;
  }

  static int registers(const Request& r) {
    return r.inst->memory.data_count + r.inst->memory.address_count;
  }

  Request pop() {
    const Request head = queue_.front();
    queue_.pop_front();
    unread_.pop_front();
    return head;
  }

  static constexpr Cycle kLongWait = 64;  ///< of requests older than this, none goes first for it

  std::size_t entries_;
  Cycle interval_;          ///< between the first reads of two instructions, at least
  Cycle hold_;              ///< an entry is held for so long from its first read on, at least
  Ring<UnitOrder> unread_;  ///< of instructions that have not read their last register
  Ring<Cycle> frees_;       ///< when the entries of those that have will be free
  Cycle last_free_ = 0;
  Ring<Request> queue_;  ///< behind the read pipeline
  Cycle next_ = 0;
  Cycle begun_ = 0;  ///< first read of the head
  Cycle after_ = 0;  ///< reads of the queue stay in order
  int read_ = 0;     ///< registers of the head that have been read
  bool in_data_ = false;
};

}  // namespace smsim
