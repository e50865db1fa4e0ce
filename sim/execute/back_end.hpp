// SPDX-License-Identifier: MIT
// Back end of a processing block: pipes, queues and write ports, behind the read pipeline.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/cycle.hpp"
#include "execute/load_write_back.hpp"
#include "execute/memory_queue.hpp"
#include "execute/pipes.hpp"
#include "execute/special_functions.hpp"
#include "isa/static_inst.hpp"
#include "operand/bank_ports.hpp"
#include "operand/register_feed.hpp"
#include "scoreboard/release_queue.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// `now` is the real cycle, `time` the front end's clock, on which pipes run.
class BackEnd {
 public:
  explicit BackEnd(const Arch& arch)
      : banks_(static_cast<std::size_t>(arch.register_file.banks)),
        special_pipe_(special_pipe(arch)),
        pipes_(arch),
        feed_(arch),
        memory_(arch),
        special_(special_pipe_ < arch.pipes.size() ? arch.pipes[special_pipe_].queue_entries : 1) {}

  /// One cycle of the special-function queue, and of the memory queue's entries.
  template <typename Sink>
  void tick_queues(Cycle now, int block, Sink& sink) {
    if (!special_.idle()) special_.tick(now, block, memory_.in_data(), feed_, sink);
    memory_.tick(now);
  }

  /// Begins a special function if one is due; `leaving` leaves the last read stage in this cycle.
  template <typename Sink>
  void begin_special(Cycle now, int block, const StaticInst* leaving, Sink& sink) {
    if (!special_.idle()) special_.begin(now, block, leaving, releases_, special_writes_, sink);
  }

  bool memory_idle() const { return memory_.idle(); }
  /// What the memory queue's head asks of the SM in this cycle.
  BusRequest memory_wants(Cycle now) const { return memory_.wants(now); }
  /// When the queues have room, as far as is known: kNever while no entry is about to end.
  using Rooms = std::array<Cycle, 2>;
  Rooms queue_rooms() const { return {memory_.room_at(), special_.room_at()}; }
  template <typename Sink>
  bool serve_memory(Cycle now, int block, LoadStoreUnit& unit, Sink& sink) {
    return memory_.serve(now, block, feed_, unit, releases_, sink);
  }

  void add_load(const LoadReturn& load) { loads_.add(load); }
  bool has_loads() const { return !loads_.empty(); }
  bool returned_load_is_next() const { return loads_.next_is_returned(); }
  template <typename Sink>
  bool write_load(Cycle now, Sink& sink) {
    return loads_.tick(now, fixed_writes_, special_writes_, releases_, sink);
  }

  /// Bank ports that memory and special functions take ahead of the read pipeline.
  const BankPorts& feed_ports() const { return feed_.ports(); }

  template <typename Visit>
  void drain_releases(Cycle now, Visit visit) {
    releases_.drain(now, visit);
  }

  /// A load's release that a warp does not see in its own cycle.
  void release_later(const Release& r) { releases_.add(r.at + 1, r.warp, r.barrier, r.reason); }

  std::uint16_t choose_pipe(const StaticInst& inst, Cycle time) const {
    return pipes_.choose(inst, time);
  }

  /// Whether the instruction's pipe, or the queue in front of its unit, takes it now.
  bool has_room(const StaticInst& inst, std::uint16_t pipe, Cycle now, Cycle time) const {
    switch (inst.route) {
      case Route::memory:
        return memory_.room_at() <= now;
      case Route::special:
        return special_.room_at() <= now;
      case Route::dispatch:
        return pipes_.can_take(inst, pipe, time);
      default:
        return true;
    }
  }

  /// When it had room, on the front end's clock, which is `frozen` cycles behind.
  Cycle room_at(const StaticInst& inst, std::uint16_t pipe, Cycle frozen) const {
    if (inst.route == Route::memory) return memory_.room_at() - frozen;
    if (inst.route == Route::special) return special_.room_at() - frozen;
    return inst.route == Route::control ? 0 : pipes_.room_at(pipe);
  }

  /// Tells all that room_at may say, and more.
  template <typename Visit>
  void for_each_room(Cycle frozen, Visit visit) const {
    visit(memory_.room_at() - frozen);
    visit(special_.room_at() - frozen);
    for (std::size_t p = 0; p < pipes_.count(); ++p)
      visit(pipes_.room_at(static_cast<std::uint16_t>(p)));
  }

  /// When it will have room, as a real cycle, if its queue does not move.
  Cycle next_room(const StaticInst& inst, std::uint16_t pipe, Cycle frozen) const {
    switch (inst.route) {
      case Route::memory:
        return memory_.room_at();
      case Route::special:
        return special_.room_at();
      case Route::dispatch:
        return pipes_.room_at(inst, pipe) + frozen;
      default:
        return 0;
    }
  }

  /// An instruction issues: it takes its pipe or an entry of its queue. `memory` is what
  /// the load/store unit will have to know of it.
  void issue(const StaticInst& inst, std::uint16_t pipe, std::uint32_t warp, Cycle now, Cycle time,
             const UnitOrder& memory) {
    switch (inst.route) {
      case Route::memory:
        return memory_.reserve(memory);
      case Route::special:
        return special_.reserve();
      case Route::dispatch:
        pipes_.take(inst, pipe, time);
        [[fallthrough]];
      case Route::control:
        releases_.add(now + inst.latency, warp, inst.write_barrier, inst.scoreboard);
        releases_.add(now + inst.read_release, warp, inst.read_barrier, inst.scoreboard);
    }
  }

  /// Whether HFMA2.MMA or FP64 two cycles before keep it from leaving the last read stage (H200:
  /// all triples of seven opcodes).
  bool closed(Cycle now, const StaticInst& leaving) {
    if (now == closed_at_ && leaving.pipe != closed_by_ && !leaving.reads_apart) return true;
    if (leaving.closes_after > 0) {
      closed_at_ = now + leaving.closes_after;
      closed_by_ = leaving.pipe;
    }
    return false;
  }

  /// A load that has found its write port taken for long stops the instructions that take it.
  bool load_stops(Cycle now) const { return loads_.stops(now); }
  /// Whether one will, as far as is known.
  bool will_stop(Cycle now) const { return loads_.last_stop() > now; }

  /// Whether nothing here can keep an instruction from leaving the last read stage, as far as is
  /// known.
  bool lets_pass(Cycle now) const {
    return special_.idle() && special_writes_.last() < now && closed_at_ <= now;
  }

  /// A special function's result takes its bank's write port. The fixed-latency result that would
  /// meet it waits in the dispatch latch, and if the next one writes the same bank, the pipeline
  /// waits with it.
  bool write_port_clash(Cycle now, const StaticInst& leaving) const {
    if (latch_ == nullptr || latched_at_ != now - 1 || latch_->route != Route::dispatch)
      return false;
    for (std::size_t i = 0; i < latch_->write_count; ++i) {
      const auto bank = latch_->write_banks[i];
      if (!special_writes_.taken(bank, now)) continue;
      for (std::size_t j = 0; j < leaving.write_count; ++j)
        if (leaving.write_banks[j] == bank) return true;
    }
    return false;
  }

  /// An instruction leaves the last read stage: to its queue, or to its pipe and later a write
  /// port. `held` are cycles that it stayed there for its own sake.
  void take(Cycle now, const StaticInst& inst, std::uint32_t warp, int held) {
    latch_ = &inst;
    latched_at_ = now;
    if (inst.route == Route::memory) return memory_.enter(inst, warp, now + 1);
    if (inst.route == Route::special) return special_.enter(inst, warp, now + 1);
    if (inst.route != Route::dispatch) return;
    const Cycle at = now - held + inst.write_delay;
    for (std::size_t i = 0; i < inst.write_count; ++i) fixed_writes_.take(inst.write_banks[i], at);
  }

  /// The earliest cycle after `now` at which something is to be done here without the SM's units.
  Cycle next_own(Cycle now) const {
    if (will_stop(now)) return now + 1;
    const Cycle best = std::min(releases_.next(), memory_.next_free());
    return special_.idle() ? best : special_.next_after(now, best);
  }
  /// The earlier of `best` and the first cycle after `now` at which the SM's units are wanted.
  Cycle next_shared(Cycle now, Cycle best) const {
    return loads_.next_after(now, memory_.next_after(now, best));
  }
  /// The earlier of `best` and the first cycle after `now` at which a pipe becomes free.
  Cycle next_pipe(Cycle now, Cycle frozen, Cycle best) const {
    return pipes_.next_after(now - frozen, best - frozen) + frozen;
  }

  /// Cycles for which a pipe was busy since the last reset.
  std::uint64_t pipe_busy(std::size_t pipe) const {
    return pipes_.busy(pipe) + (pipe == special_pipe_ ? special_.busy() : 0);
  }
  void reset_counts() {
    pipes_.reset_counts();
    special_.reset_counts();
  }

  template <typename Writer>
  void save(const StaticInst* code, Cycle now, Cycle time, Writer& out) const {
    pipes_.save(time, out);
    out.time(closed_at_, now);
    out.put(closed_at_ >= now ? closed_by_ : 0);
    feed_.save(banks_, now, out);
    memory_.save(code, now, out);
    special_.save(code, now, out);
    loads_.save(code, now, out);
    fixed_writes_.save(banks_, now, out);
    special_writes_.save(banks_, now, out);
    out.put(latch_ != nullptr && latched_at_ == now - 1 ? latch_ - code + 1 : 0);
    releases_.save(now, out);
  }

 private:
  /// The pipe with a queue; the number of pipes if there is none.
  static std::size_t special_pipe(const Arch& arch) {
    const auto it = std::find_if(arch.pipes.begin(), arch.pipes.end(),
                                 [](const Pipe& p) { return p.queue_entries > 0; });
    return static_cast<std::size_t>(it - arch.pipes.begin());
  }

  std::size_t banks_;
  std::size_t special_pipe_;
  Pipes pipes_;
  RegisterFeed feed_;
  MemoryQueue memory_;
  SpecialFunctions special_;
  LoadWriteBack loads_;
  BankPorts fixed_writes_;    ///< write ports taken by fixed-latency results
  BankPorts special_writes_;  ///< and by special functions
  Cycle closed_at_ = -1;      ///< in this cycle only pipe closed_by_ takes instructions
  std::uint16_t closed_by_ = 0;
  const StaticInst* latch_ = nullptr;  ///< left the last read stage at latched_at_
  Cycle latched_at_ = -1;
  ReleaseQueue releases_;
};

}  // namespace smsim
