// SPDX-License-Identifier: MIT
// The accuracy plot: predicted against measured cycles of every loop, both on logarithmic axes.
#include "accuracy/scatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>

#include "report/layout.hpp"

namespace smsim::accuracy {
namespace {

using validate::Row;

constexpr double kLeft = 70;
constexpr double kTop = 20;
constexpr double kSide = 560;  ///< of the square between the axes
constexpr double kWidth = kLeft + kSide + 30;
constexpr double kHeight = kTop + kSide + 60;

/// A suite's mark as an SVG path around the point: a dot, a plus, a cross, a diamond, two
/// triangles, a square, a bar.
constexpr const char* kMarks[] = {"h0",
                                  "m-3 0h6m-3-3v6",
                                  "m-2.5-2.5l5 5m0-5l-5 5",
                                  "m-3.5 0l3.5-3.5 3.5 3.5-3.5 3.5z",
                                  "m-3 2.5l3-5.5 3 5.5z",
                                  "m-3-2.5l3 5.5 3-5.5z",
                                  "m-2.5-2.5h5v5h-5z",
                                  "m0-3.5v7"};
constexpr std::size_t kMarkCount = std::size(kMarks);

constexpr const char* kStyle =
    "<style>\n"
    "  svg { font: 13px sans-serif; }\n"
    "  .page { fill: #ffffff; }\n"
    "  text { fill: #1f2328; }\n"
    "  .grid { stroke: #d8dee4; }\n"
    "  .frame { stroke: #8c959f; fill: none; }\n"
    "  .equal { stroke: #57606a; }\n"
    "  .tenth { stroke: #57606a; stroke-dasharray: 4 4; }\n"
    "  .mark { fill: none; stroke-linecap: round; stroke-width: 1.4; }\n"
    "  .m0 { stroke: #0969da; stroke-width: 5; stroke-opacity: 0.6; }\n"
    "  .m1 { stroke: #bc4c00; }\n"
    "  .m2 { stroke: #1a7f37; }\n"
    "  .m3 { stroke: #8250df; }\n"
    "  .m4 { stroke: #cf222e; }\n"
    "  .m5 { stroke: #9a6700; }\n"
    "  .m6 { stroke: #0a7ea4; }\n"
    "  .m7 { stroke: #bf3989; }\n"
    "  @media (prefers-color-scheme: dark) {\n"
    "    .page { fill: #0d1117; }\n"
    "    text { fill: #e6edf3; }\n"
    "    .grid { stroke: #30363d; }\n"
    "    .frame { stroke: #6e7681; }\n"
    "    .equal, .tenth { stroke: #8d96a0; }\n"
    "    .m0 { stroke: #58a6ff; }\n"
    "    .m1 { stroke: #f0883e; }\n"
    "    .m2 { stroke: #56d364; }\n"
    "    .m3 { stroke: #bc8cff; }\n"
    "    .m4 { stroke: #ff7b72; }\n"
    "    .m5 { stroke: #d29922; }\n"
    "    .m6 { stroke: #39c5cf; }\n"
    "    .m7 { stroke: #f778ba; }\n"
    "  }\n"
    "</style>\n";

/// The numbers 1, 2, 5, 10, 20, ... from the last one that is not above `least` to the first one
/// that is not below `most`.
std::vector<double> ticks_around(double least, double most) {
  std::vector<double> ticks;
  for (int decade = -3; decade < 12; ++decade) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double tick = digit * std::pow(10.0, decade);
      if (tick <= least) ticks.clear();
      ticks.push_back(tick);
      if (tick >= most && ticks.size() > 1) return ticks;
    }
  }
  return ticks;
}

/// From cycles to places in the square. Both axes cover the same range.
class Scale {
 public:
  explicit Scale(const std::vector<SuiteAccuracy>& suites) {
    double least = std::numeric_limits<double>::max();
    double most = 0;
    for (const SuiteAccuracy& suite : suites) {
      for (const Row& row : suite.rows) {
        if (!is_drawn(row)) continue;
        least = std::min({least, row.measured.cycles, *row.predicted});
        most = std::max({most, row.measured.cycles, *row.predicted});
      }
    }
    if (most > 0) ticks_ = ticks_around(least, most);
  }

  /// A logarithmic axis has no place for zero.
  static bool is_drawn(const Row& row) { return row.predicted && *row.predicted > 0; }

  double x(double cycles) const { return kLeft + part(cycles) * kSide; }
  double y(double cycles) const { return kTop + (1 - part(cycles)) * kSide; }
  const std::vector<double>& ticks() const { return ticks_; }

 private:
  double part(double cycles) const {
    const double part =
        std::log(cycles / ticks_.front()) / std::log(ticks_.back() / ticks_.front());
    return std::clamp(part, 0.0, 1.0);
  }

  std::vector<double> ticks_ = {1, 10};
};

std::string line(const char* style, double x1, double y1, double x2, double y2) {
  return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", style, x1, y1, x2,
                     y2);
}

std::string label(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     text);
}

std::string axes(const Scale& scale) {
  std::string text;
  for (const double cycles : scale.ticks()) {
    const std::string name = fmt::format("{:g}", cycles);
    const double x = scale.x(cycles);
    const double y = scale.y(cycles);
    text += line("grid", x, kTop, x, kTop + kSide) + line("grid", kLeft, y, kLeft + kSide, y);
    text += label(x, kTop + kSide + 20, "middle", name) + label(kLeft - 8, y + 4, "end", name);
  }
  text += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                      kLeft, kTop, kSide, kSide);
  text += label(kLeft + kSide / 2, kHeight - 14, "middle", "measured, cycles per iteration");
  return text + fmt::format(
                    "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">"
                    "predicted, cycles per iteration</text>\n",
                    kTop + kSide / 2);
}

/// The line of equality, and 10 % to both sides of it.
std::string guides(const Scale& scale) {
  const double first = scale.ticks().front();
  const double last = scale.ticks().back();
  const double off = 1.1;
  return line("equal", scale.x(first), scale.y(first), scale.x(last), scale.y(last)) +
         line("tenth", scale.x(first), scale.y(first * off), scale.x(last / off), scale.y(last)) +
         line("tenth", scale.x(first * off), scale.y(first), scale.x(last), scale.y(last / off));
}

/// All points of a suite as one path; points that fall on the same tenth of a pixel are drawn once.
std::string points(const SuiteAccuracy& suite, std::size_t index, const Scale& scale) {
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  for (const Row& row : suite.rows) {
    if (!Scale::is_drawn(row)) continue;
    places.emplace(std::llround(10 * scale.x(row.measured.cycles)),
                   std::llround(10 * scale.y(*row.predicted)));
  }
  std::string path;
  for (const auto& [x, y] : places) {
    path += fmt::format("M{:.1f} {:.1f}{}", static_cast<double>(x) / 10,
                        static_cast<double>(y) / 10, kMarks[index % kMarkCount]);
  }
  return fmt::format("<path class=\"mark m{}\" d=\"{}\"/>\n", index % kMarkCount, path);
}

std::string legend(const std::vector<SuiteAccuracy>& suites) {
  std::string text;
  double y = kTop + 22;
  for (std::size_t i = 0; i < suites.size(); ++i, y += 20) {
    text += fmt::format("<path class=\"mark m{}\" d=\"M{} {:.1f}{}\"/>\n", i % kMarkCount,
                        kLeft + 18, y - 4.5, kMarks[i % kMarkCount]);
    text += label(kLeft + 32, y, "start", report::escaped(suites[i].name));
  }
  return text + label(kLeft + 32, y, "start", "dashed: 10 % off");
}

}  // namespace

std::string scatter_svg(const std::vector<SuiteAccuracy>& suites) {
  const Scale scale(suites);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\">\n"
      "<title>Predicted against measured cycles per iteration</title>\n",
      kWidth, kHeight);
  text += kStyle;
  text += fmt::format("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", kWidth, kHeight);
  text += axes(scale) + guides(scale);
  for (std::size_t i = 0; i < suites.size(); ++i) text += points(suites[i], i, scale);
  return text + legend(suites) + "</svg>\n";
}

}  // namespace smsim::accuracy
