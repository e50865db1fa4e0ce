// SPDX-License-Identifier: MIT
// Replay: a trace's warps, each with its own sequence of instructions, to the form that the cycle
// loop runs.

#include "block/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

#include "isa/code_layout.hpp"
#include "isa/opcode.hpp"
#include "program/code_facts.hpp"

namespace smsim {
namespace {

/// Compiled instructions in all: with their counts about 200 MB.
constexpr std::size_t kMostCode = std::size_t{1} << 18;

class Replayer {
 public:
  Replayer(const Program& program, const Function& function, const Arch& arch,
           const SimulateOptions& options)
      : program_(program),
        function_(function),
        arch_(arch),
        options_(options),
        trace_(*function.trace),
        warps_(static_cast<std::size_t>(options.warps)) {}

  Expected<Replay> run() {
    find_sequences();
    make_rows();
    make_lanes();
    for (const WarpTrace* sequence : sequences_) {
      if (auto added = add(*sequence); !added) return tl::unexpected(added.error());
    }
    for (std::size_t w = 0; w < warps_; ++w) {
      out_.compiled.loop.entries.push_back(starts_[sequence_of_[w]]);
      out_.compiled.loop.thread_blocks.push_back(trace_.warps[w].thread_block);
    }
    CompiledLoop& loop = out_.compiled.loop;
    loop.length = loop.code.size();
    loop.is_loop = false;
    loop.uses_shared_unit = true;  // no two processing blocks are alike
    add_notes();
    return std::move(out_);
  }

 private:
  /// Warps that do the same.
  void find_sequences() {
    std::map<std::string_view, std::size_t> known;
    std::size_t longest = 0;
    for (std::size_t w = 0; w < warps_; ++w) {
      const auto& steps = trace_.warps[w].steps;
      const std::string_view bytes(reinterpret_cast<const char*>(steps.data()),
                                   steps.size() * sizeof(TraceStep));
      const auto [at, fresh] = known.try_emplace(bytes, sequences_.size());
      if (fresh) sequences_.push_back(&trace_.warps[w]);
      sequence_of_.push_back(at->second);
      longest = std::max(longest, steps.size());
    }
    most_steps_ = std::max<std::size_t>(1, kMostCode / sequences_.size());
    is_cut_ = longest > most_steps_;
  }

  std::size_t length(const WarpTrace& sequence) const {
    return std::min(sequence.steps.size(), most_steps_);
  }

  void make_rows() {
    std::vector<bool> used(function_.instructions.size());
    for (const WarpTrace* sequence : sequences_)
      for (std::size_t s = 0; s < length(*sequence); ++s) used[sequence->steps[s].index] = true;
    row_of_.resize(used.size());
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) continue;
      row_of_[i] = static_cast<std::uint32_t>(out_.path.steps.size());
      out_.path.steps.push_back({i, false, false, 0});
    }
    const auto& all = function_.instructions;
    out_.path.loop = {all[out_.path.steps.front().index].address,
                      all[out_.path.steps.back().index].address, out_.path.steps.size(), true};
    for (const Loop& loop : find_loops(function_))
      if (loop.start != out_.path.loop.start || loop.end != out_.path.loop.end)
        out_.path.other_loops.push_back(loop);
    out_.first.assign(out_.path.steps.size(), SIZE_MAX);
  }

  void make_lanes() {
    lanes_ = program::code_facts(function_)->lanes(function_);
    for (const auto& bytes : trace_.addresses) traced_.push_back({true, bytes});
  }

  bool jumps(const Instruction& from, const Instruction& to) const {
    const isa::CodeLayout layout = isa::code_layout(function_.sm);
    return to.address != layout.next_instruction(from.address);
  }

  Expected<void> add(const WarpTrace& sequence) {
    Path path;
    path.lanes = lanes_;
    path.traced_lanes = traced_;
    for (std::size_t s = 0; s < length(sequence); ++s) {
      const TraceStep& step = sequence.steps[s];
      const bool last = s + 1 == sequence.steps.size();
      const auto& all = function_.instructions;
      path.steps.push_back({step.index,
                            !last && jumps(all[step.index], all[sequence.steps[s + 1].index]),
                            step.lanes == 0, step.addresses});
    }
    auto compiled = compile(program_, function_, path, arch_, options_);
    if (!compiled) return tl::unexpected(compiled.error());
    append(std::move(*compiled), path);
    return {};
  }

  void append(Compiled compiled, const Path& path) {
    CompiledLoop& all = out_.compiled.loop;
    starts_.push_back(static_cast<std::uint32_t>(all.code.size()));
    for (StaticInst& inst : compiled.loop.code) {
      const std::uint32_t row = row_of_[path.steps[inst.path_step].index];
      inst.path_step = row;
      if (inst.memory.touches != 0)
        inst.memory.touches = static_cast<std::uint16_t>(inst.memory.touches + all.touches.size());
      out_.first[row] = std::min(out_.first[row], all.code.size());
      all.code.push_back(inst);
    }
    all.code.back().effect = ControlEffect::exit;
    all.code.back().meets_others = true;
    std::move(compiled.loop.touches.begin(), compiled.loop.touches.end(),
              std::back_inserter(all.touches));
    out_.compiled.incomplete = out_.compiled.incomplete || compiled.incomplete;
    for (std::string& note : compiled.assumptions) {
      auto& notes = out_.compiled.assumptions;
      if (std::find(notes.begin(), notes.end(), note) == notes.end())
        notes.push_back(std::move(note));
    }
  }

  void add_notes() {
    std::vector<std::string> notes;
    const std::size_t blocks = trace_.warps[warps_ - 1].thread_block + std::size_t{1};
    notes.push_back(fmt::format(
        "replay of a trace: {} warps, of the first {} of {} thread blocks in it ({} were launched, "
        "{} threads each); each warp issues its own sequence once",
        warps_, blocks, trace_.thread_blocks, trace_.grid_thread_blocks, trace_.threads_per_block));
    std::size_t all = 0, masked = 0;
    for (std::size_t w = 0; w < warps_; ++w) {
      all += length(trace_.warps[w]);
      for (std::size_t s = 0; s < length(trace_.warps[w]); ++s)
        masked += trace_.warps[w].steps[s].lanes == 0 ? 1 : 0;
    }
    if (masked > 0)
      notes.push_back(
          fmt::format("{} of {} warp instructions have no active lane; they take issue "
                      "slots all the same",
                      masked, all));
    if (!function_.has_control_words)
      notes.emplace_back(
          "the trace names no predicates, uniform registers, constants, immediates and second "
          "destinations: nothing waits for them (--control joins the code)");
    if (is_cut_)
      notes.push_back(fmt::format("each warp is cut off behind {} instructions", most_steps_));
    auto& out = out_.compiled.assumptions;
    out.insert(out.begin(), notes.begin(), notes.end());
  }

  const Program& program_;
  const Function& function_;
  const Arch& arch_;
  const SimulateOptions& options_;
  const Trace& trace_;
  std::size_t warps_;
  std::vector<const WarpTrace*> sequences_;
  std::vector<std::size_t> sequence_of_;  ///< by warp
  std::size_t most_steps_ = 0;
  bool is_cut_ = false;
  std::vector<std::uint32_t> row_of_;  ///< by instruction of the function
  std::vector<std::uint32_t> starts_;  ///< by sequence
  std::shared_ptr<const program::LaneTable> lanes_;
  std::vector<program::LaneOffsets> traced_;
  Replay out_;
};

}  // namespace

Expected<Replay> compile_replay(const Program& program, const Function& function, const Arch& arch,
                                const SimulateOptions& options) {
  const std::size_t there = function.trace->warps.size();
  if (static_cast<std::size_t>(options.warps) > there)
    return fail(ErrorKind::usage,
                fmt::format("{} warps asked for; the trace of '{}' has {}", options.warps,
                            function.name, there),
                {program.source, 0, 0}, "--warps takes fewer; --loop repeats a loop of the code");
  return Replayer(program, function, arch, options).run();
}

}  // namespace smsim
