// SPDX-License-Identifier: MIT
// The timeline as a picture: an SVG file for pages and slides, light or dark as its viewer is.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "report/layout.hpp"
#include "smsim/report.hpp"
#include "view/cells.hpp"
#include "view/links.hpp"
#include "view/look.hpp"

namespace smsim {
namespace {

using view::Cell;
using view::Phase;

constexpr int kCellWidth = 10;
constexpr int kRowHeight = 20;
constexpr int kBarHeight = 14;
constexpr int kLeft = 290;  ///< room for the instructions' texts
constexpr int kTop = 96;    ///< title, legend, ruler
constexpr int kMargin = 12;
constexpr int kLetterWidth = 6;
constexpr std::size_t kLabelColumns = 40;

constexpr const char* kStyle = R"(<style>
  text { font: 11px ui-monospace, Menlo, Consolas, monospace; fill: #1f2328; }
  .title { font: 600 14px system-ui, sans-serif; }
  .note, .tick { fill: #59636e; font-family: system-ui, sans-serif; }
  .tick { font-size: 10px; }
  .paper { fill: #ffffff; }
  .grid { stroke: #d8dee4; stroke-width: 1; }
  .wait { fill: #d9dee3; } .score { fill: #f5b971; } .busy { fill: #e8a0bf; }
  .issue { fill: #0a4fa3; } .stage { fill: #b6d6f5; } .read { fill: #4d9de0; }
  .held { fill: #8c96a0; } .conflict { fill: #d1242f; }
  .queue { fill: #dccbf2; } .execute { fill: #74c08a; } .write { fill: #1a7f37; }
  .on { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .note, .tick { fill: #9198a1; }
    .paper { fill: #0d1117; } .grid { stroke: #2a313a; }
    .wait { fill: #3d444d; } .score { fill: #9a6200; } .busy { fill: #8a3c63; }
    .issue { fill: #79c0ff; } .stage { fill: #1c3f63; } .read { fill: #2f81c7; }
    .held { fill: #6e7681; } .conflict { fill: #f85149; }
    .queue { fill: #4b3a68; } .execute { fill: #2f7d45; } .write { fill: #56d364; }
    .on { fill: #0d1117; }
  }
</style>
)";

class Picture {
 public:
  Picture(std::ostream& out, const Recording& recording, const TimelineOptions& options)
      : out_(out), recording_(recording) {
    begin_ = recording.end;
    std::int64_t end = recording.begin;
    for (std::size_t i = 0; i < recording.instructions.size(); ++i) {
      if (options.block >= 0 && recording.instructions[i].block != options.block) continue;
      rows_.push_back({i, view::cells_of(recording, i)});
      begin_ = std::min(begin_, rows_.back().cells.begin);
      end = std::max(end, rows_.back().cells.end());
    }
    if (options.cycles > 0) end = std::min(end, begin_ + options.cycles);
    end_ = std::max(begin_ + 1, end);
    std::erase_if(rows_, [this](const Row& row) { return row.cells.begin >= end_; });
  }

  void draw() {
    const auto width = kLeft + kCellWidth * (end_ - begin_) + 2 * kMargin;
    const std::int64_t height =
        kTop + kRowHeight * static_cast<std::int64_t>(rows_.size()) + 2 * kMargin;
    const auto fitting = std::max<std::int64_t>(width, 860);
    out_ << fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" "
        "height=\"{}\" role=\"img\" aria-labelledby=\"title\">\n",
        fitting, height, fitting, height);
    const Result& result = recording_.result;
    const std::string title = fmt::format(
        "{} on {}: {} cycles per iteration", report::escaped(result.function),
        report::escaped(result.arch), report::short_number(result.cycles_per_iteration));
    out_ << "<title id=\"title\">" << title << "</title>\n" << kStyle;
    out_ << fmt::format("<rect class=\"paper\" width=\"{}\" height=\"{}\"/>\n", fitting, height);
    text(kMargin, 24, "title", title);
    draw_legend();
    draw_ruler(height);
    for (std::size_t r = 0; r < rows_.size(); ++r) draw_row(rows_[r], row_y(r));
    out_ << "</svg>\n";
  }

 private:
  struct Row {
    std::size_t index;
    view::CellRow cells;
  };

  static std::int64_t row_y(std::size_t row) {
    return kTop + kRowHeight * static_cast<std::int64_t>(row);
  }
  std::int64_t x_of(std::int64_t cycle) const { return kLeft + kCellWidth * (cycle - begin_); }

  void text(std::int64_t x, std::int64_t y, const char* name, const std::string& content) {
    out_ << fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", x, y, name, content);
  }

  void draw_legend() {
    std::set<std::string> seen;
    std::int64_t x = kMargin;
    std::int64_t y = 38;
    for (const Row& row : rows_)
      for (const Cell& cell : row.cells.cells) {
        if (cell.phase == Phase::nothing) continue;
        const view::Look look = view::look_of(cell);
        if (!seen.insert(look.name).second) continue;
        constexpr std::int64_t kWidest = 840;
        const auto wide = static_cast<std::int64_t>(std::string_view(look.meaning).size()) * 6 + 36;
        if (x + wide > kWidest) {
          x = kMargin;
          y += 18;
        }
        out_ << fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"12\" height=\"12\"/>\n",
                            look.name, x, y);
        text(x + 17, y + 10, "note", look.meaning);
        x += wide;
      }
  }

  void draw_ruler(std::int64_t height) {
    constexpr std::int64_t kStep = 10;
    for (std::int64_t cycle = begin_; cycle < end_; cycle += kStep) {
      out_ << fmt::format("<path class=\"grid\" d=\"M{} {}V{}\"/>\n", x_of(cycle), kTop - 6,
                          height - kMargin);
      text(x_of(cycle) + 2, kTop - 8, "tick", std::to_string(cycle - begin_));
    }
    text(kMargin, kTop - 8, "note", "cycle");
  }

  void draw_row(const Row& row, std::int64_t y) {
    const RecordedInstruction& one = recording_.instructions[row.index];
    text(kMargin, y + 11, "label",
         report::escaped(report::ellipsize(view::title_of(recording_, one), kLabelColumns)));
    std::int64_t begin = row.cells.begin;
    const std::int64_t last = std::min(end_, row.cells.end());
    while (begin < last) {
      const Cell cell = row.cells.at(begin);
      std::int64_t end = begin + 1;
      while (end < last && row.cells.at(end) == cell) ++end;
      if (cell.phase != Phase::nothing) draw_run(cell, begin, end, y);
      begin = end;
    }
  }

  void draw_run(const Cell& cell, std::int64_t begin, std::int64_t end, std::int64_t y) {
    const std::string what = cell.phase == Phase::wait ? view::wait_name(cell.reason)
                                                       : std::string(view::look_of(cell).meaning);
    out_ << fmt::format(
        "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}, {} "
        "cycle{}</title></rect>\n",
        view::look_of(cell).name, x_of(begin), y, kCellWidth * (end - begin) - 1, kBarHeight,
        report::escaped(what), end - begin, end - begin == 1 ? "" : "s");
    const auto room = kCellWidth * (end - begin) / kLetterWidth - 1;
    if (cell.phase == Phase::read)
      text(x_of(begin) + 2, y + 11, "on", std::string(1, view::letter_of(cell)));
    else if (cell.phase == Phase::wait && room >= static_cast<std::int64_t>(what.size()))
      text(x_of(begin) + 4, y + 11, "note", report::escaped(what));
  }

  std::ostream& out_;
  const Recording& recording_;
  std::int64_t begin_ = 0;
  std::int64_t end_ = 0;
  std::vector<Row> rows_;
};

}  // namespace

void write_svg_timeline(std::ostream& out, const Recording& recording,
                        const TimelineOptions& options) {
  Picture(out, recording, options).draw();
}

}  // namespace smsim
