// SPDX-License-Identifier: MIT
// Variants: the same loop with one limit taken away, as another architecture, other control words
// or other warps. The cycle loop knows nothing of them.
#include "analysis/variants.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace smsim::analysis {
namespace {

constexpr int kAllPorts = 16;            ///< more reads a cycle than any instruction has
constexpr std::uint8_t kAllSlots = 0xf;  ///< reuse flags of every slot

/// A change of every control word.
template <typename Change>
auto each_control(Change change) {
  return [change](VariantInput& input) {
    for (Instruction& in : input.function.instructions) change(in.control);
  };
}

template <typename Change>
auto of_arch(Change change) {
  return [change](VariantInput& input) { change(input.arch); };
}

/// Rounded up: half of one cycle is one cycle.
int half(int cycles) { return std::max(1, (cycles + 1) / 2); }

bool any(const CompiledLoop& loop, bool (*has)(const StaticInst&)) {
  return std::any_of(loop.code.begin(),
                     loop.code.begin() + static_cast<std::ptrdiff_t>(loop.length), has);
}

void add_registers(const Arch& arch, std::vector<Variant>& all) {
  all.push_back({"no_bank_conflicts", "each register bank serves all reads at once",
                 of_arch([](Arch& a) { a.register_file.read_ports_per_bank = kAllPorts; })});
  if (arch.reuse_cache.slots == 0) return;
  all.push_back({"all_reused", "every operand carries the reuse flag",
                 each_control([](ControlWord& c) { c.reuse = kAllSlots; })});
  all.push_back(
      {"no_reuse", "no operand is kept", of_arch([](Arch& a) { a.reuse_cache.slots = 0; })});
}

/// Pipes that an instruction may choose between, or takes together, count as one unit.
class Units {
 public:
  Units(const CompiledLoop& loop, const Arch& arch) : unit_(arch.pipes.size()) {
    std::iota(unit_.begin(), unit_.end(), std::size_t{0});
    for (std::size_t i = 0; i < loop.length; ++i) {
      const StaticInst& inst = loop.code[i];
      if (inst.route == Route::memory || inst.route == Route::control) continue;
      used_.insert(inst.pipe);
      if (inst.second_pipe < 0) continue;
      used_.insert(static_cast<std::size_t>(inst.second_pipe));
      join(inst.pipe, static_cast<std::size_t>(inst.second_pipe));
    }
  }

  /// The pipes of each unit that the loop uses.
  std::vector<std::vector<std::size_t>> all() const {
    std::vector<std::vector<std::size_t>> units;
    for (std::size_t u = 0; u < unit_.size(); ++u) {
      std::vector<std::size_t> pipes;
      for (const std::size_t p : used_)
        if (unit_[p] == u) pipes.push_back(p);
      if (!pipes.empty()) units.push_back(std::move(pipes));
    }
    return units;
  }

 private:
  void join(std::size_t a, std::size_t b) {
    const std::size_t from = unit_[b];
    const std::size_t to = unit_[a];
    std::replace(unit_.begin(), unit_.end(), from, to);
  }

  std::vector<std::size_t> unit_;
  std::set<std::size_t> used_;
};

void halve_intervals(Arch& arch, const std::vector<std::size_t>& pipes) {
  const auto inside = [&](int pipe) {
    return std::find(pipes.begin(), pipes.end(), static_cast<std::size_t>(pipe)) != pipes.end();
  };
  for (const std::size_t p : pipes)
    arch.pipes[p].initiation_interval_cycles = half(arch.pipes[p].initiation_interval_cycles);
  for (InstructionTiming& t : arch.timings) {
    if (inside(t.pipe)) t.initiation_interval_cycles = half(t.initiation_interval_cycles);
    if (inside(t.second_pipe)) t.second_interval_cycles = half(t.second_interval_cycles);
  }
}

void add_pipes(const CompiledLoop& loop, const Arch& arch, std::vector<Variant>& all) {
  for (const auto& pipes : Units(loop, arch).all()) {
    std::vector<std::string> names;
    for (const std::size_t p : pipes) names.push_back(arch.pipes[p].name);
    const std::string name = fmt::format("{}", fmt::join(names, "+"));
    all.push_back({"twice/" + name, fmt::format("{} takes instructions twice as often", name),
                   of_arch([pipes](Arch& a) { halve_intervals(a, pipes); })});
  }
  if (!any(loop, [](const StaticInst& i) { return i.route == Route::memory; })) return;
  all.push_back({"twice/memory", "registers, wavefronts, L1 lines and results at twice the rate",
                 of_arch([](Arch& a) {
                   MemorySpec& m = a.memory;
                   m.register_interval_cycles = half(m.register_interval_cycles);
                   m.wavefront_interval_cycles = half(m.wavefront_interval_cycles);
                   m.special_interval_cycles = half(m.special_interval_cycles);
                   m.tag_lines_per_cycle *= 2;
                   m.return_passes_per_cycle *= 2;
                 })});
}

void add_waits(const CompiledLoop& loop, const Arch& arch, std::vector<Variant>& all) {
  if (arch.scheduler.dependencies == "scoreboard")
    all.push_back({"no_latency", "results are there at once: no wait on the scoreboard",
                   of_arch([](Arch& a) { a.scheduler.dependencies = "barriers"; })});
  if (any(loop, [](const StaticInst& i) { return i.dual; }))
    all.push_back({"no_dual_issue", "an instruction a cycle and scheduler",
                   of_arch([](Arch& a) { a.scheduler.dual_issue = false; })});
  if (any(loop, [](const StaticInst& i) { return i.wait_mask != 0; }))
    all.push_back({"no_latency", "results are there at once: no wait on a dependency barrier",
                   each_control([](ControlWord& c) { c.wait_mask = 0; })});
  if (any(loop, [](const StaticInst& i) { return i.stall > 1; }))
    all.push_back({"no_stall_counts", "each stall count is 1, or what its barriers need",
                   each_control([needs = arch.scheduler.barrier_visible_cycles](ControlWord& c) {
                     // sooner the next instruction would not see the barrier, and not wait for it
                     const bool sets =
                         c.write_barrier != kNoBarrier || c.read_barrier != kNoBarrier;
                     const int least = sets && c.format != ControlFormat::kepler ? needs : 1;
                     c.stall = static_cast<std::uint8_t>(std::min<int>(c.stall, least));
                   })});
  if (any(loop, [](const StaticInst& i) { return i.yield; }))
    all.push_back({"no_yield", "no instruction asks to yield",
                   each_control([](ControlWord& c) { c.yield = false; })});
  if (any(loop, [](const StaticInst& i) { return i.taken_branch; }))
    all.push_back(
        {"no_branch_delay", "a taken branch costs its stall count alone", of_arch([](Arch& a) {
           a.scheduler.taken_branch_cycles = 1;
           a.scheduler.next_line_cycles = 0;
           a.instruction_cache.fetch_at_once_cycles = 0;
           a.instruction_cache.l0_instructions = 0;
         })});
  if (any(loop, [](const StaticInst& i) { return i.effect == ControlEffect::barrier_sync; }))
    all.push_back(
        {"no_sync_delay", "BAR.SYNC opens as soon as all warps are there", of_arch([](Arch& a) {
           a.scheduler.barrier_sync_cycles = 1;
           a.scheduler.barrier_arrival_cycles = 0;
         })});
}

}  // namespace

std::vector<Variant> limits_taken_away(const CompiledLoop& loop, const Arch& arch, int warps) {
  std::vector<Variant> all;
  add_registers(arch, all);
  add_pipes(loop, arch, all);
  add_waits(loop, arch, all);
  if (2 * warps <= arch.max_warps)
    all.push_back({"twice_the_warps", "twice as many warps; cycles for the same work",
                   [](VariantInput& input) { input.warps *= 2; }});
  return all;
}

Expected<Result> simulate_variant(const Prepared& base, const VariantInput& input,
                                  const SimulateOptions& options) {
  Prepared prepared = base;
  prepared.function = &input.function;
  SimulateOptions changed = options;
  changed.warps = input.warps;
  changed.allow_unset_waits = true;  // what the base may do, its variants may
  return simulate(prepared, input.arch, changed);
}

}  // namespace smsim::analysis
