// SPDX-License-Identifier: MIT
// A program on an architecture to cycles per iteration and where every issue slot went.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "smsim/arch.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"
#include "smsim/stall_reason.hpp"

namespace smsim {

struct SimulateOptions {
  std::string function;  ///< exact name or glob; empty: the only one, or the first with a loop
  std::string loop;      ///< "", index as `smsim loops` lists, "0xSTART-0xEND" or "all"
  int warps = 4;         ///< resident on the SM; warp w runs on processing block w mod blocks
  std::map<std::uint64_t, bool> branches;  ///< address -> taken
  std::map<int, int> lane_stride_bytes;  ///< address register -> bytes between two lanes' addresses
  std::string unknown_pipe;              ///< run unknown opcodes on this pipe instead of failing
  bool allow_unset_waits =
      false;  ///< waits on barriers that nothing sets pass, instead of being an error
  int max_iterations = 4000;  ///< give up looking for a steady state after so many
};

using Slots = std::array<std::uint64_t, kStallReasonCount>;

/// How the figure was found: the machine came back to the same relative state, or it did not.
struct SteadyState {
  bool periodic = false;
  std::uint64_t period_iterations = 0;  ///< iterations of each warp in one period
  std::uint64_t period_cycles = 0;
  std::uint64_t iterations_simulated = 0;  ///< of the slowest warp
  double spread_cycles = 0;  ///< not periodic: difference between the slowest and fastest iteration
};

/// One instruction of the iteration, in the order of execution. Slots count over the window
/// (Result::window_cycles).
struct InstructionRow {
  std::size_t index = 0;  ///< into Function::instructions
  std::uint64_t address = 0;
  std::string text;
  ControlWord control;
  std::uint64_t issued = 0;  ///< times issued in the window
  std::uint64_t paired = 0;  ///< of them in the slot of the instruction before (dual issue)
  Slots slots{};             ///< slots lost before it, by reason; [selected] = issued - paired
  std::string pipe;
};

struct PipeUse {
  std::string name;
  double busy = 0;  ///< share of the window, mean over processing blocks, 0..1
};

struct BankUse {
  int bank = 0;
  double reads_per_iteration = 0;  ///< of one warp
  double busy = 0;                 ///< share of the window, mean over processing blocks with warps
};

struct Result {
  std::string arch;
  std::string function;
  int sm = 0;
  bool is_loop = false;
  Loop loop;                      ///< or the whole function
  std::vector<Loop> other_loops;  ///< not chosen
  int warps = 0;
  int processing_blocks = 0;
  int issue_width = 1;              ///< instructions that a processing block can issue in a cycle
  double cycles_per_iteration = 0;  ///< all resident warps complete one iteration
  double warp_instructions_per_cycle = 0;  ///< of the whole SM
  SteadyState steady_state;
  std::uint64_t window_cycles =
      0;  ///< the cycles that slots cover; slots sum to window_cycles x blocks
  std::uint64_t window_iterations = 0;  ///< iterations a warp in the window
  Slots slots{};
  std::vector<InstructionRow> instructions;
  std::vector<PipeUse> pipes;
  std::vector<BankUse> banks;
  std::string bottleneck;                ///< one sentence
  bool incomplete = false;               ///< an unknown opcode was assumed
  bool dependency_mode = false;          ///< the input had no control words; they were made up
  std::vector<std::string> assumptions;  ///< what the figure rests on and nobody measured
};

/// Simulates one loop (or one pass) of the program. Errors: usage (function, loop), bad_input
/// (unknown opcode, a wait that never ends), bad_config.
Expected<Result> simulate(const Program& program, const Arch& arch,
                          const SimulateOptions& options = {});

}  // namespace smsim
