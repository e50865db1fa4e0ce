// SPDX-License-Identifier: MIT
// One warp's way through an iteration: how far apart its control words, branches and barriers keep
// any two of its instructions.
#include "analysis/warp_path.hpp"

#include <algorithm>

#include "block/run_outcome.hpp"
#include "execute/sync_barrier.hpp"

namespace smsim::analysis {
namespace {

/// Cycles until a lone warp has issued these instructions on an idle machine.
Cycle pass_cycles(std::vector<StaticInst> code, const Arch& arch) {
  CompiledLoop pass;
  pass.is_loop = false;
  pass.uses_shared_unit = true;
  for (std::size_t i = 0; i < code.size(); ++i) code[i].path_step = static_cast<std::uint32_t>(i);
  pass.length = code.size();
  pass.code = std::move(code);
  const RunOutcome run = run_loop(pass, arch, {1, 1, true});
  return run.stuck_instruction >= 0 ? 0 : run.window_end;
}

/// Cycles from an instruction's issue to that of an instruction right behind that waits for one of
/// its barriers, with nothing else on the machine. The model itself is asked, so that this follows
/// whatever its units do.
int release_cycles(const StaticInst& original, int barrier, bool write, const Arch& arch) {
  StaticInst raiser = original;
  raiser.stall = static_cast<std::uint8_t>(arch.scheduler.barrier_visible_cycles);
  raiser.yield = raiser.next_line = raiser.slow_fetch = raiser.taken_branch = false;
  raiser.wait_mask = 0;
  raiser.memory.touches = 0;  // the least it takes: a hit
  raiser.effect = ControlEffect::none;
  (write ? raiser.read_barrier : raiser.write_barrier) = kNoBarrier;
  StaticInst waiter;
  waiter.route = Route::control;
  waiter.wait_mask = static_cast<std::uint8_t>(1U << barrier);
  return static_cast<int>(pass_cycles({raiser, waiter}, arch) - pass_cycles({raiser}, arch));
}

}  // namespace

WarpPath::WarpPath(const CompiledLoop& loop, const Arch& arch, int warps)
    : length_(loop.length), is_loop_(loop.is_loop), write_latency_(loop.length, 0) {
  add_controls(loop, arch);
  add_syncs(loop, arch, warps);
  add_fetches(loop, arch);
  add_barriers(loop, arch);
}

void WarpPath::add_controls(const CompiledLoop& loop, const Arch& arch) {
  const SchedulerSpec& spec = arch.scheduler;
  before_.push_back(0);
  for (std::size_t i = 0; i < length_; ++i) {
    const StaticInst& inst = loop.code[i];
    int cycles = inst.dual ? 0 : std::max<int>(1, inst.stall);
    if (inst.unyielding != 0) cycles = 1;  // what it means is the scheduler's matter
    if (inst.yield && inst.stall <= 1) cycles = 1 + spec.yield_bubble_cycles;
    if (inst.taken_branch) {
      const int refill = inst.slow_fetch ? arch.instruction_cache.l0_refill_cycles : 0;
      cycles =
          std::max(cycles, spec.taken_branch_cycles - spec.taken_branch_spread_cycles / 2 + refill);
    }
    control_.push_back(cycles);
    before_.push_back(before_.back() + cycles);
  }
}

/// Arrivals are taken one by one; all warps go on some time behind the last one.
void WarpPath::add_syncs(const CompiledLoop& loop, const Arch& arch, int warps) {
  // in a single pass warps may have ended before: only one takes part for sure
  const int others = is_loop_ ? warps - 1 : 0;
  const int cycles =
      arch.scheduler.barrier_sync_cycles + others * arch.scheduler.barrier_arrival_cycles;
  for (std::size_t from = 0; from < length_; ++from) {
    if (loop.code[from].effect != ControlEffect::barrier_sync) continue;
    for (std::size_t ahead = 1; ahead <= length_; ++ahead) {
      const std::size_t to = (from + ahead) % length_;
      const int distance = to > from ? 0 : 1;
      if (distance == 1 && !is_loop_) break;
      if (!loop.code[to].waits_for_sync) continue;  // arithmetic goes on
      if (along(from, to, distance) < SyncBarrier::kHeldAfter) continue;
      syncs_.push_back({from, to, distance, cycles, 0, false});
      break;
    }
  }
}

void WarpPath::add_fetches(const CompiledLoop& loop, const Arch& arch) {
  for (std::size_t to = 0; to < length_; ++to) {
    if (!loop.code[to].next_line) continue;
    for (std::size_t back = 1; back <= length_; ++back) {
      const std::size_t from = (to + length_ - back) % length_;
      if (!loop.code[from].taken_branch) continue;
      const int distance = from < to ? 0 : 1;
      if (distance == 0 || is_loop_)
        fetches_.push_back({from, to, distance, arch.scheduler.next_line_cycles, 0, false});
      break;
    }
  }
}

void WarpPath::add_barriers(const CompiledLoop& loop, const Arch& arch) {
  for (std::size_t i = 0; i < length_; ++i) {
    const StaticInst& inst = loop.code[i];
    const int visible = arch.scheduler.barrier_visible_cycles;
    if (inst.write_barrier < kNoBarrier) {
      write_latency_[i] = release_cycles(inst, inst.write_barrier, true, arch);
      add_wait(loop, i, inst.write_barrier, true, write_latency_[i], visible);
    }
    if (inst.read_barrier < kNoBarrier)
      add_wait(loop, i, inst.read_barrier, false,
               release_cycles(inst, inst.read_barrier, false, arch), visible);
  }
}

/// The first wait on the barrier behind `from`. One that may come before the raise is visible does
/// not hold.
void WarpPath::add_wait(const CompiledLoop& loop, std::size_t from, int barrier, bool write,
                        int cycles, int visible) {
  for (std::size_t ahead = 1; ahead <= length_; ++ahead) {
    const std::size_t to = (from + ahead) % length_;
    if (((loop.code[to].wait_mask >> barrier) & 1U) == 0) continue;
    const int distance = to > from ? 0 : 1;
    if (distance == 1 && !is_loop_) return;
    if (along(from, to, distance) >= visible)
      barriers_.push_back({from, to, distance, cycles, barrier, write});
    return;
  }
}

int WarpPath::along(std::size_t from, std::size_t to, int distance) const {
  return before_[to] + distance * before_[length_] - before_[from];
}

int WarpPath::enforced(std::size_t from, std::size_t to, int distance) const {
  int cycles = along(from, to, distance);
  for (const BarrierEdge& wait : barriers_) {
    if (wait.from != from || wait.distance > distance) continue;
    const int rest = along(wait.to, to, distance - wait.distance);
    if (rest >= 0) cycles = std::max(cycles, wait.cycles + rest);
  }
  return cycles;
}

}  // namespace smsim::analysis
