// SPDX-License-Identifier: MIT
// Remap: from a loop to one with other register names and reuse flags that runs faster, or to the
// statement that there is none.
#include "smsim/remap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "analysis/variants.hpp"
#include "block/prepare.hpp"
#include "optimize/remap_plan.hpp"
#include "optimize/remap_search.hpp"

namespace smsim {
namespace {

using namespace optimize;

constexpr int kAllPorts = 64;
/// What the search may cost: simulated warp instructions, and instructions looked at by the
/// estimate. Some seconds at most.
constexpr double kSimulationWork = 1.5e6;
constexpr double kInstructionWork = 4;  ///< of preparing an instruction, in simulated ones
constexpr double kEstimateWork = 1.2e7;
constexpr double kNoise = 5e-3;  ///< of a figure that is a mean over many iterations

class Remapper {
 public:
  Remapper(const Program& program, const Arch& arch, const SimulateOptions& options,
           const RemapOptions& limits)
      : program_(program), arch_(arch), options_(options), limits_(limits) {}

  Expected<Remapped> run() {
    auto before = bounds(program_, arch_, options_);
    if (!before) return tl::unexpected(before.error());
    auto prepared = prepare(program_, arch_, options_);
    if (!prepared) return tl::unexpected(prepared.error());
    prepared_ = std::move(*prepared);
    const Function& function = *prepared_.function;
    if (const auto refused = check(function)) return tl::unexpected(*refused);
    std::vector<std::size_t> order;
    for (const PathStep& step : prepared_.path.steps) order.push_back(step.index);
    std::vector<int> fixed;  // the caller knows these addresses by their register
    for (const auto& [reg, bytes] : options_.lane_stride_bytes) fixed.push_back(reg);
    const int blocks = std::max(1, arch_.processing_blocks);
    const Plan plan(function, arch_, order, (options_.warps + blocks - 1) / blocks, fixed);
    if (const auto refused = check_limit(plan.live().registers)) return tl::unexpected(*refused);
    result_.before = std::move(*before);
    find_floor(function);
    return finish(function, plan, best(function, plan));
  }

 private:
  std::optional<Diagnostics> check(const Function& function) const {
    const bool kepler = !function.instructions.empty() &&
                        function.instructions.front().control.format == ControlFormat::kepler;
    if (kepler)
      return fail(ErrorKind::usage, fmt::format("remap is not for sm_{}", function.sm), {},
                  "Kepler has no reuse flags, and its bank conflicts cost next to nothing")
          .value();
    if (!function.has_control_words)
      return fail(ErrorKind::bad_input, "remap needs control words", {program_.source, 0, 0},
                  "print the code with cuobjdump -sass or nvdisasm -hex")
          .value();
    return std::nullopt;
  }

  std::optional<Diagnostics> check_limit(int named) {
    result_.registers_before = named;
    limit_ = limits_.max_registers == 0 ? named : limits_.max_registers;
    if (limit_ >= named && limit_ <= kRZ) return std::nullopt;
    return fail(ErrorKind::usage, fmt::format("--max-registers {}: not possible", limit_), {},
                fmt::format("the function names R{}, and there are {} registers", named - 1, kRZ))
        .value();
  }

  void find_floor(const Function& function) {
    analysis::VariantInput input{arch_, function, options_.warps};
    input.arch.register_file.read_ports_per_bank = kAllPorts;
    const auto ideal = analysis::simulate_variant(prepared_, input, options_);
    result_.floor = ideal ? ideal->cycles_per_iteration : 0;
  }

  Score score_of(const Result& result) const {
    const auto iterations = static_cast<double>(result.steady_state.iterations_simulated);
    const auto steps = static_cast<double>(prepared_.path.steps.size());
    Score score{result.cycles_per_iteration, 0,
                steps * (iterations * options_.warps + kInstructionWork)};
    for (const BankUse& bank : result.banks) score.reads += bank.reads_per_iteration;
    return score;
  }

  SearchLimits search_limits() const {
    const Result& before = result_.before.simulated;
    const double steps = static_cast<double>(prepared_.path.steps.size());
    SearchLimits limits;
    limits.work = kSimulationWork * limits_.effort;
    limits.estimates =
        static_cast<int>(std::clamp(kEstimateWork / steps, 1000.0, 60000.0) * limits_.effort);
    limits.floor = result_.floor;
    const bool mean = before.is_loop && !before.steady_state.periodic;
    limits.step = mean ? before.cycles_per_iteration * kNoise : 1e-6;
    return limits;
  }

  Candidate best(const Function& function, const Plan& plan) {
    Assignment assignment = plan.assignment(limit_);
    for (std::size_t w = 0; w < plan.live().webs.size(); ++w)
      result_.movable += assignment.is_movable(assignment.group_of(static_cast<int>(w))) ? 1 : 0;
    const Candidate start{plan.old_names(), plan.old_flags(), score_of(result_.before.simulated)};
    analysis::VariantInput input{arch_, function, options_.warps};
    const Judge judge = [&](const Names& names, const Flags& flags) {
      set_numbers(function, plan.live(), names, flags, input.function);
      const auto result = analysis::simulate_variant(prepared_, input, options_);
      return result ? score_of(*result)
                    : Score{std::numeric_limits<double>::max(), 0, kSimulationWork};
    };
    const FlagRule rule = [&](const Names& names) { return plan.flags(names); };
    const SearchLimits limits = search_limits();
    Candidate found = search(plan.loop(), assignment, start, rule, judge, limits);
    if (found.score.cycles < start.score.cycles) prune(found, plan.old_flags(), judge, limits);
    return found;
  }

  /// Takes away new flags that save neither a cycle nor a read.
  void prune(Candidate& found, const Flags& old, const Judge& judge,
             const SearchLimits& limits) const {
    double work = 0;
    for (const PathStep& step : prepared_.path.steps)
      for (unsigned slot = 0; slot < 3; ++slot) {
        const unsigned bit = 1U << slot;
        const bool fresh = (found.flags[step.index] & ~old[step.index] & bit) != 0;
        if (!fresh || work >= limits.work / 4) continue;
        Flags fewer = found.flags;
        fewer[step.index] = static_cast<std::uint8_t>(fewer[step.index] & ~bit);
        const Score score = judge(found.names, fewer);
        work += score.work;
        if (score.cycles > found.score.cycles || score.reads > found.score.reads + 1e-9) continue;
        found = {found.names, std::move(fewer), score};
      }
  }

  Expected<Remapped> finish(const Function& function, const Plan& plan, const Candidate& found) {
    const Liveness& live = plan.live();
    result_.original = function;
    result_.rewritten = function;
    result_.values = live.webs.size();
    result_.obstacle = live.obstacle;
    result_.after = result_.before.simulated;
    result_.registers_after = result_.registers_before;
    if (found.score.cycles >= result_.before.simulated.cycles_per_iteration)
      return std::move(result_);
    if (!rewrite(live, found.names, found.flags, result_.rewritten) ||
        !same_values(live, find_webs(result_.rewritten)))
      return fail(ErrorKind::internal, "the rewritten function does not compute the same", {},
                  "this is a fault of smsim");
    analysis::VariantInput input{arch_, result_.rewritten, options_.warps};
    auto after = analysis::simulate_variant(prepared_, input, options_);
    if (!after) return tl::unexpected(after.error());
    result_.after = std::move(*after);
    result_.registers_after = find_webs(result_.rewritten).registers;
    list_changes();
    compare_other_loops();
    return std::move(result_);
  }

  void list_changes() {
    std::set<std::size_t> in_loop;
    for (const PathStep& step : prepared_.path.steps) in_loop.insert(step.index);
    for (std::size_t i = 0; i < result_.original.instructions.size(); ++i) {
      const Instruction& before = result_.original.instructions[i];
      const Instruction& after = result_.rewritten.instructions[i];
      if (before.text == after.text && before.control == after.control) continue;
      result_.changes.push_back({i, before.address, before.text, after.text, in_loop.contains(i)});
    }
  }

  void compare_other_loops() {
    for (const Loop& loop : result_.before.simulated.other_loops) {
      SimulateOptions options = options_;
      options.loop = fmt::format("0x{:x}-0x{:x}", loop.start, loop.end);
      auto prepared = prepare(program_, arch_, options);
      if (!prepared) continue;  // nobody asked for it, so nobody is told what it lacks
      analysis::VariantInput input{arch_, result_.original, options.warps};
      auto before = analysis::simulate_variant(*prepared, input, options);
      input.function = result_.rewritten;
      auto after = analysis::simulate_variant(*prepared, input, options);
      if (!before || !after) continue;
      result_.other_before.push_back(std::move(*before));
      result_.other_after.push_back(std::move(*after));
    }
  }

  const Program& program_;
  const Arch& arch_;
  SimulateOptions options_;
  RemapOptions limits_;
  Prepared prepared_;
  int limit_ = 0;
  Remapped result_;
};

}  // namespace

Expected<Remapped> remap(const Program& program, const Arch& arch, const SimulateOptions& options,
                         const RemapOptions& limits) {
  return Remapper(program, arch, options, limits).run();
}

}  // namespace smsim
