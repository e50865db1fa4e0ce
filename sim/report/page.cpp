// SPDX-License-Identifier: MIT
// A page of the text reports: titles, labelled entries, shares as bars and lists.
#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace smsim::report {
namespace {

constexpr int kLeastWidth = 80;
constexpr std::size_t kLabelColumns = 24;

}  // namespace

Page::Page(std::ostream& out, const TextOptions& options)
    : out_(out),
      paint_(options.color),
      width_(static_cast<std::size_t>(std::max(options.width, kLeastWidth))),
      cut_(options.cut) {}

void Page::heading(std::string_view function, std::string_view arch, int sm) const {
  const std::string own_sm = sm == 0 ? "" : fmt::format(" (sm_{})", sm);
  const std::string where = fmt::format(" on {}{}", printable(arch), own_sm);
  const std::size_t room = width_ > where.size() + 20 ? width_ - where.size() : 20;
  const std::string name = fitted(printable(function), room);
  out_ << paint_(Ink::bold, name) << fitted(where, width_ - std::min(width_, columns(name)))
       << "\n\n";
}

void Page::title(std::string_view title, std::string_view aside) const {
  out_ << '\n' << paint_(Ink::bold, title);
  const std::string shown = fitted(aside, width_ - title.size() - 2);
  if (!aside.empty()) out_ << "  " << paint_(Ink::dim, shown);
  out_ << "\n\n";
}

void Page::entry(std::string_view label, std::string_view text, Ink ink) const {
  const std::string indent(kLabelColumns + 2, ' ');
  bool first = true;
  for (const std::string& line : wrap(printable(text), width_ - indent.size())) {
    out_ << (first ? "  " + pad_right(label, kLabelColumns) : indent) << paint_(ink, line) << '\n';
    first = false;
  }
}

void Page::item(std::string_view text) const {
  bool first = true;
  for (const std::string& line : wrap(printable(text), width_ - 4)) {
    out_ << (first ? "  - " : "    ") << line << '\n';
    first = false;
  }
}

void Page::assumptions(const std::vector<std::string>& texts) const {
  if (texts.empty()) return;
  title("Assumptions");
  for (const std::string& text : texts) item(text);
}

bool Table::is_left(std::size_t column) const {
  return column == 0 || std::find(left_.begin(), left_.end(), column) != left_.end();
}

void Table::write(const Page& page) const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns(row[c]));
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += "  " + (is_left(c) ? pad_right(row[c], widths[c]) : pad_left(row[c], widths[c]));
    line.erase(line.find_last_not_of(' ') + 1);
    page.out() << page.fitted(line) << '\n';
  }
}

/// `16, 4 on each of 4 processing blocks`, or the blocks one by one.
std::string issue_rate_text(const Result& result) {
  return fmt::format("{} of at most {}", short_number(result.warp_instructions_per_cycle),
                     std::max(1, result.processing_blocks) * result.issue_width);
}

std::string warps_text(const Result& result) {
  const int blocks = std::max(1, result.processing_blocks);
  const int each = result.warps / blocks;
  const int more = result.warps % blocks;
  if (more == 0)
    return fmt::format("{}, {} on each of {} processing blocks", result.warps, each, blocks);
  std::string split;
  for (int block = 0; block < blocks; ++block) {
    split += fmt::format("{}{}", block == 0 ? "" : ", ", each + (block < more ? 1 : 0));
  }
  return fmt::format("{}: {} on processing blocks 0 to {}", result.warps, split, blocks - 1);
}

std::string cycles_text(const Result& result) {
  const bool is_fraction = result.is_loop && result.steady_state.periodic &&
                           result.window_iterations != 0 &&
                           std::abs(static_cast<double>(result.window_cycles) /
                                        static_cast<double>(result.window_iterations) -
                                    result.cycles_per_iteration) < 1e-9;
  return is_fraction ? fraction(result.window_cycles, result.window_iterations)
                     : short_number(result.cycles_per_iteration);
}

}  // namespace smsim::report
