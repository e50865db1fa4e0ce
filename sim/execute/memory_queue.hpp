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
/// address in the cycle in which it is granted, data a cycle later, and so is all that waits behind
/// it while the feed is busy. Source: H200, bursts of k memory instructions on 1 to 4 blocks, all
/// exact; suite `war.*`, `pipe.lds*`, `pipe.sts*`; loads behind stores on four blocks, whose read
/// barriers fall a cycle later than without that (`n1.tri`). What has no address is sent to the
/// unit by a message of its own.
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
    if (message_.inst != nullptr) return {message_.at <= now, Bus::last, message_.at, false, true};
    if (queue_.empty()) return {};
    const Cycle since = head_since();
    const int left = registers(queue_.front()) - read_;
    const bool addressed = queue_.front().inst->memory.address_count > 0;
    const Bus bus = left == 0 ? Bus::none : left == 1 && addressed ? Bus::last : Bus::operands;
    return {since <= now, bus, since, read_ > 0, false};
  }

  /// A store's data registers are read in one go: special functions may not cut in.
  bool in_data() const { return in_data_; }

  /// Moves the head on by one register; false if the unit has no room for another instruction.
  template <typename Sink>
  bool serve(Cycle now, int block, RegisterFeed& feed, LoadStoreUnit& unit, ReleaseQueue& releases,
             Sink& sink) {
    if (message_.inst != nullptr) return send(now, block, unit);
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
    late_ = lead > 0 || (late_ && head_since() < after_);
    const Cycle at = feed.read(bank, std::max(now + (late_ ? 1 : 0), after_));
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

  bool idle() const { return queue_.empty() && message_.inst == nullptr; }

  /// When the next entry ends, as far as is known.
  Cycle next_free() const { return frees_.empty() ? kNever : frees_.front(); }

  Cycle next_after(Cycle now, Cycle best) const {
    if (message_.inst != nullptr) return std::min(best, std::max(now + 1, message_.at));
    if (queue_.empty()) return best;
    return std::min(best, std::max(now + 1, head_since()));
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
    out.time(next_address_, now);
    out.time(after_, now);
    out.put(message_.inst != nullptr ? message_.inst - code + 1 : 0);
    if (message_.inst != nullptr) {
      out.put(message_.warp);
      out.put(std::min(now - message_.at, kLongWait));
      out.time(message_.order.not_before, now);
      out.put(message_.order.misses ? 1 : 0);
    }
    out.put(late_ ? 1 : 0);
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

  struct Message {
    const StaticInst* inst = nullptr;
    std::uint32_t warp = 0;
    Cycle at = 0;
    UnitOrder order;
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
    read_ = 0;
    if (head.inst->memory.address_count > 0)
      unit.arrive(block, *head.inst, head.warp, arrival, order.misses);
    else
      message_ = {head.inst, head.warp, last_read, order};
  }

  /// What has no address goes to the unit; the block's next address comes two cycles later, its
  /// data one.
  bool send(Cycle now, int block, LoadStoreUnit& unit) {
    const Cycle arrival =
        std::max(now + message_.inst->memory.read_to_unit, message_.order.not_before);
    unit.arrive(block, *message_.inst, message_.warp, arrival, message_.order.misses);
    next_ = std::max(next_, now + 1);
    next_address_ = now + 2;
    message_.inst = nullptr;
    return true;
  }

  /// From when on the head asks for its next register. Data, which is read in the cycle behind its
  /// grant, asks in the last cycle of the read before, if it has been waiting (H200, loads and
  /// stores in turn on 2 to 4 blocks: 1661 of 1865 loops `n1` exact, 1593 without).
  Cycle head_since() const {
    const Request& head = queue_.front();
    const Cycle since = std::max(next_, head.at);
    if (head.inst->memory.data_count == 0) return std::max(since, next_address_);
    const bool early = read_ == 0 && !late_ && next_ == after_ && head.at < next_ - 1;
    return early ? next_ - 1 : since;
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
  Message message_;      ///< of the instruction that was read last, if it has no address
  Cycle next_ = 0;
  Cycle next_address_ = 0;
  Cycle begun_ = 0;  ///< first read of the head
  Cycle after_ = 0;  ///< reads of the queue stay in order
  int read_ = 0;     ///< registers of the head that have been read
  bool in_data_ = false;
  bool late_ = false;  ///< registers are read in the cycle behind the one of their grant
};

}  // namespace smsim
