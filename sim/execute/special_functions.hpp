// SPDX-License-Identifier: MIT
// Special-function queue of one processing block: MUFU, POPC and conversions in front of the
// quarter-rate XU pipe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "core/cycle.hpp"
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

  void reserve() { ++waiting_; }
  void enter(const StaticInst& inst, std::uint32_t warp, Cycle at) {
    queue_.push_back({&inst, warp, at});
  }

  /// One cycle; `held_off` while a store's data registers go first. `writes` learns when the result
  /// takes its bank's write port.
  void tick(Cycle now, bool held_off, RegisterFeed& feed, ReleaseQueue& releases,
            BankPorts& writes) {
    while (!ends_.empty() && ends_.front() <= now) {
      last_end_ = ends_.front();
      ends_.pop_front();
    }
    if (queue_.empty() || queue_.front().at > now || now + 1 < free_at_ || held_off) return;
    const Request head = queue_.front();
    queue_.pop_front();
    --waiting_;
    run(std::max(read(*head.inst, now + 1, feed), free_at_), head, releases, writes);
  }

  bool idle() const { return queue_.empty(); }
  std::uint64_t busy() const { return busy_; }
  void reset_counts() { busy_ = 0; }

  Cycle next_after(Cycle now, Cycle best) const {
    if (!ends_.empty()) best = std::min(best, ends_.front());
    if (queue_.empty()) return best;
    return std::min(best, std::max({now + 1, queue_.front().at, free_at_ - 1}));
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
    }
  }

 private:
  struct Request {
    const StaticInst* inst;
    std::uint32_t warp;
    Cycle at;
  };

  static Cycle read(const StaticInst& inst, Cycle at, RegisterFeed& feed) {
    Cycle last = std::max(at, feed.free_at());
    for (std::size_t i = 0; i < inst.read_count; ++i) last = feed.read(inst.reads[i].bank, at);
    return last;
  }

  void run(Cycle start, const Request& head, ReleaseQueue& releases, BankPorts& writes) {
    const StaticInst& inst = *head.inst;
    free_at_ = start + inst.interval;
    busy_ += inst.interval;
    ends_.push_back(free_at_);
    releases.add(start + inst.read_release - kIssueToStart, head.warp, inst.read_barrier,
                 inst.scoreboard);
    releases.add(start + inst.latency - kIssueToStart, head.warp, inst.write_barrier,
                 inst.scoreboard);
    for (std::size_t i = 0; i < inst.write_count; ++i)
      writes.take(inst.write_banks[i], start + inst.latency - kWriteToRelease);
  }

  static constexpr Cycle kIssueToStart =
      5;  ///< three read stages, entering the queue, the operand read
  static constexpr Cycle kWriteToRelease =
      9;  ///< from the cycle that a result takes its write port, less kIssueToStart

  std::size_t entries_;
  std::size_t waiting_ = 0;
  std::deque<Request> queue_;
  std::deque<Cycle> ends_;
  Cycle last_end_ = 0;
  Cycle free_at_ = 0;
  std::uint64_t busy_ = 0;
};

}  // namespace smsim
