// SPDX-License-Identifier: MIT
// The parts of a report page that analyses fill: bounds, what-if, dependences, occupancy, lint.
#include "view/html_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "report/layout.hpp"
#include "view/look.hpp"

namespace smsim::view {
namespace {

using report::escaped;

constexpr double kNothing = 0.0005;  ///< share of the cycles: would print as 0.0 %

std::string base64(const std::string& bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[word >> (18 - 6 * k) & 63U];
  }
  return text;
}

std::string occupancy_chart(const Occupancy& curve, int warps) {
  constexpr double kWidth = 640;
  constexpr double kHeight = 230;
  constexpr double kEdge = 48;
  const int most = static_cast<int>(curve.points.size());
  const double best = curve.best_rate();
  const auto x = [&](int w) { return kEdge + (kWidth - 2 * kEdge) * w / most; };
  const auto y = [&](double rate) {
    return kHeight - kEdge - (kHeight - 2 * kEdge) * (best > 0 ? rate / best : 0);
  };
  std::string path;
  for (int w = 1; w <= most; ++w)
    path += fmt::format("{}{:.1f} {:.1f}", w == 1 ? "M" : "L", x(w), y(curve.rate(w)));
  std::string marks;
  for (int w = 8; w <= most; w += 8)
    marks += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n", x(w),
                         kHeight - kEdge + 18, w);
  const auto dot = [&](int w, const char* look, const std::string& what) {
    marks += fmt::format(
        "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"><title>{}: {} warps, {} cycles "
        "per iteration</title></circle>\n",
        look, x(w), y(curve.rate(w)), what, w,
        report::short_number(curve.points[static_cast<std::size_t>(w - 1)].cycles_per_iteration));
  };
  dot(curve.knee, "dot", "the knee");
  if (warps <= most) dot(warps, "here", "this report");
  return fmt::format(
      "<figure><svg viewBox=\"0 0 {0} {1}\" style=\"max-width:{0}px\" role=\"img\" "
      "aria-label=\"Work "
      "over warps; the table below has the numbers\">\n"
      "<path class=\"grid\" d=\"M{2} {3}H{4}M{2} {3}V20\"/>\n<path class=\"curve\" d=\"{5}\"/>\n{6}"
      "<text x=\"{2}\" y=\"14\">warp iterations in 1000 cycles, at most {7:.1f}</text>\n"
      "<text x=\"{4}\" y=\"{8}\" text-anchor=\"end\">warps on the SM</text>\n</svg></figure>\n",
      kWidth, kHeight, kEdge, kHeight - kEdge, kWidth - kEdge, path, marks, best, kHeight - 6);
}

}  // namespace

std::string meter(double share, const char* name) {
  return fmt::format("<span class=\"meter {}\" style=\"width:{:.1f}%\"></span>", name,
                     100 * std::clamp(share, 0.0, 1.0));
}

std::string bounds_table(const Bounds& bounds) {
  const double simulated = bounds.simulated.cycles_per_iteration;
  std::string text =
      "<table><thead><tr><th>Limit</th><th class=\"n\">Cycles</th><th class=\"wide\">&nbsp;</th>"
      "<th>What it is</th></tr></thead><tbody>\n";
  const auto row = [&](const std::string& name, double cycles, const std::string& help,
                       const char* look) {
    text += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>\n",
                        escaped(name), report::short_number(cycles),
                        meter(simulated > 0 ? cycles / simulated : 0, look), escaped(help));
  };
  row("simulated", simulated, "what the loop takes", "good");
  for (const Bound& bound : bounds.bounds)
    row(bound.name, bound.cycles, bound.help, bound.tight ? "tight" : "");
  return text + "</tbody></table>\n";
}

std::string what_if_table(const WhatIf& answer) {
  const double base = answer.base.cycles_per_iteration;
  double most = 0;
  for (const VariantRow& row : answer.variants)
    if (row.result) most = std::max(most, base / row.cycles - 1);
  std::string text =
      "<table><thead><tr><th>Without</th><th class=\"n\">Cycles</th><th class=\"n\">Faster</th>"
      "<th class=\"wide\">&nbsp;</th><th>What is different</th></tr></thead><tbody>\n";
  std::string unmet;
  for (const VariantRow& row : answer.variants) {
    if (!row.result) {
      text += fmt::format("<tr><td>{}</td><td colspan=\"4\">{}</td></tr>\n", escaped(row.name),
                          escaped(row.error));
      continue;
    }
    if (std::abs(row.cycles - base) < kNothing * base) {
      unmet += (unmet.empty() ? "" : ", ") + escaped(row.name);
      continue;
    }
    const double gain = base / row.cycles - 1;
    text += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:+.1f} %</td><td>{}</td><td>{}</td>"
        "</tr>\n",
        escaped(row.name), report::short_number(row.cycles), 100 * gain,
        gain > 0 && most > 0 ? meter(gain / most, "good") : "", escaped(row.what));
  }
  text += "</tbody></table>\n";
  if (!unmet.empty())
    text += fmt::format("<p class=\"note\">No cycle is gained by: {}.</p>\n", unmet);
  return text;
}

std::string graph_figure(const DependencyGraph& graph) {
  std::ostringstream picture;
  write_svg(picture, graph);
  std::string text = fmt::format(
      "<p>{} cycles are the least that the values which an iteration hands to the next one allow; "
      "the "
      "loop takes {}.</p>\n",
      report::short_number(graph.cycles_per_iteration),
      report::short_number(graph.simulated_cycles));
  if (!graph.is_loop)
    text =
        fmt::format("<p>The longest path of dependences takes {} cycles; the pass takes {}.</p>\n",
                    report::short_number(graph.cycles_per_iteration),
                    report::short_number(graph.simulated_cycles));
  text += "<ul>\n";
  for (const DependenceEdge& edge : graph.edges)
    if (edge.critical)
      text += fmt::format("<li>{} cycles through {}: <code>{}</code> to <code>{}</code>{}</li>\n",
                          edge.cycles, escaped(edge.what), escaped(graph.nodes[edge.from].text),
                          escaped(graph.nodes[edge.to].text),
                          edge.distance > 0 ? " of the next iteration" : "");
  text += "</ul>\n";
  return text +
         fmt::format(
             "<details><summary>All dependences as a picture</summary><div class=\"table\"><img "
             "alt=\"Dependence graph; the list above names the critical ones\" "
             "src=\"data:image/svg+xml;base64,{}\"></div></details>\n",
             base64(picture.str()));
}

std::string occupancy_note(const Occupancy& curve, int warps) {
  return fmt::format(
      "The same loop with 1 to {} resident warps; this report is of {}. {} do {:.0f} % of the most "
      "work that any number does: more of them hide little more. Where the rhythm does not repeat "
      "within 40 iterations, other points than this report's are averages over them.",
      curve.points.size(), warps, report::counted(static_cast<std::uint64_t>(curve.knee), "warp"),
      100 * curve.rate(curve.knee) / std::max(1e-9, curve.best_rate()));
}

std::string occupancy_figure(const Occupancy& curve, int warps) {
  std::string text =
      "<details><summary>The numbers</summary><table><thead><tr><th class=\"n\">Warps</th>"
      "<th class=\"n\">Cycles per iteration</th><th class=\"n\">Warp iterations in 1000 cycles</th>"
      "<th class=\"wide\"></th></tr></thead><tbody>\n";
  for (const Result& point : curve.points)
    text += fmt::format(
        "<tr{}><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{:.1f}</td><td></td>"
        "</tr>\n",
        point.warps == warps ? " class=\"worst\"" : "", point.warps,
        report::short_number(point.cycles_per_iteration), curve.rate(point.warps));
  return occupancy_chart(curve, warps) + text + "</tbody></table></details>\n";
}

std::string lint_list(const std::vector<LintFinding>& findings, const Result& result) {
  if (result.dependency_mode) return "<p>The input has no control words to check.</p>\n";
  if (findings.empty())
    return "<p>Nothing in this function is unsafe or wastes time, as far as smsim lint "
           "knows.</p>\n";
  std::string text = "<ul>\n";
  for (const LintFinding& finding : findings)
    text += fmt::format(
        "<li><strong>{}</strong> at {} <code>{}</code>: {} <span class=\"note\">[{}]"
        "</span></li>\n",
        name_of(finding.level), report::hex_address(finding.place.address),
        escaped(finding.place.text), escaped(finding.message), finding.rule);
  return text + "</ul>\n";
}

}  // namespace smsim::view
