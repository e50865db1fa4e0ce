// SPDX-License-Identifier: MIT
// Compile: one iteration's instructions and an architecture to the dense form that the cycle loop
// runs.

#include "block/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "block/compile_memory.hpp"
#include "isa/opcode.hpp"
#include "program/lane_addresses.hpp"

namespace smsim {
namespace {

using isa::OpClass;

constexpr std::uint8_t kPrologueStall = 8;

/// Timings by class, so that the compile step looks each up once.
class TimingTable {
 public:
  explicit TimingTable(const Arch& arch) {
    for (const InstructionTiming& t : arch.timings) {
      const auto op_class = isa::op_class_named(t.instruction_class);
      if (op_class) by_class_[static_cast<std::size_t>(*op_class)] = &t;
    }
  }
  const InstructionTiming* find(OpClass op_class) const {
    return by_class_[static_cast<std::size_t>(op_class)];
  }

 private:
  std::array<const InstructionTiming*, isa::kOpClassCount> by_class_{};
};

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

ControlEffect effect_of(OpClass op_class) {
  if (op_class == OpClass::exit || op_class == OpClass::kill) return ControlEffect::exit;
  return op_class == OpClass::bar ? ControlEffect::barrier_sync : ControlEffect::none;
}

void add_reads(const Instruction& in, const Arch& arch, StaticInst& out) {
  auto add = [&](int reg, SourceSlot slot) {
    if (out.read_count >= kMaxReads || reg < 0 || reg >= kRZ) return;
    RegisterRead read;
    read.reg = static_cast<std::uint8_t>(reg);
    read.bank = arch.register_file.bank_of[static_cast<std::size_t>(reg)];
    read.slot = static_cast<std::uint8_t>(slot);
    out.reads[out.read_count++] = read;
  };
  for (const Operand& op : in.operands) {
    if (op.destination || op.index < 0) continue;
    if (op.kind != OperandKind::reg && op.kind != OperandKind::memory &&
        op.kind != OperandKind::constant)
      continue;
    for (int r = 0; r < op.registers; ++r) add(op.index + r, op.slot);
  }
}

Route route_of(const Pipe& pipe) {
  if (pipe.name == "memory") return Route::memory;
  if (pipe.name == "control") return Route::control;
  return pipe.queue_entries > 0 ? Route::special : Route::dispatch;
}

/// Queues and tensor pipes fetch registers for themselves.
bool pipe_reads_apart(const Pipe& pipe) {
  return pipe.name == "memory" || pipe.queue_entries > 0 || pipe.reads_apart;
}

/// Blocks that share a pipe get an equal part of it.
int interval_of(const Pipe& pipe, int interval, const Arch& arch) {
  return pipe.shared ? interval * arch.processing_blocks : interval;
}

std::string place(const Instruction& in) { return fmt::format("0x{:04x} {}", in.address, in.text); }

/// A fixed-latency instruction that sets a barrier all the same lowers it as soon as it has been
/// seen to be raised (H200 suite, `lat.i2fp`: 2 cycles, `lat.dfma`: 3).
std::uint16_t fixed_release(const InstructionTiming& timing) {
  return static_cast<std::uint16_t>(std::max(2, timing.read_release_cycles));
}

void add_writes(const Instruction& in, const Arch& arch, StaticInst& out) {
  for (const Operand& op : in.operands) {
    if (!op.destination || op.kind != OperandKind::reg || op.index < 0 || op.index >= kRZ) continue;
    if (out.write_count == 0) out.write_first = static_cast<std::uint8_t>(op.index);
    for (int r = 0;
         r < op.registers && out.write_count < out.write_banks.size() && op.index + r < kRZ; ++r)
      out.write_banks[out.write_count++] =
          arch.register_file.bank_of[static_cast<std::size_t>(op.index + r)];
  }
}

class Compiler {
 public:
  Compiler(const Program& program, const Function& function, const Path& path, const Arch& arch,
           const SimulateOptions& options)
      : program_(program),
        function_(function),
        path_(path),
        arch_(arch),
        options_(options),
        timings_(arch) {}

  Expected<Compiled> run() {
    for (std::size_t i = 0; i < path_.steps.size(); ++i) add_step(i);
    mark_lines();
    check_waits();
    note_statuses();
    if (!errors_.empty()) return tl::unexpected(std::move(errors_));
    out_.loop.is_loop = path_.is_loop;
    out_.loop.length = out_.loop.code.size();
    if (path_.is_loop) add_prologue();
    return std::move(out_);
  }

 private:
  void add_step(std::size_t step) {
    const Instruction& in = function_.instructions[path_.steps[step].index];
    StaticInst inst;
    inst.path_step = static_cast<std::uint32_t>(step);
    inst.stall = in.control.stall;
    inst.yield = in.control.yield;
    inst.write_barrier = in.control.write_barrier;
    inst.read_barrier = in.control.read_barrier;
    inst.wait_mask = in.control.wait_mask;
    inst.taken_branch = path_.steps[step].taken;
    const isa::OpcodeRow* row = isa::find_opcode(in.opcode);
    if (row == nullptr) return add_unknown(in, inst);
    inst.reuse = static_cast<std::uint8_t>(in.control.reuse & row->reuse_slots);
    add_reads(in, arch_, inst);
    set_timing(in, *row, inst);
    // a conditional EXIT that is passed by ends nothing; the path says which one does
    const bool last = step + 1 == path_.steps.size();
    inst.effect = effect_of(row->op_class);
    if (inst.effect == ControlEffect::exit && !last) inst.effect = ControlEffect::none;
    push(inst);
  }

  /// Marks what the fetch behind taken branches does: the first instruction of the line after the
  /// target's comes later, and so does the target itself if the code between has filled the L0
  /// cache meanwhile.
  void mark_lines() {
    const std::size_t n = path_.steps.size();
    const auto line = [&](std::size_t step) {
      return function_.instructions[path_.steps[step % n].index].address /
             static_cast<std::uint64_t>(arch_.instruction_cache.line_bytes);
    };
    if (out_.loop.code.size() != n) return;
    for (std::size_t i = 0; i < n; ++i) {
      if (!path_.steps[i].taken) continue;
      std::size_t next = i + 1;
      while (next < i + 1 + n && line(next) == line(i + 1)) ++next;
      if (line(next) == line(i + 1) + 1) out_.loop.code[next % n].next_line = true;
    }
    const int capacity = arch_.instruction_cache.l0_instructions;
    out_.loop.code.back().slow_fetch = capacity > 0 && n > static_cast<std::size_t>(capacity);
  }

  /// A warp enters the loop as the measured ones do, reading the clock: with several warps on a
  /// block this first instruction decides the rhythm they fall into (H200: without it 119 of 331
  /// loops with two warps a block are exact, with it 305).
  void add_prologue() {
    const InstructionTiming* timing = timings_.find(OpClass::cs2r);
    if (timing == nullptr) return;
    StaticInst inst;
    inst.stall = kPrologueStall;
    apply(*timing, OpClass::cs2r, inst);
    if (inst.route == Route::dispatch) out_.loop.code.push_back(inst);
  }

  void add_unknown(const Instruction& in, StaticInst inst) {
    const auto pipe = std::find_if(arch_.pipes.begin(), arch_.pipes.end(),
                                   [&](const Pipe& p) { return p.name == options_.unknown_pipe; });
    if (pipe == arch_.pipes.end()) {
      if (reported_.insert(in.opcode).second) errors_.push_back(isa::unknown_opcode(program_, in));
      return;
    }
    inst.pipe = static_cast<std::uint16_t>(pipe - arch_.pipes.begin());
    inst.interval = static_cast<std::uint16_t>(
        interval_of(*pipe, std::max(1, pipe->initiation_interval_cycles), arch_));
    inst.latency = 4;
    inst.route = route_of(*pipe);
    out_.incomplete = true;
    if (reported_.insert(in.opcode).second)
      out_.assumptions.push_back(
          fmt::format("unknown opcode {}: assumed to run on the {} pipe", in.opcode, pipe->name));
    push(inst);
  }

  void set_timing(const Instruction& in, const isa::OpcodeRow& row, StaticInst& inst) {
    const OpClass op_class = row.op_class;
    const InstructionTiming* timing = timings_.find(op_class);
    if (timing == nullptr) {
      add_error(ErrorKind::bad_config,
                fmt::format("{} says nothing of the class {} ({})", arch_.name, isa::name(op_class),
                            place(in)),
                "add it under classes");
      return;
    }
    used_.insert(timing);
    apply(*timing, op_class, inst);
    add_writes(in, arch_, inst);
    if (inst.route != Route::memory) return;
    if (lane_offsets_.empty()) lane_offsets_ = program::infer_lane_offsets(function_);
    const program::LaneOffsets& lanes = lane_offsets_[path_.steps[inst.path_step].index];
    if (compile_memory(in, row, *timing, arch_, options_, lanes, inst) == AddressKnowledge::assumed)
      assumed_addresses_.insert(in.address);
  }

  void apply(const InstructionTiming& t, OpClass op_class, StaticInst& inst) const {
    const InstructionTiming* timing = &t;
    inst.pipe = timing->pipe;
    inst.second_pipe = timing->second_pipe;
    inst.needs_both = timing->needs_both;
    inst.reads_apart = pipe_reads_apart(arch_.pipes[timing->pipe]);
    inst.own_latches = arch_.pipes[timing->pipe].own_latches;
    inst.closes_after =
        static_cast<std::uint8_t>(arch_.pipes[timing->pipe].closes_dispatch_after_cycles);
    const Pipe& pipe = arch_.pipes[timing->pipe];
    inst.interval =
        static_cast<std::uint16_t>(interval_of(pipe, timing->initiation_interval_cycles, arch_));
    inst.latency = static_cast<std::uint16_t>(timing->latency_cycles);
    inst.read_release = static_cast<std::uint16_t>(timing->read_release_cycles);
    inst.hold = static_cast<std::uint8_t>(timing->hold_cycles);
    inst.write_delay = static_cast<std::uint8_t>(timing->write_delay_cycles);
    inst.route = route_of(pipe);
    if (!timing->variable_latency) inst.latency = inst.read_release = fixed_release(*timing);
    inst.scoreboard = scoreboard_of(op_class);
    inst.throttle = throttle_of(op_class, inst.route);
  }

  void push(const StaticInst& inst) {
    out_.loop.uses_shared_unit = out_.loop.uses_shared_unit || inst.route == Route::memory ||
                                 inst.effect == ControlEffect::barrier_sync;
    out_.loop.code.push_back(inst);
  }

  /// A wait on a barrier that nothing sets passes at once on the hardware, but in a whole function
  /// it is a mistake.
  void check_waits() {
    std::uint8_t set = 0;
    for (const Instruction& in : function_.instructions)
      for (const std::uint8_t b : {in.control.write_barrier, in.control.read_barrier})
        if (b < kNoBarrier) set = static_cast<std::uint8_t>(set | 1U << b);
    for (const PathStep& step : path_.steps) {
      const Instruction& in = function_.instructions[step.index];
      const auto unset = static_cast<std::uint8_t>(in.control.wait_mask & ~set & 0x3f);
      if (unset == 0 || !function_.has_control_words) continue;
      int barrier = 0;
      while (((unset >> barrier) & 1) == 0) ++barrier;
      if (!options_.allow_unset_waits) return error_unset_wait(in, barrier);
      out_.assumptions.push_back(fmt::format(
          "{} waits on barrier {}, which nothing here sets: it passes at once, as on the hardware",
          place(in), barrier));
      return;
    }
  }

  void error_unset_wait(const Instruction& in, int barrier) {
    const std::string name = function_.name.empty() ? "this code" : function_.name;
    Diagnostic& error =
        add_error(ErrorKind::bad_input,
                  fmt::format("{} waits on dependency barrier {}, which nothing in {} sets",
                              place(in), barrier, name),
                  "set it by a write or read barrier, or pass --allow-unset-waits: the hardware "
                  "goes on at once");
    error.where = {program_.source, in.line, in.column};
    if (in.line > 0 && in.line <= program_.lines.size())
      error.excerpt = program_.lines[in.line - 1];
  }

  Diagnostic& add_error(ErrorKind kind, std::string message, std::string hint) {
    Diagnostic& error = errors_.emplace_back();
    error.kind = kind;
    error.message = std::move(message);
    error.hint = std::move(hint);
    return error;
  }

  void note_statuses() {
    if (std::any_of(out_.loop.code.begin(), out_.loop.code.end(), [](const StaticInst& inst) {
          return inst.memory.global && inst.memory.returns;
        }))
      out_.assumptions.push_back("global loads hit L1");
    if (!assumed_addresses_.empty())
      out_.assumptions.push_back(
          fmt::format("{} memory instruction{} without a known lane stride: consecutive addresses, "
                      "no bank conflicts (--lane-stride tells)",
                      assumed_addresses_.size(), assumed_addresses_.size() == 1 ? "" : "s"));
    std::set<std::string> assumed;
    for (const InstructionTiming* t : used_) {
      if (t->status == Status::assumed) assumed.insert(t->instruction_class);
      if (t->status == Status::fitted)
        out_.assumptions.push_back(fmt::format("timing of {} is fitted", t->instruction_class));
    }
    if (assumed.empty()) return;
    std::string names;
    for (const std::string& n : assumed) names += (names.empty() ? "" : ", ") + n;
    out_.assumptions.push_back(fmt::format(
        "timing assumed, not measured on {}: {} (smsim archs {})", arch_.name, names, arch_.name));
  }

  const Program& program_;
  const Function& function_;
  const Path& path_;
  const Arch& arch_;
  const SimulateOptions& options_;
  TimingTable timings_;
  Compiled out_;
  Diagnostics errors_;
  std::set<std::string> reported_;
  std::set<const InstructionTiming*> used_;
  std::set<std::uint64_t> assumed_addresses_;
  std::vector<program::LaneOffsets> lane_offsets_;  ///< found once memory instructions turn up
};

}  // namespace

Expected<Compiled> compile(const Program& program, const Function& function, const Path& path,
                           const Arch& arch, const SimulateOptions& options) {
  return Compiler(program, function, path, arch, options).run();
}

}  // namespace smsim
