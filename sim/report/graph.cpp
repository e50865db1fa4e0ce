// SPDX-License-Identifier: MIT
// The dependency graph as text, JSON and Graphviz DOT.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "report/document.hpp"
#include "report/page.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

using report::Ink;
using report::Json;

std::string limit_text(const DependencyGraph& graph) {
  if (!graph.is_loop)
    return fmt::format("{} along the longest path",
                       report::short_number(graph.cycles_per_iteration));
  if (graph.critical_iterations == 0) return "none: no iteration needs a value of the one before";
  const auto cycles = static_cast<std::uint64_t>(graph.critical_cycles);
  const auto iterations = static_cast<std::uint64_t>(graph.critical_iterations);
  return fmt::format("{}: {} around a cycle of {}", report::fraction(cycles, iterations),
                     report::counted(cycles, "cycle"), report::counted(iterations, "iteration"));
}

/// Whether the dependences alone explain what the simulation says.
std::string limits_or_not(const DependencyGraph& graph) {
  if (!graph.is_loop || graph.simulated_cycles <= 0) return {};
  const double share = graph.cycles_per_iteration / graph.simulated_cycles;
  if (share >= 1 - kTightShare) return "; this is what limits the loop";
  return fmt::format("; {:.0f} % of the simulation, so something else limits the loop",
                     100 * share);
}

/// Edges that the hardware does not wait for as long as they take.
std::size_t too_short(const DependencyGraph& graph) {
  std::size_t n = 0;
  for (const DependenceEdge& e : graph.edges) n += e.cycles < e.latency ? 1 : 0;
  return n;
}

std::string kinds_text(const DependencyGraph& graph) {
  std::map<EdgeKind, std::size_t> kinds;
  for (const DependenceEdge& e : graph.edges) ++kinds[e.kind];
  std::string text;
  for (const auto& [kind, n] : kinds)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, name_of(kind));
  return text.empty() ? "none" : text;
}

std::string place(const GraphNode& node) {
  return fmt::format("{} {}", report::hex_address(node.address), report::printable(node.text));
}

/// A text inside of DOT's double quotes.
std::string dot_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

void write_text(std::ostream& out, const DependencyGraph& graph, const TextOptions& options) {
  const report::Page page(out, options);
  page.heading(graph.function, graph.arch, graph.sm);
  page.entry(graph.is_loop ? "Cycles per iteration" : "Cycles of one pass",
             report::short_number(graph.simulated_cycles) + ", simulated", Ink::bold);
  page.entry(graph.is_loop ? "Loop-carried bound" : "Bound",
             limit_text(graph) + limits_or_not(graph));
  if (!graph.bottleneck.empty()) page.entry("Bottleneck", graph.bottleneck);
  page.entry("Instructions", std::to_string(graph.nodes.size()));
  page.entry("Dependences", kinds_text(graph));
  if (const std::size_t n = too_short(graph); n > 0)
    page.entry("Early reads", fmt::format("{} for which control words leave less time than the "
                                          "config's latency; `smsim lint` tells the unsafe ones",
                                          n));
  page.title(graph.is_loop ? "The critical cycle" : "The longest path",
             "cycles from one issue to the next");
  report::Table table({"cycles", "iterations on", "through", "from", "to"}, {2, 3, 4});
  for (const DependenceEdge& e : graph.edges)
    if (e.critical)
      table.row({std::to_string(e.cycles), std::to_string(e.distance), e.what,
                 place(graph.nodes[e.from]), place(graph.nodes[e.to])});
  table.write(page);
}

void write_json(std::ostream& out, const DependencyGraph& graph) {
  Json document = report::document_of(graph.arch, graph.function, graph.is_loop, graph.loop);
  document["cycles_per_iteration"] = graph.cycles_per_iteration;
  document["simulated_cycles"] = graph.simulated_cycles;
  document["bottleneck"] = graph.bottleneck;
  document["critical_cycles"] = graph.critical_cycles;
  document["critical_iterations"] = graph.critical_iterations;
  document["nodes"] = Json::array();
  for (const GraphNode& n : graph.nodes)
    document["nodes"].push_back({{"address", report::json_address(n.address)}, {"text", n.text}});
  document["edges"] = Json::array();
  for (const DependenceEdge& e : graph.edges)
    document["edges"].push_back({{"from", e.from},
                                 {"to", e.to},
                                 {"distance", e.distance},
                                 {"kind", name_of(e.kind)},
                                 {"what", e.what},
                                 {"latency", e.latency},
                                 {"cycles", e.cycles},
                                 {"critical", e.critical}});
  report::write_document(out, document);
}

void write_dot(std::ostream& out, const DependencyGraph& graph) {
  out << "digraph dependences {\n"
      << fmt::format("  label=\"{} on {}: {} cycles\";\n",
                     dot_text(report::printable(graph.function)), dot_text(graph.arch),
                     report::short_number(graph.cycles_per_iteration))
      << "  node [shape=box, fontname=monospace, fontsize=10];\n"
      << "  edge [fontname=monospace, fontsize=9];\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    out << fmt::format("  n{} [label=\"{}\"];\n", i, dot_text(place(graph.nodes[i])));
  for (const DependenceEdge& e : graph.edges)
    out << fmt::format("  n{} -> n{} [label=\"{}{}{}\"{}{}];\n", e.from, e.to, dot_text(e.what),
                       e.what.empty() ? "" : " ", e.cycles,
                       e.distance > 0 ? ", style=dashed, constraint=false" : "",
                       e.critical ? ", color=red, penwidth=2" : "");
  out << "}\n";
}

}  // namespace smsim
