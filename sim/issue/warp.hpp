// SPDX-License-Identifier: MIT
// A resident warp: where it is in the loop and what keeps it from issuing.
#pragma once

#include <cstdint>

#include "core/cycle.hpp"
#include "execute/sync_barrier.hpp"
#include "scoreboard/dependency_barriers.hpp"
#include "smsim/stall_reason.hpp"

namespace smsim {

struct Warp {
  std::uint32_t pc = 0;            ///< index into the compiled loop
  std::uint32_t thread_block = 0;  ///< whose warps BAR.SYNC joins
  std::uint64_t iterations = 0;    ///< completed
  bool running = true;
  Cycle finished_at = 0;  ///< real cycle of the last issue, once it has stopped
  bool at_sync = false;   ///< arrived at BAR.SYNC, which has not opened when last looked at
  Cycle sync_from = 0;    ///< from then on it waits there; on the front end's clock
  std::uint32_t sync_generation = 0;
  bool used_shared = false;    ///< has accessed shared memory since its last BAR.SYNC
  bool behind_shared = false;  ///< had done so before that one
  std::int32_t pipe =
      -1;  ///< chosen for the next instruction, once it has been considered; -1: not yet
  Cycle ready_at = 0;  ///< stall count, yield, branch; on the front end's clock
  StallReason ready_reason = StallReason::stall_count;
  Cycle not_before = 0;        ///< real cycle: a yield request
  Cycle barrier_clear_at = 0;  ///< when the last dependency barrier that it waited for was lowered
  StallReason barrier_reason = StallReason::short_scoreboard;
  DependencyBarriers barriers;

  /// Whether its next instruction, of `code`, waits for this barrier alone from this very cycle on,
  /// one behind an issue: then it does not see a load's release of the same cycle (H200, 1008
  /// loops with 6 to 41 instructions behind a load).
  template <typename Code>
  bool has_just_come_to(const Code& code, std::uint16_t barrier, Cycle time) const {
    return ready_at == time && pc > 0 && code[pc - 1].stall <= 1 &&
           (code[pc].wait_mask >> barrier & 1U) != 0;
  }

  void cleared(Cycle at, StallReason reason) {
    barrier_clear_at = at;
    barrier_reason = reason;
  }

  /// At a BAR.SYNC, behind which it waits `from` some time on.
  void arrive(Cycle from, std::uint32_t generation) {
    at_sync = true;
    behind_shared = used_shared;
    used_shared = false;
    sync_from = from;
    sync_generation = generation;
  }

  /// It accesses shared memory, which behind a BAR.SYNC is kept in order with what came before:
  /// not before this cycle at the load/store unit.
  Cycle shared_not_before(const SyncBarrier& sync, Cycle now) {
    used_shared = true;
    if (!behind_shared || sync.closed(thread_block, sync_generation, now)) return 0;
    return sync.open_at(thread_block) + SyncBarrier::kOpenToUnit;
  }

  /// `touch_period`: iterations after which the loop's memory accesses are alike.
  template <typename Writer>
  void save(Cycle front_end, Cycle now, std::uint64_t touch_period, Writer& out) const {
    out.put(iterations % touch_period);
    out.put(pc);
    out.put(running ? 1 : 0);
    out.put(at_sync ? 1 : 0);
    out.time(at_sync ? sync_from : 0, front_end);
    out.put((used_shared ? 1 : 0) + (behind_shared ? 2 : 0));
    out.time(ready_at, front_end);
    out.time(not_before, now);
    out.put(pipe + 1);
    barriers.save(now, out);
  }
};

}  // namespace smsim
