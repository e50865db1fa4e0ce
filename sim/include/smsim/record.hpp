// SPDX-License-Identifier: MIT
// What happened in each cycle of a few iterations: instructions with their waits, operand reads,
// execution and write-back, in flat arrays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "smsim/arch.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// Which part of a run is kept. Iterations count from 1, for each warp on its own.
struct RecordOptions {
  std::uint64_t first_iteration = 0;  ///< 0: the first of the steady state
  std::uint64_t iterations = 2;       ///< how many of each warp
  std::int64_t max_cycles = 20'000;   ///< the recording ends so long after its begin
};

inline constexpr std::uint32_t kNoInstruction = UINT32_MAX;

/// What a step needs from an earlier one.
enum class DependenceKind : std::uint8_t {
  reg,           ///< a register that the other one writes
  predicate,     ///< a predicate, likewise
  write_barrier  ///< waits for the barrier that the other one's result lowers
  ,
  read_barrier  ///< waits for the barrier that the other one's operand reads lower
};

struct RecordedDependence {
  std::uint32_t step = 0;      ///< the one that has to come first
  std::uint32_t distance = 0;  ///< so many iterations before: 0 or 1
  DependenceKind kind = DependenceKind::reg;
  std::uint8_t index = 0;  ///< register, predicate or barrier number
};

/// An instruction of the iteration.
struct RecordedStep {
  std::uint64_t address = 0;
  std::string text;
  ControlWord control;
  std::string pipe;  ///< empty for what executes nowhere
  std::uint32_t first_dependence = 0;
  std::uint32_t dependence_count = 0;
};

/// An instruction that a warp issued. Times are cycles of the SM from the start of the run; -1: it
/// does not do that, or not before the recording ended.
struct RecordedInstruction {
  std::uint16_t block = 0;
  std::uint16_t warp = 0;       ///< of the SM: warp w runs on block w mod blocks
  std::uint32_t step = 0;       ///< index into Recording::steps
  std::uint64_t iteration = 0;  ///< from 1
  std::int64_t waits_from = 0;  ///< the cycle behind the issue of the warp's instruction before
  std::int64_t issue = -1;
  std::int64_t left = -1;           ///< last cycle in the read stages
  std::int64_t execute_begin = -1;  ///< first cycle in its pipe or unit
  std::int64_t write_begin = -1;    ///< first and last cycle in which it writes registers
  std::int64_t write_end = -1;
  std::uint32_t first_wait = 0;  ///< into Recording::waits
  std::uint32_t wait_count = 0;
  std::uint32_t first_read = 0;  ///< into Recording::reads
  std::uint32_t read_count = 0;
};

/// Cycles [begin, end) in which a warp did not issue its next instruction.
struct RecordedWait {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  StallReason reason = StallReason::misc;  ///< selected: it could have, but another warp did
  std::uint8_t barriers = 0;               ///< bit b: dependency barrier b of its wait mask is up
};

enum class ReadFrom : std::uint8_t {
  bank,         ///< of the register file, through the read pipeline
  reuse_cache,  ///< no bank is read; the time is that of the last read stage
  feed          ///< of the register file, for the memory or special-function queue
};

/// One 32-bit register of all lanes.
struct RecordedRead {
  std::int64_t at = 0;
  std::int16_t reg = -1;  ///< -1: not known
  std::uint8_t bank = 0;
  std::uint8_t slot = 255;  ///< source slot 0..2 (a, b, c); 255: none
  ReadFrom from = ReadFrom::bank;
};

/// A cycle in which the front end of a processing block stood still.
struct RecordedStop {
  std::int64_t at = 0;
  StallReason reason = StallReason::misc;
  std::uint16_t block = 0;
  std::uint32_t instruction = kNoInstruction;  ///< in the last read stage, if it is recorded
};

/// A dependency barrier goes up (with an instruction's issue) or down by one.
struct RecordedBarrier {
  std::int64_t at = 0;
  std::uint16_t block = 0;
  std::uint16_t warp = 0;
  std::uint8_t barrier = 0;
  bool up = false;
  std::uint32_t instruction = kNoInstruction;  ///< that set it, if it is recorded
};

struct Recording {
  Result result;           ///< what simulate() says of the same loop
  std::int64_t begin = 0;  ///< first cycle in which a recorded instruction is waited for
  std::int64_t end = 0;    ///< behind the last event
  std::uint64_t first_iteration = 1;
  std::uint64_t last_iteration = 1;
  bool complete = true;  ///< false: max_cycles ended it early
  int banks = 2;
  std::vector<RecordedStep> steps;
  std::vector<RecordedDependence> dependences;
  std::vector<RecordedInstruction> instructions;  ///< by block, warp and issue
  std::vector<RecordedWait> waits;                ///< of an instruction: by begin
  std::vector<RecordedRead> reads;                ///< of an instruction: by time
  std::vector<RecordedStop> stops;                ///< by time
  std::vector<RecordedBarrier> barriers;          ///< by time
};

/// Runs the loop as simulate() does and keeps what happened in some iterations. Errors: those of
/// simulate(); usage if there are no such iterations.
Expected<Recording> record(const Program& program, const Arch& arch,
                           const SimulateOptions& options = {}, const RecordOptions& window = {});

}  // namespace smsim
