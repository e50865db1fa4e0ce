// SPDX-License-Identifier: MIT
// Event sinks: what a simulation tells whoever watches. The empty one costs nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"

namespace smsim {

/// Watches nothing. Other sinks derive from it and hide what they want to hear. All times are
/// cycles of the SM; `warp` counts on its block. An event may come ahead of its time: the time at
/// which a special function will write is known when it starts.
struct NoEvents {
  /// Whether `waits` is called for each warp that does not issue.
  static constexpr bool kWatchesWaits = false;
  /// Whether `read` is.
  static constexpr bool kWatchesReads = false;

  /// An instruction of the iteration or of the last pass issues; `step` is its index in the
  /// compiled loop.
  static void issued(Cycle, int /*block*/, int /*warp*/, std::uint32_t /*step*/) {}
  /// From this cycle on, until something else is said, the warp waits for this reason (selected:
  /// for none, another warp was); `barriers` is the part of its wait mask that is still up.
  static void waits(Cycle, int /*block*/, int /*warp*/, StallReason, std::uint8_t /*barriers*/) {}
  /// The read pipeline, and the front end with it, stands still in this cycle.
  static void stopped(Cycle, int /*block*/, StallReason) {}
  /// The `index`th of the instruction's reads is served by its bank.
  static void read(Cycle, int /*block*/, std::uint32_t /*warp*/, const StaticInst&,
                   std::size_t /*index*/) {}
  /// The instruction leaves the last read stage at the end of this cycle.
  static void left(Cycle, int /*block*/, std::uint32_t /*warp*/, const StaticInst&) {}
  /// A memory or special instruction reads a register of `bank` through the register feed.
  static void fed(Cycle, int /*block*/, std::uint32_t /*warp*/, const StaticInst&,
                  std::size_t /*bank*/) {}
  /// A queued instruction starts in its unit.
  static void started(Cycle, int /*block*/, std::uint32_t /*warp*/, const StaticInst&) {}
  /// A queued instruction's result is written to its registers, or a part of it if not the `last`.
  static void wrote(Cycle, int /*block*/, std::uint32_t /*warp*/, const StaticInst&,
                    bool /*last*/) {}
  /// A dependency barrier of the warp is lowered by one.
  static void lowered(Cycle, int /*block*/, std::uint32_t /*warp*/, std::uint8_t /*barrier*/) {}
};

/// One issued instruction: 16 bytes.
struct IssueEvent {
  Cycle issue = 0;
  std::uint32_t step = 0;  ///< index into the compiled loop
  std::uint16_t block = 0;
  std::uint16_t warp = 0;  ///< of the block
};

/// One cycle in which a block stood still.
struct StandstillEvent {
  Cycle at = 0;
  std::uint16_t block = 0;
};

/// Keeps every issue and every standstill in order.
struct RecordIssues : NoEvents {
  std::vector<IssueEvent> events;
  std::vector<StandstillEvent> standstills;
  void issued(Cycle now, int block, int warp, std::uint32_t step) {
    events.push_back(
        {now, step, static_cast<std::uint16_t>(block), static_cast<std::uint16_t>(warp)});
  }
  void stopped(Cycle now, int block, StallReason) {
    standstills.push_back({now, static_cast<std::uint16_t>(block)});
  }
};

}  // namespace smsim
