// SPDX-License-Identifier: MIT
// Recorder: the event sink that turns what a simulation tells into the arrays of a Recording.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "block/event_sink.hpp"
#include "isa/control_word.hpp"
#include "smsim/record.hpp"

namespace smsim {

/// Hears of the whole run, keeps the instructions of the iterations `first` to `last` (from 1) and
/// the cycles around them. An event names an instruction by block, warp and static instruction: it
/// belongs to the oldest such one that it can belong to, since every unit works in order on the
/// instructions of one warp that are alike.
class Recorder : public NoEvents {
 public:
  static constexpr bool kWatchesWaits = true;
  static constexpr bool kWatchesReads = true;

  /// `latencies[step]`: cycles in which a fixed-latency instruction executes.
  Recorder(const CompiledLoop& loop, std::vector<int> latencies,
           const std::vector<int>& warps_of_block, std::uint64_t first, std::uint64_t last);

  void issued(Cycle now, int block, int warp, std::uint32_t step);
  void waits(Cycle now, int block, int warp, StallReason reason, std::uint8_t barriers);
  void stopped(Cycle now, int block, StallReason reason);
  void read(Cycle now, int block, std::uint32_t warp, const StaticInst& inst, std::size_t index);
  void left(Cycle now, int block, std::uint32_t warp, const StaticInst& inst);
  void fed(Cycle at, int block, std::uint32_t warp, const StaticInst& inst, std::size_t bank);
  void started(Cycle at, int block, std::uint32_t warp, const StaticInst& inst);
  void wrote(Cycle at, int block, std::uint32_t warp, const StaticInst& inst, bool last);
  void lowered(Cycle now, int block, std::uint32_t warp, std::uint8_t barrier);

  /// First cycle of the recording; kNever until it begins.
  Cycle begin() const { return begin_; }
  /// Whether every warp has issued its last iteration, and nothing recorded is still under way.
  bool finished() const { return unfinished_warps_ == 0 && under_way_ == 0; }

  /// Moves the arrays over, sorted as Recording promises.
  void hand_over(Recording& out);

 private:
  /// An instruction between issue and its last event.
  struct Flight {
    const StaticInst* inst = nullptr;
    std::uint32_t warp = 0;
    std::uint32_t record = kNoInstruction;
    std::uint16_t served = 0;  ///< bit i: read i has been seen
    std::uint8_t feeds = 0;
    bool left = false;
    bool started = false;
  };
  struct WarpState {
    std::uint64_t iteration = 0;
    Cycle waits_from = 0;
    std::vector<RecordedWait> waits;  ///< since its last issue; the last one is open
    std::array<std::deque<std::uint32_t>, isa::kBarriers>
        setters;  ///< of the raises not yet lowered
    std::array<StallReason, isa::kBarriers> scoreboard{};
  };
  struct Kept {
    RecordedInstruction instruction;
    std::vector<RecordedWait> waits;
    std::vector<RecordedRead> reads;
  };

  template <typename Fits>
  Flight* find(int block, std::uint32_t warp, const StaticInst& inst, Fits fits);
  void drop(int block, const Flight* flight);
  Kept* kept(const Flight& flight) {
    return flight.record == kNoInstruction ? nullptr : &kept_[flight.record];
  }
  WarpState& warp_state(int block, std::size_t warp) {
    return warps_[static_cast<std::size_t>(block)][warp];
  }
  std::uint16_t sm_warp(int block, std::size_t warp) const {
    return static_cast<std::uint16_t>(static_cast<std::size_t>(block) + warp * warps_.size());
  }
  std::uint32_t keep(Cycle now, int block, std::size_t warp, std::uint32_t step, WarpState& state);
  void raise(Cycle now, int block, std::size_t warp, std::uint8_t barrier, const StaticInst& inst,
             std::uint32_t record);
  StallReason scoreboard_reason(const WarpState& state, std::uint8_t barriers) const;
  void set_execution(Cycle now, const StaticInst& inst, RecordedInstruction& out) const;
  void add_hits(Cycle now, const Flight& flight, Kept& kept) const;

  const CompiledLoop& loop_;
  std::vector<int> latencies_;
  std::uint64_t first_;
  std::uint64_t last_;
  Cycle begin_ = kNever;
  std::size_t unfinished_warps_ = 0;
  std::size_t under_way_ = 0;  ///< recorded instructions in flight
  std::vector<std::vector<WarpState>> warps_;
  std::vector<std::deque<Flight>> flights_;  ///< of each block, oldest first
  std::vector<Kept> kept_;
  std::vector<RecordedStop> stops_;
  std::vector<RecordedBarrier> barriers_;
};

}  // namespace smsim
