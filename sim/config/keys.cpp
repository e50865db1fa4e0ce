// SPDX-License-Identifier: MIT
// The table of config keys: parsing, errors, --set, provenance and the reference in docs/ all
// follow it. A new number of a config is one row here and one member of a struct in smsim/arch.hpp.
#include "config/keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace smsim::config {
namespace {

constexpr auto kArchKeys = std::to_array<Key<Arch>>({
    Key<Arch>::word(
        "name", ValueKind::identity, [](Arch& a) { return &a.name; },
        "name of the config; without it, the file's own name"),
    Key<Arch>::word(
        "title", ValueKind::identity, [](Arch& a) { return &a.title; },
        "the device or chip in words"),
    Key<Arch>::integers(
        "compute_capabilities", 10, 999, [](Arch& a) { return &a.compute_capabilities; },
        "the sm_NN that mean this config: 90 for sm_90; not inherited"),
    Key<Arch>::choice(
        "encoding", "volta|maxwell|kepler", [](Arch& a) { return &a.encoding; },
        "family of control words"),
    Key<Arch>::choice(
        "operand_read", "read_window|operand_collector|overlapped_reads",
        [](Arch& a) { return &a.operand_read; }, "how operands reach the pipes"),
    Key<Arch>::integer(
        "processing_blocks", "", 1, 16, [](Arch& a) { return &a.processing_blocks; },
        "processing blocks of an SM; warp w runs on block w mod this")
        .needed(),
    Key<Arch>::integer(
        "max_warps", "warps", 1, 256, [](Arch& a) { return &a.max_warps; },
        "warps that an SM can hold")
        .needed(),

    Key<Arch>::choice(
        "scheduler.policy",
        "loose_round_robin|greedy_then_oldest|greedy_then_youngest|greedy_then_least_issued|greedy_"
        "active_set",
        [](Arch& a) { return &a.scheduler.policy; }, "which of the ready warps issues")
        .needed(),
    Key<Arch>::integer(
        "scheduler.yield_bubble_cycles", "cycles", 0, 64,
        [](Arch& a) { return &a.scheduler.yield_bubble_cycles; },
        "extra cycles before the same warp may issue after a yield request"),
    Key<Arch>::integer(
        "scheduler.issue_count_limit", "issues", 1, 255,
        [](Arch& a) { return &a.scheduler.issue_count_limit; },
        "where a warp's count of recent issues ends: one more halves those of all warps"),
    Key<Arch>::integer(
        "scheduler.issue_count_delay_cycles", "cycles", 1, 64,
        [](Arch& a) { return &a.scheduler.issue_count_delay_cycles; },
        "issue to the first choice among warps that counts it"),
    Key<Arch>::integer(
        "scheduler.barrier_visible_cycles", "cycles", 1, 64,
        [](Arch& a) { return &a.scheduler.barrier_visible_cycles; },
        "issue to the first cycle at which a wait sees the dependency barrier set"),
    Key<Arch>::integer(
        "scheduler.taken_branch_cycles", "cycles", 1, 1000,
        [](Arch& a) { return &a.scheduler.taken_branch_cycles; },
        "issue of a taken branch to the issue of its target"),
    Key<Arch>::integer(
        "scheduler.barrier_sync_cycles", "cycles", 1, 1000,
        [](Arch& a) { return &a.scheduler.barrier_sync_cycles; },
        "the last arrival's turn at BAR.SYNC to the next issue"),

    Key<Arch>::integer(
        "scheduler.barrier_arrival_cycles", "cycles", 0, 100,
        [](Arch& a) { return &a.scheduler.barrier_arrival_cycles; },
        "between two arrivals at BAR.SYNC that the SM takes"),
    Key<Arch>::integer(
        "scheduler.next_line_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.scheduler.next_line_cycles; },
        "issue of a taken branch to the earliest issue from the code line behind its target's"),
    Key<Arch>::integer(
        "scheduler.overlong_stall_cycles", "cycles", 0, 15,
        [](Arch& a) { return &a.scheduler.overlong_stall_cycles; },
        "what a stall count of 14 or 15 without a yield request costs, 12 and 13 then costing 1; "
        "0: what "
        "they say"),
    Key<Arch>::integer(
        "scheduler.yielded_zero_stall_cycles", "cycles", 0, 255,
        [](Arch& a) { return &a.scheduler.yielded_zero_stall_cycles; },
        "what a stall count of 0 with a yield request costs; 0: as a stall count of 1"),
    Key<Arch>::integer(
        "scheduler.start_skew_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.scheduler.start_skew_cycles; },
        "the warps of a block start this far apart, which decides the rhythm they fall into"),
    Key<Arch>::integer(
        "scheduler.start_open_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.scheduler.start_open_cycles; },
        "the warps of a loop start behind a BAR.SYNC, as measured ones do; all but the last to "
        "arrive go on after so many cycles; 0: start_skew_cycles says it"),
    Key<Arch>::integer(
        "scheduler.start_leader_issues", "issues", 0, 255,
        [](Arch& a) { return &a.scheduler.start_leader_issues; },
        "what the scheduler has counted of the warp that arrives last there"),
    Key<Arch>::integers(
        "scheduler.start_block_cycles", 0, 1000,
        [](Arch& a) { return &a.scheduler.start_block_cycles; },
        "how much later the last warp of each block arrives there"),
    Key<Arch>::integer(
        "scheduler.active_warps", "warps", 0, 64, [](Arch& a) { return &a.scheduler.active_warps; },
        "warps of a block among which greedy_active_set chooses; 0: all"),
    Key<Arch>::integer(
        "scheduler.taken_branch_spread_cycles", "cycles", 1, 64,
        [](Arch& a) { return &a.scheduler.taken_branch_spread_cycles; },
        "taken branches of a block with several warps differ by so much, in turn; 1: not at all"),
    Key<Arch>::flag(
        "scheduler.dual_issue", [](Arch& a) { return &a.scheduler.dual_issue; },
        "a stall count of 0 lets the warp's next instruction issue in the same cycle, on another "
        "pipe"),
    Key<Arch>::choice(
        "scheduler.dependencies", "barriers|scoreboard",
        [](Arch& a) { return &a.scheduler.dependencies; },
        "what a reader of a variable-latency result waits for: its wait mask, or the register"),
    Key<Arch>::integer(
        "scheduler.unyielding_12_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.scheduler.unyielding_12_cycles; },
        "what a stall count of 12 means without a yield request; 0: 12 cycles"),
    Key<Arch>::integer(
        "scheduler.unyielding_12_apart_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.scheduler.unyielding_12_apart_cycles; },
        "least distance of two such instructions on a block"),
    Key<Arch>::integer(
        "scheduler.unyielding_13_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.scheduler.unyielding_13_cycles; },
        "what a stall count of 13 means without a yield request; 0: 13 cycles"),
    Key<Arch>::integer(
        "scheduler.unyielding_14_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.scheduler.unyielding_14_cycles; },
        "what a stall count of 14 means without a yield request; 0: 14 cycles"),
    Key<Arch>::integer(
        "scheduler.unyielding_15_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.scheduler.unyielding_15_cycles; },
        "what a stall count of 15 means without a yield request; 0: 15 cycles"),
    Key<Arch>::integer(
        "scheduler.unyielding_handover_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.scheduler.unyielding_handover_cycles; },
        "after 13 to 15 without a yield request: until a waiting warp has taken the warp's place"),

    Key<Arch>::integer(
        "register_file.banks", "", 1, 8, [](Arch& a) { return &a.register_file.banks; },
        "register banks of a processing block")
        .needed(),
    Key<Arch>::word(
        "register_file.mapping", ValueKind::formula,
        [](Arch& a) { return &a.register_file.mapping; },
        "bank of register R: a formula with + - * / mod % & | ^ << >> ( ), R and banks, or a "
        "list that repeats")
        .needed(),
    Key<Arch>::integer(
        "register_file.read_ports_per_bank", "", 1, 16,
        [](Arch& a) { return &a.register_file.read_ports_per_bank; },
        "32-lane, 32-bit reads of a bank in a cycle"),
    Key<Arch>::integer(
        "register_file.read_delay_cycles", "cycles", 0, 8,
        [](Arch& a) { return &a.register_file.read_delay_cycles; },
        "stages between issue and the first read stage"),
    Key<Arch>::integer(
        "register_file.read_window_cycles", "cycles", 1, 8,
        [](Arch& a) { return &a.register_file.read_window_cycles; },
        "cycles over which one instruction's reads may spread"),
    Key<Arch>::integer(
        "register_file.two_way_conflict_permille", "", 0, 10000,
        [](Arch& a) { return &a.register_file.two_way_conflict_permille; },
        "overlapped_reads: thousandths of a cycle that two reads of one bank cost"),
    Key<Arch>::integer(
        "register_file.three_way_conflict_permille", "", 0, 10000,
        [](Arch& a) { return &a.register_file.three_way_conflict_permille; },
        "overlapped_reads: thousandths of a cycle that three reads of one bank cost"),

    Key<Arch>::integer(
        "reuse_cache.slots", "", 0, 4, [](Arch& a) { return &a.reuse_cache.slots; },
        "source slots that keep an operand; 0 turns the cache off"),
    Key<Arch>::integer(
        "reuse_cache.entries_per_slot", "", 1, 16,
        [](Arch& a) { return &a.reuse_cache.entries_per_slot; },
        "operands that a slot keeps; more than one needs operand_collector"),

    Key<Arch>::integer(
        "memory.queue_entries", "", 1, 1024, [](Arch& a) { return &a.memory.queue_entries; },
        "memory instructions that a block may have waiting before issue stops"),
    Key<Arch>::integer(
        "memory.register_interval_cycles", "cycles", 1, 64,
        [](Arch& a) { return &a.memory.register_interval_cycles; },
        "a block reads one register for memory or special functions each so many cycles"),
    Key<Arch>::integer(
        "memory.read_to_unit_cycles", "cycles", 1, 1000,
        [](Arch& a) { return &a.memory.read_to_unit_cycles; },
        "last register read to the read release and the arrival at the load/store unit"),
    Key<Arch>::integer(
        "memory.instruction_interval_cycles", "cycles", 0, 64,
        [](Arch& a) { return &a.memory.instruction_interval_cycles; },
        "at least so long between the first register reads of two memory instructions of a block"),
    Key<Arch>::integer(
        "memory.last_register_interval_cycles", "cycles", 1, 64,
        [](Arch& a) { return &a.memory.last_register_interval_cycles; },
        "the SM takes the last register of a memory instruction each so many cycles"),
    Key<Arch>::integer(
        "memory.entry_hold_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.memory.entry_hold_cycles; },
        "first register's read to the end of the queue's entry, at least"),
    Key<Arch>::integer(
        "memory.uniform_lead_cycles", "cycles", 0, 4,
        [](Arch& a) { return &a.memory.uniform_lead_cycles; },
        "an access that reads no vector register is this much earlier at the load/store unit"),
    Key<Arch>::integer(
        "memory.uniform_release_cycles", "cycles", 1, 1000,
        [](Arch& a) { return &a.memory.uniform_release_cycles; },
        "issue to the read release of an access that reads no vector register"),
    Key<Arch>::integer(
        "memory.unit_slots", "", 1, 16, [](Arch& a) { return &a.memory.unit_slots; },
        "instructions that the load/store unit works on at a time, of different blocks"),
    Key<Arch>::integer(
        "memory.return_passes_per_cycle", "", 1, 16,
        [](Arch& a) { return &a.memory.return_passes_per_cycle; },
        "results that return to the blocks of the SM, a register of a warp each"),
    Key<Arch>::integer(
        "memory.wavefront_interval_cycles", "cycles", 1, 64,
        [](Arch& a) { return &a.memory.wavefront_interval_cycles; },
        "cycles of a slot for one wavefront"),
    Key<Arch>::integer(
        "memory.unit_credits", "", 1, 1000, [](Arch& a) { return &a.memory.unit_credits; },
        "instructions on the way to the load/store unit"),
    Key<Arch>::integer(
        "memory.unit_credit_return_cycles", "cycles", 1, 1000,
        [](Arch& a) { return &a.memory.unit_credit_return_cycles; },
        "start in the load/store unit to the return of its credit"),
    Key<Arch>::integer(
        "memory.special_entries", "", 1, 1000, [](Arch& a) { return &a.memory.special_entries; },
        "reads of special registers that may wait"),
    Key<Arch>::integer(
        "memory.special_interval_cycles", "cycles", 1, 64,
        [](Arch& a) { return &a.memory.special_interval_cycles; },
        "special registers: cycles between two reads of the SM"),
    Key<Arch>::integer(
        "memory.tag_lines_per_cycle", "", 1, 32,
        [](Arch& a) { return &a.memory.tag_lines_per_cycle; }, "L1 lines looked up a cycle"),
    Key<Arch>::integer(
        "memory.shared_banks", "", 1, 64, [](Arch& a) { return &a.memory.shared_banks; },
        "banks of the shared memory, 4 bytes wide"),
    Key<Arch>::integer(
        "memory.miss_return_cycles", "cycles", 0, 10000,
        [](Arch& a) { return &a.memory.miss_return_cycles; },
        "start in the unit to the first pass back of a load that misses L1; 0: all loads hit"),
    Key<Arch>::integer(
        "instruction_cache.line_bytes", "bytes", 16, 4096,
        [](Arch& a) { return &a.instruction_cache.line_bytes; }, "code that one fetch brings"),
    Key<Arch>::integer(
        "instruction_cache.l0_instructions", "instructions", 0, 1048576,
        [](Arch& a) { return &a.instruction_cache.l0_instructions; },
        "capacity of a block's L0 cache; 0: never misses"),
    Key<Arch>::integer(
        "instruction_cache.l0_refill_cycles", "cycles", 0, 10000,
        [](Arch& a) { return &a.instruction_cache.l0_refill_cycles; },
        "more for a taken branch back to the start of a loop that does not fit into L0"),
    Key<Arch>::integer(
        "instruction_cache.fetch_request_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.instruction_cache.fetch_request_cycles; },
        "issue of a taken branch to the request for its target's code line"),
    Key<Arch>::integer(
        "instruction_cache.line_request_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.instruction_cache.line_request_cycles; },
        "issue of a code line's last instruction to the request for the line after the next"),
    Key<Arch>::integer(
        "instruction_cache.fetch_at_once_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.instruction_cache.fetch_at_once_cycles; },
        "a branch target's fetch takes a block's port so long if it begins when it is asked for; "
        "0: warps do not meet there"),
    Key<Arch>::integer(
        "instruction_cache.fetch_waited_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.instruction_cache.fetch_waited_cycles; },
        "and so long if it was waiting, as any fetch of a line in sequence"),
    Key<Arch>::integer(
        "instruction_cache.fetch_retry_cycles", "cycles", 0, 1000,
        [](Arch& a) { return &a.instruction_cache.fetch_retry_cycles; },
        "a branch target whose fetch was turned away is asked for again so much later"),
});

constexpr auto kPipeKeys = std::to_array<Key<Pipe>>({
    Key<Pipe>::integer(
        "initiation_interval_cycles", "cycles", 1, 4096,
        [](Pipe& p) { return &p.initiation_interval_cycles; },
        "distance between two instructions of the pipe")
        .needed(),
    Key<Pipe>::integer(
        "queue_entries", "", 0, 1024, [](Pipe& p) { return &p.queue_entries; },
        "instructions that may wait in front of it without blocking issue"),
    Key<Pipe>::integer(
        "closes_dispatch_after_cycles", "cycles", 0, 64,
        [](Pipe& p) { return &p.closes_dispatch_after_cycles; },
        "that long after it took an instruction, no other pipe takes one; 0: never"),
    Key<Pipe>::flag(
        "own_latches", [](Pipe& p) { return &p.own_latches; },
        "its instructions have operand latches and reuse entries of their own"),
    Key<Pipe>::flag(
        "reads_apart", [](Pipe& p) { return &p.reads_apart; },
        "its instructions' registers do not come through the read pipeline"),
    Key<Pipe>::flag(
        "shared", [](Pipe& p) { return &p.shared; }, "one unit for all processing blocks"),
    Key<Pipe>::flag(
        "overflow", [](Pipe& p) { return &p.overflow; },
        "as a second pipe it is taken when the first one is busy"),
    Key<Pipe>::integer(
        "extra_cycle_every", "", 0, 1000, [](Pipe& p) { return &p.extra_cycle_every; },
        "each so manieth instruction keeps it a cycle longer; 0: none"),
});

constexpr auto kClassKeys = std::to_array<Key<ClassDraft>>({
    Key<ClassDraft>::word(
        "pipe", ValueKind::text, [](ClassDraft& c) { return &c.pipe; },
        "the entry of pipes that executes it")
        .needed(),
    Key<ClassDraft>::word(
        "second_pipe", ValueKind::text, [](ClassDraft& c) { return &c.second_pipe; },
        "another pipe that it may take or takes as well, or none"),
    Key<ClassDraft>::flag(
        "needs_both", [](ClassDraft& c) { return &c.timing.needs_both; },
        "occupies both pipes; else takes the second if that one is free, or the first"),
    Key<ClassDraft>::integer(
        "latency_cycles", "cycles", 1, 100000,
        [](ClassDraft& c) { return &c.timing.latency_cycles; },
        "issue to the earliest dependent issue, or to the release of the write "
        "barrier")
        .needed(),
    Key<ClassDraft>::integer(
        "initiation_interval_cycles", "cycles", 1, 4096,
        [](ClassDraft& c) { return &c.timing.initiation_interval_cycles; },
        "cycles it occupies the pipe; without it, the pipe's own"),
    Key<ClassDraft>::integer(
        "second_interval_cycles", "cycles", 1, 4096,
        [](ClassDraft& c) { return &c.timing.second_interval_cycles; },
        "cycles it occupies a second pipe that takes overflow; without it, that pipe's own"),
    Key<ClassDraft>::integer(
        "read_release_cycles", "cycles", 0, 100000,
        [](ClassDraft& c) { return &c.timing.read_release_cycles; },
        "issue to the release of the read barrier"),
    Key<ClassDraft>::integer(
        "unit_cycles", "cycles", 0, 250, [](ClassDraft& c) { return &c.timing.unit_cycles; },
        "wavefronts in the load/store unit without bank conflicts; 0: a special register"),
    Key<ClassDraft>::integer(
        "hold_cycles", "cycles", 0, 64, [](ClassDraft& c) { return &c.timing.hold_cycles; },
        "extra cycles in the last read stage, in which the front end stands still"),
    Key<ClassDraft>::integer(
        "write_delay_cycles", "cycles", 0, 32,
        [](ClassDraft& c) { return &c.timing.write_delay_cycles; },
        "the result takes its write port this much later than that of others"),
    Key<ClassDraft>::word(
        "forwarded_from", ValueKind::text, [](ClassDraft& c) { return &c.forwarded_from; },
        "the pipe whose results reach it a cycle sooner than those of others; none: its own"),
    Key<ClassDraft>::flag(
        "variable_latency", [](ClassDraft& c) { return &c.timing.variable_latency; },
        "waited for by dependency barriers, not by stall counts"),
});

}  // namespace

std::span<const Key<Arch>> arch_keys() { return kArchKeys; }

std::span<const Key<Pipe>> pipe_keys() { return kPipeKeys; }

std::span<const Key<ClassDraft>> class_keys() { return kClassKeys; }

std::string render(const Target& target) {
  struct Renderer {
    std::string operator()(const int* value) const { return fmt::format("{}", *value); }
    std::string operator()(const bool* value) const { return *value ? "true" : "false"; }
    std::string operator()(const std::string* value) const { return *value; }
    std::string operator()(const std::vector<int>* value) const {
      return fmt::format("[{}]", fmt::join(*value, ", "));
    }
  };
  return std::visit(Renderer{}, target);
}

}  // namespace smsim::config
