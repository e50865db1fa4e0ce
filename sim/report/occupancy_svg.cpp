// SPDX-License-Identifier: MIT
// Work over numbers of warps as a picture, with the knee marked.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "report/layout.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

constexpr double kLeft = 60;
constexpr double kCurveTop = 40;
constexpr double kWidth = 560;
constexpr double kHeight = 260;

constexpr const char* kCurveStyle =
    "<style>\n"
    "  svg { font: 13px sans-serif; }\n"
    "  .page { fill: #ffffff; }\n"
    "  text { fill: #1f2328; }\n"
    "  .frame { stroke: #8c959f; fill: none; }\n"
    "  .curve { stroke: #0969da; fill: none; stroke-width: 2; }\n"
    "  .knee { stroke: #bc4c00; stroke-dasharray: 4 4; }\n"
    "  @media (prefers-color-scheme: dark) {\n"
    "    .page { fill: #0d1117; }\n"
    "    text { fill: #e6edf3; }\n"
    "    .curve { stroke: #58a6ff; }\n"
    "    .knee { stroke: #f0883e; }\n"
    "  }\n"
    "</style>\n";

}  // namespace

void write_svg(std::ostream& out, const Occupancy& curve) {
  const int most = static_cast<int>(curve.points.size());
  const double best = curve.best_rate();
  const auto x = [&](int w) { return kLeft + kWidth * w / most; };
  const auto y = [&](double rate) { return kCurveTop + kHeight * (1 - rate / best); };
  const Result& first = curve.points.front();
  out << fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">\n{}"
      "<title>Work of {} on {} over warps; the knee is at {}</title>\n"
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
      kLeft + kWidth + 30, kCurveTop + kHeight + 60, kCurveStyle, report::escaped(first.function),
      report::escaped(first.arch), curve.knee);
  out << fmt::format("<text x=\"{}\" y=\"24\">warp iterations in 1000 cycles: {} on {}</text>\n",
                     kLeft, report::escaped(first.function), report::escaped(first.arch));
  out << fmt::format("<path class=\"frame\" d=\"M{0} {1}V{2}H{3}\"/>\n", kLeft, kCurveTop,
                     kCurveTop + kHeight, kLeft + kWidth);
  for (const double share : {0.0, 0.5, 1.0})
    out << fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.0f}</text>\n", kLeft - 6,
                       y(share * best) + 4, share * best);
  for (int w = 8; w <= most; w += 8)
    out << fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x(w),
                       kCurveTop + kHeight + 18, w);
  out << fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">warps on the SM</text>\n",
                     kLeft + kWidth / 2, kCurveTop + kHeight + 42);
  out << "<polyline class=\"curve\" points=\"";
  for (int w = 1; w <= most; ++w)
    out << fmt::format("{}{:.1f},{:.1f}", w == 1 ? "" : " ", x(w), y(curve.rate(w)));
  out << "\"/>\n";
  out << fmt::format("<path class=\"knee\" d=\"M{:.1f} {}V{}\"/>\n", x(curve.knee), kCurveTop,
                     kCurveTop + kHeight);
  out << fmt::format("<text x=\"{:.1f}\" y=\"{}\">knee: {}</text>\n</svg>\n", x(curve.knee) + 6,
                     kCurveTop + kHeight - 8, curve.knee);
}

}  // namespace smsim
