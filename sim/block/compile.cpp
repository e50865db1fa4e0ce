// SPDX-License-Identifier: MIT
// Compile: one iteration's instructions and an architecture to the dense form that the cycle loop
// runs.

#include "block/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "block/code_lines.hpp"
#include "block/compile_memory.hpp"
#include "block/registers_of.hpp"
#include "block/timing_table.hpp"
#include "isa/control_word.hpp"
#include "isa/opcode.hpp"
#include "issue/warp_start.hpp"
#include "program/code_facts.hpp"
#include "program/first_touches.hpp"
#include "program/lane_addresses.hpp"
#include "scoreboard/release_queue.hpp"

namespace smsim {
namespace {

using isa::OpClass;

constexpr std::uint8_t kPrologueStall = 8;
constexpr std::uint8_t kPrologueNopStall = 15;
constexpr std::size_t kPrologueNops = 2;

ControlEffect effect_of(OpClass op_class) {
  if (op_class == OpClass::exit || op_class == OpClass::kill) return ControlEffect::exit;
  return op_class == OpClass::bar ? ControlEffect::barrier_sync : ControlEffect::none;
}

std::string place(const Instruction& in) { return fmt::format("0x{:04x} {}", in.address, in.text); }

/// Cycles that a control word keeps its warp from issuing. Two codes mean something else than their
/// number (Huerta, section 4): 12 to 15 without a yield request, and 0 with one, which compilers
/// give ERRBAR and the branch to itself behind EXIT.
std::uint8_t stall_of(const ControlWord& control, const SchedulerSpec& spec) {
  if (isa::is_overlong(control) && spec.overlong_stall_cycles > 0)
    return static_cast<std::uint8_t>(isa::overlong_cycles(control, spec.overlong_stall_cycles));
  if (control.format == ControlFormat::volta && control.stall == 0 && control.yield)
    return static_cast<std::uint8_t>(spec.yielded_zero_stall_cycles);
  return control.stall;
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
    out_.loop.code.reserve(path_.steps.size() + 1 + kPrologueNops);
    for (std::size_t i = 0; i < path_.steps.size(); ++i) add_step(i);
    mark_lines(function_, path_, arch_.instruction_cache, out_.loop.code);
    add_first_touches();
    check_waits();
    note_statuses();
    if (!errors_.empty()) return tl::unexpected(std::move(errors_));
    out_.loop.is_loop = path_.is_loop;
    out_.loop.length = out_.loop.code.size();
    out_.loop.mark_meetings();
    if (path_.is_loop) add_prologue();
    return std::move(out_);
  }

 private:
  void add_step(std::size_t step) {
    const Instruction& in = function_.instructions[path_.steps[step].index];
    StaticInst inst;
    inst.path_step = static_cast<std::uint32_t>(step);
    inst.stall = stall_of(in.control, arch_.scheduler);
    if (inst.stall != in.control.stall && isa::is_overlong(in.control))
      overlong_.insert(in.address);
    inst.yield = in.control.yield;
    inst.write_barrier = in.control.write_barrier;
    inst.read_barrier = in.control.read_barrier;
    inst.wait_mask = in.control.wait_mask;
    inst.taken_branch = path_.steps[step].taken;
    inst.dual = arch_.scheduler.dual_issue && in.control.dual_issue();
    const isa::OpcodeRow* row = isa::find_opcode(in.opcode);
    if (row == nullptr) return add_unknown(in, inst);
    inst.reuse = static_cast<std::uint8_t>(in.control.reuse & row->reuse_slots);
    add_reads(in, arch_, inst);
    set_timing(in, *row, inst);
    mark_unyielding(inst);
    use_scoreboard(inst);
    // a conditional EXIT that is passed by ends nothing; the path says which one does
    const bool last = step + 1 == path_.steps.size();
    inst.effect = effect_of(row->op_class);
    if (inst.effect == ControlEffect::exit && !last) inst.effect = ControlEffect::none;
    // and a BAR that is never executed joins nobody
    if (path_.steps[step].predicated_off) inst.effect = ControlEffect::none;
    push(inst);
  }

  /// Where the config says so, a stall count of 12 to 15 without a yield request is no such count.
  void mark_unyielding(StaticInst& inst) const {
    if (arch_.scheduler.unyielding_12_cycles == 0 || inst.yield ||
        inst.stall <= isa::kLongestPlainStall)
      return;
    if (inst.route != Route::control) inst.unyielding = inst.stall;
  }

  /// Where registers are waited for, a variable-latency result keeps its own pending.
  void use_scoreboard(StaticInst& inst) const {
    if (arch_.scheduler.dependencies != "scoreboard") return;
    inst.write_barrier = inst.read_barrier = kNoBarrier;
    inst.wait_mask = 0;
    if (inst.variable_latency && inst.write_count > 0)
      inst.write_barrier = register_token({inst.write_first, inst.write_count});
  }

  /// A warp enters the loop as the measured ones do, reading the clock: with several warps on a
  /// block this first instruction decides the rhythm they fall into (H200: without it 119 of 331
  /// loops with two warps a block are exact, with it 305).
  void add_prologue() {
    const InstructionTiming* timing = timings_.find(OpClass::cs2r);
    if (timing == nullptr) return;
    if (WarpStart::behind_barrier(arch_.scheduler)) add_prologue_nops();
    StaticInst inst;
    inst.stall = kPrologueStall;
    apply_timing(*timing, OpClass::cs2r, arch_, inst);
    if (inst.route == Route::dispatch) out_.loop.code.push_back(inst);
  }

  /// Between the barrier and the clock read of the measured loops.
  void add_prologue_nops() {
    const InstructionTiming* timing = timings_.find(OpClass::nop);
    if (timing == nullptr) return;
    StaticInst nop;
    nop.stall = kPrologueNopStall;
    nop.yield = true;
    apply_timing(*timing, OpClass::nop, arch_, nop);
    out_.loop.code.insert(out_.loop.code.end(), kPrologueNops, nop);
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
    const OpClass op_class = isa::class_of(row, in);
    const InstructionTiming* timing = timings_.find(op_class);
    if (timing == nullptr) {
      add_error(ErrorKind::bad_config,
                fmt::format("{} says nothing of the class {} ({})", arch_.name, isa::name(op_class),
                            place(in)),
                "add it under classes");
      return;
    }
    used_.insert(timing);
    apply_timing(*timing, op_class, arch_, inst);
    add_writes(in, arch_, inst);
    if (inst.route != Route::memory) return;
    const program::LaneOffsets& lanes = lanes_at(path_.steps[inst.path_step]);
    if (compile_memory(in, row, *timing, arch_, options_, lanes, inst) == AddressKnowledge::assumed)
      assumed_addresses_.insert(in.address);
  }

  const program::LaneOffsets& lanes_at(const PathStep& step) {
    if (step.lanes != 0) return path_.traced_lanes[step.lanes - 1U];
    if (lanes_ == nullptr) lanes_ = path_.lanes;
    if (lanes_ == nullptr) lanes_ = program::code_facts(function_)->lanes(function_);
    return (*lanes_)[step.index];
  }

  /// Loads that walk through memory miss L1 where they come to what nobody has read before.
  void add_first_touches() {
    std::vector<StaticInst>& code = out_.loop.code;
    if (arch_.memory.miss_return_cycles == 0 || code.size() != path_.steps.size()) return;
    auto touches = program::first_touches(function_, path_, options_.lane_stride_bytes);
    for (std::size_t s = 0; s < touches.size(); ++s) {
      if (touches[s].empty()) continue;
      const auto period = static_cast<std::uint64_t>(touches[s].size());
      out_.loop.touch_period = std::lcm(out_.loop.touch_period, period);
      out_.loop.touches.push_back(std::move(touches[s]));
      code[s].memory.touches = static_cast<std::uint16_t>(out_.loop.touches.size());
    }
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

  void note_global_loads() {
    const std::vector<StaticInst>& code = out_.loop.code;
    const auto loads = std::count_if(code.begin(), code.end(), [](const StaticInst& inst) {
      return inst.memory.global && inst.memory.returns;
    });
    const auto walks = static_cast<std::ptrdiff_t>(out_.loop.touches.size());
    if (loads > walks) out_.assumptions.push_back("global loads hit L1");
    if (walks == 0) return;
    std::size_t of = 0;
    std::ptrdiff_t misses = 0;
    for (const auto& pattern : out_.loop.touches) {
      of += pattern.size();
      misses += std::count(pattern.begin(), pattern.end(), 1);
    }
    out_.assumptions.push_back(fmt::format(
        "{} global load{} read{} memory that nothing has read before in {:.1f} % of the "
        "iterations, "
        "and then find{} it in L2",
        walks, walks == 1 ? "" : "s", walks == 1 ? "s" : "",
        100.0 * static_cast<double>(misses) / static_cast<double>(of), walks == 1 ? "s" : ""));
  }

  /// Of the memory instructions that nobody knows the addresses of: a few.
  std::string first_addresses() const {
    constexpr std::size_t kShown = 4;
    std::string text;
    std::size_t n = 0;
    for (const std::uint64_t address : assumed_addresses_) {
      if (n++ == kShown) return text + ", ...";
      text += fmt::format("{}0x{:04x}", text.empty() ? "" : ", ", address);
    }
    return text;
  }

  /// Numbers of the device besides the timings, which are named one by one.
  void note_numbers() {
    std::size_t assumed = 0;
    std::size_t fitted = 0;
    std::size_t all = 0;
    for (const Parameter& one : arch_.parameters) {
      if (one.key.starts_with("classes.")) continue;
      ++all;
      assumed += one.status == Status::assumed ? 1 : 0;
      fitted += one.status == Status::fitted ? 1 : 0;
    }
    if (assumed + fitted == 0) return;
    out_.assumptions.push_back(
        fmt::format("besides timings, {} of {} numbers of {} are assumed and {} fitted", assumed,
                    all, arch_.name, fitted));
  }

  void note_statuses() {
    note_global_loads();
    if (!assumed_addresses_.empty())
      out_.assumptions.push_back(fmt::format(
          "{} memory instruction{} without a known lane stride ({}): consecutive "
          "addresses, no bank conflicts (--lane-stride tells)",
          assumed_addresses_.size(), assumed_addresses_.size() == 1 ? "" : "s", first_addresses()));
    if (!overlong_.empty())
      out_.assumptions.push_back(
          fmt::format("a stall count of 12 to 15 without a yield request, at 0x{:04x}{}, costs one "
                      "or two cycles: compilers always request a yield there",
                      *overlong_.begin(), overlong_.size() > 1 ? " and others" : ""));
    const auto& code = out_.loop.code;
    if (std::any_of(code.begin(), code.end(), [](const auto& inst) { return inst.unyielding; }))
      out_.assumptions.push_back(
          "stall counts of 12 to 15 without a yield request cost irregular numbers of cycles: "
          "fitted, up to 12 % off where measured");
    std::set<std::string> assumed;
    for (const InstructionTiming* t : used_) {
      if (t->status == Status::assumed) assumed.insert(t->instruction_class);
      if (t->status == Status::fitted)
        out_.assumptions.push_back(fmt::format("timing of {} is fitted", t->instruction_class));
    }
    note_numbers();
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
  std::set<std::uint64_t> overlong_;  ///< addresses whose stall count means something else
  std::shared_ptr<const program::LaneTable> lanes_;  ///< null until memory instructions turn up
};

}  // namespace

Expected<Compiled> compile(const Program& program, const Function& function, const Path& path,
                           const Arch& arch, const SimulateOptions& options) {
  return Compiler(program, function, path, arch, options).run();
}

}  // namespace smsim
