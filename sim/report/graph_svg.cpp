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
    "  @media (prefers-color-scheme: dark) {\n"
    "    .page { fill: #0d1117; }\n"
    "    text { fill: #e6edf3; }\n"
    "    .note { fill: #8d96a0; }\n"
    "    path { stroke: #6e7681; }\n"
    "    path.critical { stroke: #ff7b72; }\n"
    "    .hot { fill: #ff7b72; }\n"
    "  }\n"
    "</style>\n";

struct Sketch {
  const DependencyGraph& graph;
  double left = 0;   ///< x at which the instructions begin
  double right = 0;  ///< and end

  double row(std::size_t i) const { return kGraphTop + kRow * static_cast<double>(i); }

  /// How far an arc reaches out: farther the more rows it spans.
  static double reach(double rows) { return std::min(kMostReach, kLeastReach + 3.2 * rows); }

  /// Arcs within an iteration on the right, from the producer down to the consumer; those to the
  /// next iteration on the left.
  std::string arc(const DependenceEdge& e) const {
    const double y0 = row(e.from);
    const double y1 = row(e.to) - (e.distance == 0 ? 0 : 3);
    const double rows = std::abs(y1 - y0) / kRow;
    const double x = e.distance == 0 ? right : left;
    const double out = e.distance == 0 ? x + reach(rows) : x - reach(rows);
    return fmt::format(
        "<path{} d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\">"
        "<title>{}: {} cycles of {}, {}</title></path>\n",
        e.critical ? " class=\"critical\"" : "", x, y0, out, y0, out, y1, x, y1,
        report::escaped(e.what), e.cycles, e.latency,
        e.distance == 0 ? "same iteration" : "next iteration");
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
      << "<text class=\"note\" x=\"10\" y=\"36\">left: to the next iteration; right: within one; "
         "red: "
      << (graph.is_loop ? "the critical cycle" : "the longest path") << "</text>\n";
  for (const DependenceEdge& e : graph.edges)
    if (!e.critical) out << sketch.arc(e);
  for (const DependenceEdge& e : graph.edges)
    if (e.critical) out << sketch.arc(e);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    out << fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\">{} {}</text>\n",
                       is_critical(graph, i) ? " class=\"hot\"" : "", sketch.left + 6,
                       sketch.row(i) + 4, report::hex_address(graph.nodes[i].address),
                       report::escaped(graph.nodes[i].text));
  out << "</svg>\n";
}

}  // namespace smsim
