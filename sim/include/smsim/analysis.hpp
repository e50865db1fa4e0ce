// SPDX-License-Identifier: MIT
// Beyond one prediction: what limits a loop, what would change it, and how it behaves over warps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "smsim/arch.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// Why an instruction cannot issue before another one has.
enum class EdgeKind : std::uint8_t {
  register_value,     ///< reads a register that the other one writes
  predicate,          ///< reads a predicate, or is guarded by it
  uniform_register,   ///< reads a uniform register
  uniform_predicate,  ///< reads a uniform predicate
  write_barrier,      ///< waits until the other one's result is written
  read_barrier,       ///< waits until the other one's sources are read
  issue_order         ///< follows it in the same warp: stall count, yield, branch, BAR.SYNC
};

/// The kind's name in reports and JSON.
std::string_view name_of(EdgeKind kind);

/// An edge of the dependency graph. Places are positions in the iteration.
struct DependenceEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  int distance = 0;  ///< iterations between the two: 0 the same one, 1 the next
  EdgeKind kind = EdgeKind::register_value;  ///< the longest of those that it joins
  std::string what;       ///< registers, predicates and barriers, as in `R4 R5 B0`
  int latency = 0;        ///< cycles that the producer needs, issue to the earliest dependent issue
  int cycles = 0;         ///< of these, what control words and barriers hold the consumer back
  bool critical = false;  ///< on the critical cycle (of a pass: on the longest path)
};

struct GraphNode {
  std::size_t index = 0;  ///< into Function::instructions
  std::uint64_t address = 0;
  std::string text;
};

/// Dependences of one iteration (or pass) of a warp.
struct DependencyGraph {
  std::string arch;
  std::string function;
  int sm = 0;
  bool is_loop = false;
  Loop loop;
  std::vector<GraphNode> nodes;       ///< in the order of execution
  std::vector<DependenceEdge> edges;  ///< by consumer, then by producer
  int critical_cycles = 0;            ///< around the critical cycle, or along the longest path
  int critical_iterations = 0;        ///< that the critical cycle spans; 0: there is none
  /// The loop-carried bound, cycles per iteration: critical_cycles / critical_iterations; of a pass
  /// the length of the longest path.
  double cycles_per_iteration = 0;
  double simulated_cycles = 0;  ///< what the simulation says: at least that bound
  std::string bottleneck;       ///< of the simulation, in a sentence
};

struct GraphOptions {
  bool issue_order = false;  ///< adds an edge from each instruction to the next
};

/// The dependences of the loop that `options` names (see SimulateOptions). The critical cycle is
/// the one with the largest ratio of cycles to iterations. Errors: those of simulate().
Expected<DependencyGraph> dependency_graph(const Program& program, const Arch& arch,
                                           const SimulateOptions& options = {},
                                           const GraphOptions& graph_options = {});

/// One limit taken alone: no loop takes less, however everything else were.
struct Bound {
  std::string name;    ///< issue_slots, stall_counts, pipe/alu, bank/0, ...
  std::string help;    ///< what it counts, in one line
  double cycles = 0;   ///< per iteration at the given warps
  bool tight = false;  ///< within kTightShare of the simulation: a bottleneck
};

inline constexpr double kTightShare = 0.02;

/// What one execution of each instruction takes of each resource.
struct ResourceUse {
  std::vector<std::string> resources;     ///< the names of the bounds that they give
  std::vector<int> warps;                 ///< by resource: how many warps share one of it
  std::vector<std::vector<double>> rows;  ///< [instruction][resource], cycles
};

/// Every limit beside the simulation.
struct Bounds {
  Result simulated;
  std::vector<Bound> bounds;  ///< largest first
  ResourceUse use;
};

/// The bounds of the loop that `options` names. Errors: those of simulate().
Expected<Bounds> bounds(const Program& program, const Arch& arch,
                        const SimulateOptions& options = {});

/// One variant beside the base.
struct VariantRow {
  std::string name;              ///< no_bank_conflicts, or as the caller named it
  std::string what;              ///< in words; empty if the name says it
  std::optional<Result> result;  ///< none if it could not be simulated
  std::string error;             ///< then: why
  double cycles = 0;             ///< for as much work as an iteration of the base's warps
};

/// A loop and its variants: of what_if() those that gain most first, else in the order in which
/// they were asked for.
struct WhatIf {
  Result base;
  std::vector<VariantRow> variants;
};

/// The loop again without each limit that it meets: bank conflicts, reuse off or perfect, each pipe
/// and the memory pipeline twice as fast, no latency, stall count, yield or branch delay, and with
/// twice the warps. Errors: those of simulate() on the base; a variant's go into its row.
Expected<WhatIf> what_if(const Program& program, const Arch& arch,
                         const SimulateOptions& options = {});

struct NamedArch {
  std::string name;
  Arch arch;
};

/// The loop on other architectures beside the base. Errors as above.
Expected<WhatIf> compare_variants(const Program& program, const Arch& arch,
                                  const std::vector<NamedArch>& variants,
                                  const SimulateOptions& options = {});

/// The loop with 1 to as many warps as an SM holds.
struct Occupancy {
  std::vector<Result> points;  ///< [w - 1]: w warps
  int knee = 0;  ///< fewest warps that do kKneeShare of the most work that any number does

  /// Warp iterations that the SM completes in a thousand cycles with w warps.
  double rate(int warps) const {
    return 1000.0 * warps / points[static_cast<std::size_t>(warps - 1)].cycles_per_iteration;
  }

  /// The most that any number of warps completes.
  double best_rate() const;
};

inline constexpr double kKneeShare = 0.95;

/// With 1 to `most` warps, 0: as many as an SM holds. `on_point` is told how many points are done,
/// by one thread at a time. Errors: those of simulate(), usage (more than that).
Expected<Occupancy> occupancy(const Program& program, const Arch& arch,
                              const SimulateOptions& options = {}, int most = 0,
                              const std::function<void(std::size_t)>& on_point = {});

/// A number of the config and the values that a sweep gives it.
struct SweepAxis {
  std::string key;  ///< dotted path, as --set takes it
  std::vector<std::string> values;
};

/// Every input on every architecture, with every combination of values, for every number of warps.
struct SweepSpec {
  std::vector<std::string> files;
  std::vector<std::string> archs;  ///< names, aliases or paths; empty: each input's own
  std::vector<SweepAxis> axes;
  std::vector<int> warps = {4};
  SimulateOptions options;  ///< function, loop and so on; warps do not count
};

/// One point of a sweep.
struct SweepRow {
  std::uint64_t point = 0;  ///< from 0; warps change fastest, then the last axis, inputs last
  std::string file;
  std::string function;
  std::string arch;
  int warps = 0;
  std::vector<std::string> values;  ///< of the axes
  std::optional<Result> result;     ///< none if the point cannot be simulated
  std::string error;                ///< then: why
};

/// A sweep that has read its inputs and configs.
class SweepPlan {
 public:
  /// Errors: no_file, bad_input, bad_config, usage. What is wrong with a single point is not an
  /// error of the sweep: its row says so.
  static Expected<SweepPlan> make(SweepSpec spec);

  std::uint64_t points() const;

  /// A text without commas that stands for the inputs, the configs, the grid and the version, and
  /// ends in the number of points: equal ids give equal rows.
  std::string id() const;

  const SweepSpec& spec() const;

  /// Simulates the points begin <= i < end on `jobs` threads (0: one a core) and hands the rows on
  /// in order, some at a time, from one thread at a time. Stops once `take` returns false. The rows
  /// do not depend on `jobs`; memory does not depend on the number of points.
  void run(std::uint64_t begin, std::uint64_t end, unsigned jobs,
           const std::function<bool(const std::vector<SweepRow>&)>& take) const;

 private:
  class Data;
  explicit SweepPlan(std::shared_ptr<const Data> data);
  std::shared_ptr<const Data> data_;
};

}  // namespace smsim
