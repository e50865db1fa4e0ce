// SPDX-License-Identifier: MIT
// What a device's streaming multiprocessor is made of: the numbers of a YAML config, each with its
// source.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "smsim/diagnostic.hpp"

namespace smsim {

/// How a number of a config is known. Fitted and assumed ones are named in every report that used
/// them.
enum class Status : std::uint8_t { measured, published, fitted, assumed, overridden };

/// One number of a config with its provenance; `smsim archs NAME` lists them.
struct Parameter {
  std::string key;    ///< dotted path as --set takes it: register_file.banks
  std::string value;  ///< as written
  std::string unit;   ///< cycles, bytes, ...; empty for names and plain counts
  Status status = Status::assumed;
  std::string source;  ///< a measurement, a paper, a manual
  std::string help;
};

/// An execution unit of one processing block, or of the whole SM when shared. Two names are
/// reserved: `memory` is the way to the unit that all blocks share, `control` takes what executes
/// nowhere (branches, barriers, NOP).
struct Pipe {
  std::string name;
  int initiation_interval_cycles = 1;  ///< default distance between two instructions
  int queue_entries = 0;  ///< instructions that may wait in front of it without blocking issue
  int closes_dispatch_after_cycles =
      0;  ///< that long after it took an instruction, no other pipe takes one; 0: never
  bool own_latches =
      false;  ///< its instructions have operand latches and reuse entries of their own
  bool reads_apart = false;   ///< its instructions' registers do not come through the read pipeline
  bool shared = false;        ///< one unit for all processing blocks
  bool overflow = false;      ///< as a second pipe: taken when the first is busy
  int extra_cycle_every = 0;  ///< each so manieth instruction keeps it a cycle longer; 0: none
};

/// How a class of instructions runs: which pipe, how long, when its barriers are released.
struct InstructionTiming {
  std::string instruction_class;  ///< name of an OpClass
  std::uint16_t pipe = 0;         ///< index into Arch::pipes
  std::int16_t second_pipe = -1;  ///< another pipe that it may take or takes as well; -1: none
  bool needs_both =
      false;  ///< occupies both pipes; else takes the second if that one is free, or the first
  int initiation_interval_cycles = 1;  ///< pipe occupancy; the pipe's own by default
  int second_interval_cycles = 1;      ///< occupancy of an overflow pipe; that pipe's by default
  int latency_cycles =
      4;  ///< issue to the earliest dependent issue, or to the write barrier's release
  int read_release_cycles = 0;  ///< issue to the read barrier's release (variable-latency classes)
  int unit_cycles = 0;          ///< wavefronts without bank conflicts; 0: a special register
  int hold_cycles =
      0;  ///< extra cycles in the last read stage, in which the front end stands still
  std::int16_t forwarded_from =
      -1;  ///< pipe whose results reach it a cycle sooner than those of others; -1: its own
  int write_delay_cycles = 0;     ///< the result takes its write port this much later than others'
  bool variable_latency = false;  ///< waited for by dependency barriers, not by stall counts
  Status status = Status::assumed;
};

/// Warp scheduler and what surrounds issue.
struct SchedulerSpec {
  std::string policy = "greedy_then_least_issued";
  int yield_bubble_cycles =
      1;  ///< extra cycles before the same warp may issue after a yield request
  int issue_count_limit = 15;        ///< one more issue of a warp halves the counts of all
  int issue_count_delay_cycles = 5;  ///< issue to the first choice that counts it
  int barrier_visible_cycles =
      2;                         ///< issue to the first cycle at which a wait sees the barrier set
  int taken_branch_cycles = 10;  ///< issue of a taken branch to the issue of its target
  int barrier_sync_cycles = 20;  ///< the last arrival's turn at BAR.SYNC to the next issue
  int barrier_arrival_cycles = 0;  ///< between two arrivals that the SM takes
  int next_line_cycles =
      0;  ///< issue of a taken branch to the earliest issue from the code line behind its target's
  int overlong_stall_cycles = 0;  ///< what a stall count of 14 or 15 without a yield request costs,
                                  ///< 12 and 13 then costing 1; 0: what they say
  int yielded_zero_stall_cycles =
      0;                        ///< what a stall count of 0 with a yield request costs; 0: as 1
  int start_skew_cycles = 0;    ///< the warps of a block start this far apart
  int start_open_cycles = 0;    ///< they start behind a BAR that opens then; 0: start_skew_cycles
  int start_leader_issues = 0;  ///< counted of the warp that BAR does not hold
  std::vector<int> start_block_cycles;  ///< how much later each block's last warp comes to BAR
  int active_warps = 0;  ///< warps of a block that may issue at a time (greedy_active_set)
  int taken_branch_spread_cycles =
      1;  ///< with several warps, branches take up to this much more or less, in turn
  bool dual_issue =
      false;  ///< a stall count of 0 lets the next instruction issue in the same cycle
  std::string dependencies = "barriers";  ///< policy: barriers, scoreboard
  /// A stall count of 12 to 15 without a yield request, where it means something else; 0: it does
  /// not.
  int unyielding_12_cycles = 0;
  int unyielding_12_apart_cycles = 0;  ///< between two of them on a block
  int unyielding_13_cycles = 0;
  int unyielding_14_cycles = 0;
  int unyielding_15_cycles = 0;
  int unyielding_handover_cycles = 0;  ///< 13 to 15: until a waiting warp takes the warp's place
};

/// Vector register file of one processing block.
struct RegisterFileSpec {
  int banks = 2;
  std::string mapping = "R mod 2";          ///< bank of register R
  std::array<std::uint8_t, 256> bank_of{};  ///< the mapping, evaluated
  int read_ports_per_bank = 1;              ///< 32-lane, 32-bit reads a cycle and bank
  int read_delay_cycles = 2;                ///< stages between issue and the first read stage
  int read_window_cycles = 3;         ///< cycles over which one instruction's reads may spread
  int two_way_conflict_permille = 0;  ///< of a cycle, that two reads of one bank cost (overlapped)
  int three_way_conflict_permille = 0;  ///< and three
};

struct ReuseCacheSpec {
  int slots = 3;  ///< source slots that keep an operand; 0 turns it off
  int entries_per_slot = 1;
};

/// Memory input/output: a queue in each processing block in front of a load/store unit that all
/// blocks share.
struct MemorySpec {
  int queue_entries = 10;  ///< instructions a block may hold before issue stops
  int register_interval_cycles =
      2;  ///< a block reads one register for memory or special functions each so many cycles
  int read_to_unit_cycles =
      4;  ///< last register read to the read release and the arrival at the unit
  int instruction_interval_cycles = 0;    ///< of one block: between their first registers' reads
  int last_register_interval_cycles = 1;  ///< of the SM: between the last registers of two
  int entry_hold_cycles = 0;    ///< first register's read to the end of the queue's entry, at least
  int uniform_lead_cycles = 0;  ///< without a register to read it arrives this much earlier
  int uniform_release_cycles = 3;  ///< issue to the read release without a register to read
  int unit_slots = 2;  ///< instructions that the unit works on at a time, of different blocks
  int wavefront_interval_cycles = 2;  ///< cycles of a slot for one wavefront
  int return_passes_per_cycle = 1;    ///< of results to the blocks, for the SM: a register is one
  int unit_credits = 19;              ///< instructions on the way to the unit
  int unit_credit_return_cycles = 5;  ///< start in the unit to the credit's return
  int special_entries = 20;           ///< reads of special registers that may wait
  int special_interval_cycles = 2;    ///< special registers: cycles between two reads of the SM
  int tag_lines_per_cycle = 4;        ///< L1 lines looked up a cycle
  int shared_banks = 32;              ///< shared-memory banks, 4 bytes wide
  int miss_return_cycles = 0;         ///< start in the unit to the first pass back of a load that
                                      ///< misses L1 and hits L2; 0: every load hits L1
};

struct InstructionCacheSpec {
  int line_bytes = 128;     ///< a fetch brings one line
  int l0_instructions = 0;  ///< capacity of a block's L0 in instructions; 0: never misses
  int l0_refill_cycles =
      0;  ///< more for a taken branch back to the start of a loop that does not fit
  int fetch_request_cycles = 0;  ///< issue of a taken branch to its request for the target's line
  int line_request_cycles = 0;   ///< issue of a line's last instruction to its request
  int fetch_at_once_cycles = 0;  ///< a target's fetch takes the block's port so long if it begins
                                 ///< when it is asked for; 0: no port
  int fetch_waited_cycles = 0;   ///< and so long if it was waiting, as any line in sequence does
  int fetch_retry_cycles = 0;    ///< a target that was turned away is asked for again so much later
};

struct Arch {
  std::string name;  ///< hopper-gh100
  std::string title;
  std::vector<int> compute_capabilities;  ///< 90 for sm_90
  std::string encoding = "volta";         ///< family of control words
  /// Policy: read_window, operand_collector, overlapped_reads.
  std::string operand_read = "read_window";
  int processing_blocks = 4;
  int max_warps = 64;
  SchedulerSpec scheduler;
  RegisterFileSpec register_file;
  ReuseCacheSpec reuse_cache;
  MemorySpec memory;
  InstructionCacheSpec instruction_cache;
  std::vector<Pipe> pipes;
  std::vector<InstructionTiming> timings;  ///< one an instruction class
  std::vector<Parameter> parameters;       ///< every number, in file order
};

/// key=value pairs as --set takes them.
using Overrides = std::vector<std::pair<std::string, std::string>>;

/// Loads a config by name (hopper-gh100), alias (sm_90) or path (*.yaml). Errors: bad_config,
/// no_file, usage.
Expected<Arch> load_arch(const std::string& name_or_path, const Overrides& overrides = {});

/// The config whose compute_capabilities hold `sm`.
Expected<Arch> load_arch_for_sm(int sm, const Overrides& overrides = {});

/// Names of the configs that can be found, sorted.
std::vector<std::string> list_archs();

}  // namespace smsim
