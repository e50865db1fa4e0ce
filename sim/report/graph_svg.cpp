// SPDX-License-Identifier: MIT
// The dependency graph as a picture: the instructions as a list, dependences as arcs beside it.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "report/layout.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

constexpr double kRow = 18;
constexpr double kGraphTop = 52;
constexpr double kLetter = 7.3;  ///< of the monospaced font
constexpr double kLeastReach = 24;
constexpr double kReachToItself = 46;
constexpr double kMostReach = 150;

constexpr const char* kGraphStyle =
    "<style>\n"
    "  svg { font: 12px monospace; }\n"
    "  .page { fill: #ffffff; }\n"
    "  text { fill: #1f2328; }\n"
    "  .note { fill: #57606a; }\n"
    "  path { fill: none; stroke: #8c959f; }\n"
    "  path.critical { stroke: #cf222e; stroke-width: 2.5; }\n"
    "  .hot { fill: #cf222e; }\n"
    "  .cycles { font-size: 10px; fill: #57606a; stroke: #ffffff; stroke-width: 3; paint-order: "
    "stroke; }\n"
    "  .cycles.hot { fill: #cf222e; }\n"
    "  marker path { fill: #8c959f; stroke: none; }\n"
    "  marker path.critical { fill: #cf222e; stroke: none; }\n"
    "  @media (prefers-color-scheme: dark) {\n"
    "    .page { fill: #0d1117; }\n"
    "    text { fill: #e6edf3; }\n"
    "    .note { fill: #8d96a0; }\n"
    "    path { stroke: #6e7681; }\n"
    "    path.critical { stroke: #ff7b72; }\n"
    "    .hot { fill: #ff7b72; }\n"
    "    .cycles { fill: #8d96a0; stroke: #0d1117; }\n"
    "    .cycles.hot { fill: #ff7b72; }\n"
    "    marker path { fill: #6e7681; }\n"
    "    marker path.critical { fill: #ff7b72; }\n"
    "  }\n"
    "</style>\n"
    "<defs>\n"
    "<marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
    "markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
    "<path d=\"M0 0L8 4L0 8Z\"/></marker>\n"
    "<marker id=\"critical-arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"10\" "
    "markerHeight=\"10\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
    "<path class=\"critical\" d=\"M0 0L8 4L0 8Z\"/></marker>\n"
    "</defs>\n";

struct Sketch {
  const DependencyGraph& graph;
  double left = 0;   ///< x at which the instructions begin
  double right = 0;  ///< and end

  double row(std::size_t i) const { return kGraphTop + kRow * static_cast<double>(i); }

  /// How far an arc reaches out: farther the more rows it spans, and past its neighbours' numbers
  /// if it comes back to where it starts.
  static double reach(double rows) {
    return rows < 1 ? kReachToItself : std::min(kMostReach, kLeastReach + 3.2 * rows);
  }

  /// Arcs within an iteration on the right, from the producer down to the consumer; those to the
  /// next iteration on the left.
  std::string arc(const DependenceEdge& e) const {
    const bool to_itself = e.from == e.to;
    const double y0 = row(e.from) + (to_itself ? 3 : 0);
    const double y1 = row(e.to) - (e.distance == 0 ? 0 : 3);
    const double rows = std::abs(row(e.to) - row(e.from)) / kRow;
    const double x = e.distance == 0 ? right : left;
    const double out = e.distance == 0 ? x + reach(rows) : x - reach(rows);
    return fmt::format(
        "<path{} marker-end=\"url(#{})\" "
        "d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\">"
        "<title>{}: {} cycles of {}, {}</title></path>\n",
        e.critical ? " class=\"critical\"" : "", e.critical ? "critical-arrow" : "arrow", x, y0,
        out, y0, out, y1, x, y1, report::escaped(e.what), e.cycles, e.latency,
        e.distance == 0 ? "same iteration" : "next iteration");
  }

  /// The cycles of an arc, where it reaches out farthest.
  std::string cycles(const DependenceEdge& e) const {
    const double rows = std::abs(row(e.to) - row(e.from)) / kRow;
    const double out = (e.distance == 0 ? 1 : -1) * (0.75 * reach(rows));
    return fmt::format(
        "<text class=\"cycles{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
        e.critical ? " hot" : "", (e.distance == 0 ? right : left) + out,
        (row(e.from) + row(e.to)) / 2 + 3.5, e.cycles);
  }
};

bool is_critical(const DependencyGraph& graph, std::size_t node) {
  return std::any_of(graph.edges.begin(), graph.edges.end(), [&](const DependenceEdge& e) {
    return e.critical && (e.from == node || e.to == node);
  });
}

}  // namespace

void write_svg(std::ostream& out, const DependencyGraph& graph) {
  std::size_t longest = 20;
  for (const GraphNode& n : graph.nodes) longest = std::max(longest, n.text.size() + 8);
  Sketch sketch{graph, kMostReach + 10, 0};
  sketch.right = sketch.left + kLetter * static_cast<double>(longest) + 12;
  const double width = sketch.right + kMostReach + 10;
  const double height = sketch.row(graph.nodes.size()) + 10;
  out << fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
             "width=\"{:.0f}\" height=\"{:.0f}\">\n",
             width, height, width, height)
      << kGraphStyle << "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
      << fmt::format("<text x=\"10\" y=\"20\">{} on {}: {} cycles</text>\n",
                     report::escaped(graph.function), report::escaped(graph.arch),
                     report::short_number(graph.cycles_per_iteration))
      << "<text class=\"note\" x=\"10\" y=\"36\">numbers: cycles; left: to the next iteration; "
         "right: within one; red: "
      << (graph.is_loop ? "the critical cycle" : "the longest path") << "</text>\n";
  for (const DependenceEdge& e : graph.edges)
    if (!e.critical) out << sketch.arc(e);
  for (const DependenceEdge& e : graph.edges)
    if (e.critical) out << sketch.arc(e);
  for (const DependenceEdge& e : graph.edges) out << sketch.cycles(e);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    out << fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\">{} {}</text>\n",
                       is_critical(graph, i) ? " class=\"hot\"" : "", sketch.left + 6,
                       sketch.row(i) + 4, report::hex_address(graph.nodes[i].address),
                       report::escaped(graph.nodes[i].text));
  out << "</svg>\n";
}

}  // namespace smsim
