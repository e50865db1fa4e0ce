// SPDX-License-Identifier: MIT
// Special-function queue of one processing block: MUFU, POPC and conversions in front of the
// quarter-rate XU pipe.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cycle.hpp"
#include "core/ring.hpp"
#include "isa/static_inst.hpp"
#include "operand/register_feed.hpp"
#include "scoreboard/release_queue.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// At most `queue_entries` instructions between issue and the end of their pipe interval. Behind
/// the read pipeline the head reads its operand through the register feed, one cycle after it is
/// its turn, and starts when the pipe is free. Source: H200 suite, `pipe.mufu.*`, `pipe.popc.*`,
/// `lat.mufu`, `war.mufu`; own bursts.
class SpecialFunctions {
 public:
  explicit SpecialFunctions(int queue_entries)
      : entries_(static_cast<std::size_t>(std::max(1, queue_entries))) {}

  Cycle room_at() const {
    if (waiting_ + ends_.size() < entries_) return last_end_;
    return ends_.empty() ? kNever : ends_.front();
  }

  /// Whether none waits here or runs.
  bool idle() const { return queue_.empty() && ends_.empty(); }

  void reserve() { ++waiting_; }
  void enter(const StaticInst& inst, std::uint32_t warp, Cycle at) {
    queue_.push_back({&inst, warp, at, -1});
  }

  /// One cycle; `held_off` while a store's data registers go first.
  template <typename Sink>
  void tick(Cycle now, int block, bool held_off, RegisterFeed& feed, Sink& sink) {
    while (!ends_.empty() && ends_.front() <= now) {
      last_end_ = ends_.front();
      ends_.pop_front();
    }
    if (queue_.empty()) return;
    Request& head = queue_.front();
    if (head.operand >= 0 || head.at > now || held_off || now + 2 < free_at_) return;
    head.operand = read(*head.inst, now, feed, [&](std::size_t bank, Cycle at) {
      sink.fed(at, block, head.warp, *head.inst, bank);
    });
  }

  /// Begins the head if it is due. `writes` learns when the result takes its bank's write port, and
  /// `leaving` leaves the last read stage in this cycle: what lacks an operand meets nobody.
  template <typename Sink>
  void begin(Cycle now, int block, const StaticInst* leaving, ReleaseQueue& releases,
             BankPorts& writes, Sink& sink) {
    if (queue_.empty() || queue_.front().operand < 0) return;
    const Request& head = queue_.front();
    const bool no_source = head.inst->read_count == 0;
    Cycle start = std::max(head.operand, free_at_);
    if (no_source ? now < start : now + 1 < start) return;
    if (!no_source && start == now + 1 && meets_write(now + 1, leaving, writes)) ++start;
    const Request request = head;
    queue_.pop_front();
    --waiting_;
    run(start, request, releases, writes);
    sink.started(start, block, request.warp, *request.inst);
    if (request.inst->write_count > 0)
      sink.wrote(start + request.inst->latency - kWriteToRelease, block, request.warp,
                 *request.inst, true);
  }

  std::uint64_t busy() const { return busy_; }
  void reset_counts() { busy_ = 0; }

  Cycle next_after(Cycle now, Cycle best) const {
    if (!ends_.empty()) best = std::min(best, ends_.front());
    if (queue_.empty()) return best;
    const Request& head = queue_.front();
    return std::min(
        best, std::max({now + 1, head.at,
                        head.operand < 0 ? free_at_ - 2 : std::max(head.operand, free_at_) - 1}));
  }

  template <typename Writer>
  void save(const StaticInst* code, Cycle now, Writer& out) const {
    out.time(free_at_, now);
    out.put(waiting_);
    out.put(ends_.size());
    for (const Cycle e : ends_) out.time(e, now);
    out.put(queue_.size());
    for (const Request& r : queue_) {
      out.put(r.inst - code);
      out.put(r.warp);
      out.time(r.at, now);
      out.put(r.operand >= 0 ? 1 : 0);
      out.time(r.operand, now);
    }
  }

 private:
  struct Request {
    const StaticInst* inst;
    std::uint32_t warp;
    Cycle at;
    Cycle operand;  ///< cycle of the operand's read, once it is settled; -1: not yet
  };

  /// The operand is read just before the pipe is free. The feed is asked for no sooner, so a memory
  /// instruction's read that begins a cycle before goes first (H200, 600 random loops).
  template <typename Seen>
  Cycle read(const StaticInst& inst, Cycle now, RegisterFeed& feed, Seen&& seen) const {
    if (inst.read_count == 0) return now;
    Cycle last = std::max(now + 1, free_at_ - 1);
    for (std::size_t i = 0; i < inst.read_count; ++i) {
      last = feed.read(inst.reads[i].bank, last);
      seen(inst.reads[i].bank, last);
    }
    return last;
  }

  /// A result that meets a fixed-latency one at its write port costs the next start a cycle.
  static bool meets_write(Cycle at, const StaticInst* leaving, const BankPorts& writes) {
    if (leaving == nullptr || leaving->route != Route::dispatch) return false;
    for (std::size_t i = 0; i < leaving->write_count; ++i)
      if (writes.taken(leaving->write_banks[i], at)) return true;
    return false;
  }

  void run(Cycle start, const Request& head, ReleaseQueue& releases, BankPorts& writes) {
    const StaticInst& inst = *head.inst;
    free_at_ = start + inst.interval;
    busy_ += inst.interval;
    ends_.push_back(free_at_ - kEndBeforeFree);
    releases.add(start + inst.read_release - kIssueToStart, head.warp, inst.read_barrier,
                 inst.scoreboard);
    releases.add(start + inst.latency - kIssueToStart, head.warp, inst.write_barrier,
                 inst.scoreboard);
    for (std::size_t i = 0; i < inst.write_count; ++i)
      writes.take(inst.write_banks[i], start + inst.latency - kWriteToRelease);
  }

  static constexpr Cycle kIssueToStart = 7;   ///< five stages, entering the queue, the operand read
  static constexpr Cycle kEndBeforeFree = 2;  ///< its queue entry ends before the pipe is free
  static constexpr Cycle kWriteToRelease =
      9;  ///< a result takes its write port this long before latency is over

  std::size_t entries_;
  std::size_t waiting_ = 0;
  Ring<Request> queue_;
  Ring<Cycle> ends_;
  Cycle last_end_ = 0;
  Cycle free_at_ = 0;
  std::uint64_t busy_ = 0;
};

}  // namespace smsim
