// SPDX-License-Identifier: MIT
// Record: runs a loop up to the iterations asked for and keeps what happens in them.
#include "smsim/record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "block/compile.hpp"
#include "block/prepare.hpp"
#include "block/sm.hpp"
#include "block/split_warps.hpp"
#include "block/steady_state.hpp"
#include "block/timing_table.hpp"
#include "block/with_policies.hpp"
#include "record/dependences.hpp"
#include "record/recorder.hpp"

namespace smsim {
namespace {

constexpr std::uint64_t kNoLimit = UINT64_MAX;
constexpr std::uint64_t kLastIteration = 1'000'000;
constexpr std::uint64_t kWarmUp = 8;  ///< iterations before those of a loop without a steady state
constexpr Cycle kChunk = 16;          ///< cycles between two looks at whether it is over
constexpr Cycle kBehind =
    4'000;  ///< behind the last issue of a pass, everything ends within so many

/// The first iteration that is like all others.
std::uint64_t steady_iteration(const Result& result) {
  if (!result.is_loop) return 1;
  const SteadyState& steady = result.steady_state;
  if (!steady.periodic) return kWarmUp + 1;
  return steady.iterations_simulated + 1;
}

Expected<Recording> chosen_window(const Result& result, const RecordOptions& window) {
  Recording out;
  out.first_iteration =
      window.first_iteration == 0 ? steady_iteration(result) : window.first_iteration;
  if (window.iterations == 0 || window.max_cycles < 1)
    return fail(ErrorKind::usage, "no iteration is to be recorded");
  if (!result.is_loop && out.first_iteration != 1)
    return fail(ErrorKind::usage, "a pass that is no loop has iteration 1 only");
  if (window.iterations > kLastIteration || out.first_iteration > kLastIteration)
    return fail(ErrorKind::usage, fmt::format("at most {} iterations are run", kLastIteration));
  out.last_iteration = out.first_iteration + (result.is_loop ? window.iterations : 1) - 1;
  return out;
}

/// Runs until everything asked for has happened, or `max_cycles` are over.
template <typename Machine>
void run(Machine& sm, Recorder& recorder, std::int64_t max_cycles, Recording& out) {
  SteadyStateRunner<Machine> runner(sm, true);
  Cycle last = kNever;
  while (!recorder.finished()) {
    if (last == kNever && recorder.begin() != kNever) last = recorder.begin() + max_cycles;
    if (runner.now() >= last || !runner.run_until(std::min(runner.now() + kChunk, last))) break;
    if (!sm.running()) break;
  }
  // what the last instruction of all started is still under way
  for (Cycle now = runner.now();
       !sm.running() && !recorder.finished() && now < runner.now() + kBehind; ++now)
    sm.tick(now, true);
  out.complete = recorder.finished();
}

void set_end(Recording& out) {
  out.end = out.begin;
  for (const RecordedInstruction& one : out.instructions)
    out.end = std::max({out.end, one.issue + 1, one.left + 1, one.write_end + 1});
  for (const RecordedRead& read : out.reads) out.end = std::max(out.end, read.at + 1);
  const auto outside = [&](const auto& event) { return event.at >= out.end; };
  std::erase_if(out.stops, outside);
  std::erase_if(out.barriers, outside);
}

/// Issue to the earliest dependent issue; the stages of the read pipeline come on top, of both.
std::vector<int> latencies_of(const Prepared& prepared, const CompiledLoop& loop,
                              const Arch& arch) {
  const TimingTable timings(arch);
  std::vector<int> latencies;
  for (std::size_t i = 0; i < loop.length; ++i) {
    const Instruction& in = prepared.function->instructions[prepared.path.steps[i].index];
    const isa::OpcodeRow* row = isa::find_opcode(in.opcode);
    const InstructionTiming* timing = row == nullptr ? nullptr : timings.find(row->op_class);
    latencies.push_back(timing == nullptr ? loop.code[i].latency : timing->latency_cycles);
  }
  return latencies;
}

void set_pipes(const CompiledLoop& loop, const Arch& arch, Recording& out) {
  for (std::size_t i = 0; i < out.steps.size(); ++i)
    if (loop.code[i].route != Route::control)
      out.steps[i].pipe = arch.pipes[loop.code[i].pipe].name;
}

}  // namespace

Expected<Recording> record(const Program& program, const Arch& arch, const SimulateOptions& options,
                           const RecordOptions& window) {
  auto prepared = prepare(program, arch, options);
  if (!prepared) return tl::unexpected(std::move(prepared.error()));
  auto result = simulate(*prepared, arch, options);
  if (!result) return tl::unexpected(std::move(result.error()));
  auto out = chosen_window(*result, window);
  if (!out) return out;
  const auto compiled = compile(program, *prepared->function, prepared->path, arch, options);
  if (!compiled) return tl::unexpected(compiled.error());
  const CompiledLoop& loop = compiled->loop;

  const std::vector<int> split = split_warps(options.warps, arch.processing_blocks);
  Recorder recorder(loop, latencies_of(*prepared, loop, arch), split, out->first_iteration,
                    out->last_iteration);
  with_policies(arch, [&]<typename Scheduler, typename OperandStage>() {
    using Machine = Sm<Scheduler, OperandStage, Recorder>;
    Machine sm(loop, arch, split, kNoLimit, recorder);
    run(sm, recorder, window.max_cycles, *out);
  });
  add_steps(*prepared->function, prepared->path, *out);
  set_pipes(loop, arch, *out);
  recorder.hand_over(*out);
  set_end(*out);
  out->banks = arch.register_file.banks;
  out->result = std::move(*result);
  return out;
}

}  // namespace smsim
