// SPDX-License-Identifier: MIT
// A ten-line machine for tests: few pipes, round numbers, and loops written as short strings of
// instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "block/event_sink.hpp"
#include "block/run_outcome.hpp"
#include "block/sm.hpp"
#include "block/steady_state.hpp"
#include "operand/read_pipeline.hpp"

namespace smsim::test {

/// Pipe 0 takes an instruction a cycle, pipe 1 one in two cycles, pipe 2 one in eight behind a
/// queue of two.
inline Arch small_arch() {
  Arch arch;
  arch.name = "small";
  arch.pipes = {{.name = "fast"},
                {.name = "half", .initiation_interval_cycles = 2},
                {.name = "slow", .initiation_interval_cycles = 8, .queue_entries = 2},
                {.name = "memory"}};
  for (std::size_t r = 0; r < 256; ++r)
    arch.register_file.bank_of[r] = static_cast<std::uint8_t>(r % 2);
  return arch;
}

/// An instruction of the fast pipe that reads nothing.
inline StaticInst plain(int stall = 1) {
  StaticInst inst;
  inst.stall = static_cast<std::uint8_t>(stall);
  inst.latency = 4;
  return inst;
}

/// Waits for a dependency barrier.
inline StaticInst waits_for(int barrier) {
  StaticInst inst = plain(1);
  inst.wait_mask = static_cast<std::uint8_t>(1U << barrier);
  return inst;
}

/// In a list of registers: nothing is read through this slot.
inline constexpr int kNone = -1;

/// An instruction of the fast pipe that reads these registers through slots a, b, c.
inline StaticInst reads(const std::vector<int>& registers, int reuse = 0, int stall = 1) {
  StaticInst inst = plain(stall);
  inst.reuse = static_cast<std::uint8_t>(reuse);
  for (std::size_t i = 0; i < registers.size(); ++i) {
    if (registers[i] == kNone) continue;
    RegisterRead& read = inst.reads.at(inst.read_count);
    read.reg = static_cast<std::uint8_t>(registers[i]);
    read.bank = static_cast<std::uint8_t>(registers[i] % 2);
    read.slot = static_cast<std::uint8_t>(i);
    ++inst.read_count;
  }
  return inst;
}

inline StaticInst on_pipe(std::uint16_t pipe, int interval, int stall = 1) {
  StaticInst inst = plain(stall);
  inst.pipe = pipe;
  inst.interval = static_cast<std::uint16_t>(interval);
  return inst;
}

inline CompiledLoop straight(std::vector<StaticInst> code) {
  CompiledLoop loop;
  loop.code = std::move(code);
  loop.length = loop.code.size();
  loop.is_loop = false;
  for (std::size_t i = 0; i < loop.code.size(); ++i) {
    loop.code[i].path_step = static_cast<std::uint32_t>(i);
    loop.uses_shared_unit = loop.uses_shared_unit || loop.code[i].route == Route::memory ||
                            loop.code[i].effect == ControlEffect::barrier_sync;
  }
  loop.mark_meetings();
  return loop;
}

inline CompiledLoop looped(std::vector<StaticInst> code) {
  CompiledLoop loop = straight(std::move(code));
  loop.is_loop = true;
  return loop;
}

/// Issues of one pass, in order, with `warps` warps on one processing block.
inline std::vector<IssueEvent> issues(const CompiledLoop& loop, const Arch& arch = small_arch(),
                                      int warps = 1) {
  RecordIssues sink;
  Sm<ByAge, ReadPipeline, RecordIssues> sm(loop, arch, {warps}, 1, sink);
  SteadyStateRunner runner(sm, true);
  runner.run_until(kNever);
  return sink.events;
}

/// Cycle at which each instruction of a lone warp issues.
inline std::vector<Cycle> issue_cycles(const CompiledLoop& loop, const Arch& arch = small_arch()) {
  std::vector<Cycle> cycles;
  for (const IssueEvent& e : issues(loop, arch)) cycles.push_back(e.issue);
  return cycles;
}

}  // namespace smsim::test
