// SPDX-License-Identifier: MIT
// Compile, the timing part: an instruction's pipe, interval and latency by its class.

#include "block/timing_table.hpp"

#include <algorithm>

namespace smsim {
namespace {

using isa::OpClass;

/// Nsight's split: long for what goes through L1 to global or local memory or texture, short for
/// the rest.
StallReason scoreboard_of(OpClass op_class) {
  switch (isa::general_class(op_class)) {
    case OpClass::ldg:
    case OpClass::stg:
    case OpClass::atom:
    case OpClass::red:
    case OpClass::tex:
    case OpClass::ldgsts:
    case OpClass::bulk_copy:
      return StallReason::long_scoreboard;
    default:
      return StallReason::short_scoreboard;
  }
}

StallReason throttle_of(OpClass op_class, Route route) {
  if (route == Route::dispatch || route == Route::control) return StallReason::math_pipe_throttle;
  if (isa::general_class(op_class) == OpClass::tex) return StallReason::tex_throttle;
  return scoreboard_of(op_class) == StallReason::long_scoreboard ? StallReason::lg_throttle
                                                                 : StallReason::mio_throttle;
}

/// Queues and tensor pipes fetch registers for themselves.
bool pipe_reads_apart(const Pipe& pipe) {
  return pipe.name == "memory" || pipe.queue_entries > 0 || pipe.reads_apart;
}

/// A fixed-latency instruction that sets a barrier all the same lowers it as soon as it has been
/// seen to be raised (H200 suite, `lat.i2fp`: 2 cycles, `lat.dfma`: 3).
std::uint16_t fixed_release(const InstructionTiming& timing) {
  return static_cast<std::uint16_t>(std::max(2, timing.read_release_cycles));
}

/// Units between which results are forwarded: a pipe, or two pipes that an instruction takes at
/// once (HFMA2), which is neither of them.
std::uint8_t unit_of(std::size_t pipe, bool needs_both) {
  return static_cast<std::uint8_t>(pipe * 2 + (needs_both ? 1 : 0));
}

}  // namespace

Route route_of(const Pipe& pipe) {
  if (pipe.name == "memory") return Route::memory;
  if (pipe.name == "control") return Route::control;
  return pipe.queue_entries > 0 ? Route::special : Route::dispatch;
}

// H200, 45 opcodes behind BAR with stall counts of 5, 6 and 9.
bool waits_for_sync(isa::OpClass op_class, Route route) {
  return route != Route::dispatch || op_class == isa::OpClass::uldc ||
         op_class == isa::OpClass::umov;
}

int interval_of(const Pipe& pipe, int interval, const Arch& arch) {
  return pipe.shared ? interval * arch.processing_blocks : interval;
}

void apply_timing(const InstructionTiming& timing, isa::OpClass op_class, const Arch& arch,
                  StaticInst& inst) {
  inst.pipe = timing.pipe;
  inst.second_pipe = timing.second_pipe;
  inst.needs_both = timing.needs_both;
  inst.result_unit = unit_of(timing.pipe, timing.needs_both);
  inst.reader_unit = timing.forwarded_from < 0
                         ? inst.result_unit
                         : unit_of(static_cast<std::size_t>(timing.forwarded_from), false);
  if (timing.second_pipe >= 0) {
    const Pipe& second = arch.pipes[static_cast<std::size_t>(timing.second_pipe)];
    inst.overflows = second.overflow;
    inst.second_interval =
        static_cast<std::uint16_t>(interval_of(second, timing.second_interval_cycles, arch));
  }
  inst.reads_apart = pipe_reads_apart(arch.pipes[timing.pipe]);
  inst.own_latches = arch.pipes[timing.pipe].own_latches;
  inst.closes_after =
      static_cast<std::uint8_t>(arch.pipes[timing.pipe].closes_dispatch_after_cycles);
  const Pipe& pipe = arch.pipes[timing.pipe];
  inst.interval =
      static_cast<std::uint16_t>(interval_of(pipe, timing.initiation_interval_cycles, arch));
  inst.latency = static_cast<std::uint16_t>(timing.latency_cycles);
  inst.read_release = static_cast<std::uint16_t>(timing.read_release_cycles);
  inst.hold = static_cast<std::uint8_t>(timing.hold_cycles);
  inst.write_delay = static_cast<std::uint8_t>(timing.write_delay_cycles);
  inst.route = route_of(pipe);
  inst.waits_for_sync = waits_for_sync(op_class, inst.route);
  inst.variable_latency = timing.variable_latency;
  if (!timing.variable_latency) inst.latency = inst.read_release = fixed_release(timing);
  inst.scoreboard = scoreboard_of(op_class);
  inst.throttle = throttle_of(op_class, inst.route);
}

}  // namespace smsim
