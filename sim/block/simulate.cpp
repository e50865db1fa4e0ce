// SPDX-License-Identifier: MIT
// Simulate: from a program and a request to a Result, by way of path, compiled loop and steady
// state.

#include "smsim/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "block/bank_reads.hpp"
#include "block/bottleneck.hpp"
#include "block/compile.hpp"
#include "block/prepare.hpp"
#include "block/replay.hpp"
#include "block/run_outcome.hpp"
#include "program/path.hpp"

namespace smsim {
namespace {

/// Simulated warp instructions after which a loop without a repeat is averaged instead.
constexpr std::uint64_t kWorkLimit = 200'000;

std::vector<PipeUse> pipe_uses(const RunOutcome& run, const Arch& arch, double block_cycles) {
  std::vector<PipeUse> uses;
  for (std::size_t p = 0; p < arch.pipes.size(); ++p) {
    if (run.pipe_busy[p] == 0) continue;
    uses.push_back({arch.pipes[p].name, static_cast<double>(run.pipe_busy[p]) / block_cycles});
  }
  return uses;
}

std::vector<BankUse> bank_uses(const RunOutcome& run, const Arch& arch, double block_cycles,
                               double warp_iterations) {
  std::vector<BankUse> uses;
  for (std::size_t b = 0; b < run.bank_reads.size(); ++b) {
    const auto reads = static_cast<double>(run.bank_reads[b]);
    uses.push_back({static_cast<int>(b), reads / warp_iterations,
                    reads / (block_cycles * arch.register_file.read_ports_per_bank)});
  }
  return uses;
}

/// Name of the pipe an instruction of the iteration runs on; empty for control instructions.
std::string pipe_name(const StaticInst& inst, const Arch& arch) {
  return inst.route == Route::control ? std::string() : arch.pipes[inst.pipe].name;
}

/// Stall counts that were made up from latencies are no waits for a stall count.
void name_made_up(Slots& slots) {
  auto& counted = slots[static_cast<std::size_t>(StallReason::stall_count)];
  slots[static_cast<std::size_t>(StallReason::fixed_latency)] += counted;
  counted = 0;
}

void fill_rows(const Function& function, const Path& path, const Compiled& compiled,
               const RunOutcome& run, const Arch& arch, Result& result) {
  result.instructions.reserve(path.steps.size());
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const Instruction& in = function.instructions[path.steps[i].index];
    InstructionRow& row = result.instructions.emplace_back();
    row.index = path.steps[i].index;
    row.address = in.address;
    row.text = in.text;
    row.control = in.control;
    row.slots = run.rows[i];
    if (!function.has_control_words) name_made_up(row.slots);
    row.paired = i < run.pairs.size() ? run.pairs[i] : 0;
    row.issued = row.slots[static_cast<std::size_t>(StallReason::selected)] + row.paired;
    row.pipe = pipe_name(compiled.loop.code[i], arch);
    for (std::size_t r = 0; r < kStallReasonCount; ++r) result.slots[r] += row.slots[r];
  }
}

void fill_counts(const RunOutcome& run, const Arch& arch, double steps, Result& result) {
  result.cycles_per_iteration = run.cycles_per_iteration;
  result.steady_state = run.steady;
  result.window_cycles = static_cast<std::uint64_t>(run.window_end - run.window_begin);
  result.window_iterations = run.window_iterations;
  const auto blocks = static_cast<std::uint64_t>(arch.processing_blocks);
  const auto active = static_cast<std::uint64_t>(run.blocks_with_warps);
  result.slots[static_cast<std::size_t>(StallReason::no_warp)] +=
      run.idle_slots + (blocks - active) * result.window_cycles;
  const double block_cycles = static_cast<double>(result.window_cycles * active);
  std::uint64_t instructions = 0;
  for (const InstructionRow& row : result.instructions) instructions += row.issued;
  const auto issued = static_cast<double>(instructions);
  result.warp_instructions_per_cycle =
      result.window_cycles > 0 ? issued / static_cast<double>(result.window_cycles) : 0;
  result.pipes = pipe_uses(run, arch, block_cycles);
  result.banks = bank_uses(run, arch, block_cycles, issued / steps);
}

void fill_notes(const Function& function, const Arch& arch, const Path& path, const RunOutcome& run,
                Result& result) {
  auto& notes = result.assumptions;
  if (!function.has_control_words)
    notes.push_back(
        "dependency mode: the input has no control words; stall counts and barriers were made up "
        "from the latencies of the model, as a compiler would");
  notes.insert(notes.end(), path.assumptions.begin(), path.assumptions.end());
  if (!runs_on(function, arch))
    notes.push_back(fmt::format("the code is for sm_{}, not for {}", function.sm, arch.name));
  if (path.is_loop && !run.steady.periodic)
    notes.push_back(run.uneven
                        ? "the warps of a block advance at different rates: the figure is a mean "
                          "over many iterations of all of them, "
                          "as a measurement would give it"
                        : "no steady state found: the figure is a mean over many iterations");
}

Diagnostics stuck_error(const Program& program, const Function& function, const Path& path,
                        std::int64_t at) {
  const Instruction& in = function.instructions[path.steps[static_cast<std::size_t>(at)].index];
  return fail(ErrorKind::bad_input, fmt::format("0x{:04x} {} waits for ever", in.address, in.text),
              {program.source, in.line, in.column}, "nothing lowers the barrier that it waits for")
      .value();
}

Result describe(const Function& function, const Path& path, const Arch& arch,
                const SimulateOptions& options, const Compiled& compiled) {
  Result result;
  result.arch = arch.name;
  result.function = function.name;
  result.sm = function.sm;
  result.is_loop = path.is_loop;
  result.loop = path.loop;
  result.other_loops = path.other_loops;
  result.warps = options.warps;
  result.processing_blocks = arch.processing_blocks;
  result.dependency_mode = !function.has_control_words;
  result.issue_width = arch.scheduler.dual_issue ? 2 : 1;
  result.incomplete = compiled.incomplete;
  result.assumptions = compiled.assumptions;
  return result;
}

/// The counts of a replay's code by instruction: each may have been issued at many places.
void fold_rows(const Replay& replay, RunOutcome& run) {
  const std::size_t rows = replay.path.steps.size();
  std::vector<Slots> slots(rows);
  std::vector<std::uint64_t> pairs(run.pairs.empty() ? 0 : rows);
  const auto& code = replay.compiled.loop.code;
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const std::size_t row = code[i].path_step;
    for (std::size_t r = 0; r < kStallReasonCount; ++r) slots[row][r] += run.rows[i][r];
    if (i < run.pairs.size()) pairs[row] += run.pairs[i];
  }
  run.rows = std::move(slots);
  run.pairs = std::move(pairs);
}

/// The code with each instruction once, for what is told of it.
Compiled unrepeated(const Replay& replay) {
  Compiled once;
  for (const std::size_t at : replay.first) once.loop.code.push_back(replay.compiled.loop.code[at]);
  return once;
}

Expected<Result> simulate_trace(const Prepared& prepared, const Arch& arch,
                                const SimulateOptions& options) {
  const Program& program = *prepared.program;
  const Function& function = *prepared.function;
  const auto replay = compile_replay(program, function, arch, options);
  if (!replay) return tl::unexpected(replay.error());
  RunOutcome run = run_loop(replay->compiled.loop, arch, {options.warps, 1, true});
  if (run.stuck_instruction >= 0) {
    const auto at = static_cast<std::size_t>(run.stuck_instruction);
    return tl::unexpected(
        stuck_error(program, function, replay->path, replay->compiled.loop.code[at].path_step));
  }
  add_fed_reads(replay->compiled.loop, arch, run);
  fold_rows(*replay, run);
  Result result = describe(function, replay->path, arch, options, replay->compiled);
  fill_rows(function, replay->path, unrepeated(*replay), run, arch, result);
  std::uint64_t issued = 0;
  for (const InstructionRow& row : result.instructions) issued += row.issued;
  fill_counts(run, arch, static_cast<double>(issued) / options.warps, result);
  fill_notes(function, arch, replay->path, run, result);
  result.bottleneck = bottleneck_sentence(result, replay->compiled.loop, arch);
  return result;
}

int iteration_limit(const SimulateOptions& options, std::size_t instructions) {
  const std::uint64_t per_iteration = instructions * static_cast<std::uint64_t>(options.warps);
  const std::uint64_t fits = kWorkLimit / std::max<std::uint64_t>(1, per_iteration);
  return static_cast<int>(
      std::clamp<std::uint64_t>(fits, 32, static_cast<std::uint64_t>(options.max_iterations)));
}

}  // namespace

Expected<Result> simulate(const Prepared& prepared, const Arch& arch,
                          const SimulateOptions& options) {
  const Program& program = *prepared.program;
  const Function& function = *prepared.function;
  const Path& path = prepared.path;
  if (auto misfit = check_warps(arch, options.warps)) return tl::unexpected(std::move(*misfit));
  auto compiled = compile(program, function, path, arch, options);
  if (!compiled) return tl::unexpected(compiled.error());

  RunOutcome run = run_loop(compiled->loop, arch,
                            {options.warps, iteration_limit(options, path.steps.size()), true});
  if (run.stuck_instruction >= 0)
    return tl::unexpected(stuck_error(program, function, path, run.stuck_instruction));
  add_fed_reads(compiled->loop, arch, run);

  Result result = describe(function, path, arch, options, *compiled);
  fill_rows(function, path, *compiled, run, arch, result);
  fill_counts(run, arch, static_cast<double>(path.steps.size()), result);
  fill_notes(function, arch, path, run, result);
  result.bottleneck = bottleneck_sentence(result, compiled->loop, arch);
  return result;
}

Expected<Result> simulate(const Program& program, const Arch& arch,
                          const SimulateOptions& options) {
  if (auto misfit = check_warps(arch, options.warps)) return tl::unexpected(std::move(*misfit));
  auto chosen = prepare_function(program, arch, options);
  if (!chosen) return tl::unexpected(chosen.error());
  if (options.loop.empty() && chosen->function->trace)
    return simulate_trace(*chosen, arch, options);
  return prepare_path(std::move(*chosen), options).and_then([&](const Prepared& prepared) {
    return simulate(prepared, arch, options);
  });
}

}  // namespace smsim
