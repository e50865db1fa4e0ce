// SPDX-License-Identifier: MIT
// The dependency graph of a loop with its critical cycle.
#include <algorithm>

#include "analysis/dependences.hpp"
#include "block/compile.hpp"

namespace smsim {
namespace {

using namespace analysis;

/// Marks what limits the loop (of a pass: its longest path) and says how long it takes.
void mark_critical(DependencyGraph& graph) {
  const auto edges = ratio_edges(graph.edges);
  const auto critical = graph.is_loop ? maximum_cycle_ratio(graph.nodes.size(), edges)
                                      : longest_path(graph.nodes.size(), edges);
  if (!critical) return;
  for (const std::size_t i : critical->edges) graph.edges[i].critical = true;
  graph.critical_cycles = static_cast<int>(critical->cycles);
  graph.critical_iterations = graph.is_loop ? static_cast<int>(critical->iterations) : 0;
  graph.cycles_per_iteration =
      graph.is_loop ? critical->ratio() : static_cast<double>(critical->cycles);
}

DependencyGraph describe(const Prepared& prepared, const Arch& arch) {
  DependencyGraph graph;
  graph.arch = arch.name;
  graph.function = prepared.function->name;
  graph.sm = prepared.function->sm;
  graph.is_loop = prepared.path.is_loop;
  graph.loop = prepared.path.loop;
  for (const PathStep& step : prepared.path.steps) {
    const Instruction& in = prepared.function->instructions[step.index];
    graph.nodes.push_back({step.index, in.address, in.text});
  }
  return graph;
}

}  // namespace

std::string_view name_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::register_value:
      return "register";
    case EdgeKind::predicate:
      return "predicate";
    case EdgeKind::uniform_register:
      return "uniform_register";
    case EdgeKind::uniform_predicate:
      return "uniform_predicate";
    case EdgeKind::write_barrier:
      return "write_barrier";
    case EdgeKind::read_barrier:
      return "read_barrier";
    default:
      return "issue_order";
  }
}

Expected<DependencyGraph> dependency_graph(const Program& program, const Arch& arch,
                                           const SimulateOptions& options,
                                           const GraphOptions& graph_options) {
  auto prepared = prepare(program, arch, options);
  if (!prepared) return tl::unexpected(prepared.error());
  const auto simulated = simulate(*prepared, arch, options);
  if (!simulated) return tl::unexpected(simulated.error());
  const auto compiled = compile(program, *prepared->function, prepared->path, arch, options);
  if (!compiled) return tl::unexpected(compiled.error());
  const WarpPath path(compiled->loop, arch, options.warps);
  DependencyGraph graph = describe(*prepared, arch);
  graph.edges = find_dependences(*prepared, arch, path);
  if (graph_options.issue_order) {
    const auto order = issue_order(graph.nodes.size(), graph.is_loop, path);
    graph.edges.insert(graph.edges.end(), order.begin(), order.end());
  }
  mark_critical(graph);
  graph.simulated_cycles = simulated->cycles_per_iteration;
  graph.bottleneck = simulated->bottleneck;
  return graph;
}

}  // namespace smsim
