// SPDX-License-Identifier: MIT
// A page of the text reports: titles, labelled entries, shares as bars and lists.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "report/layout.hpp"
#include "smsim/report.hpp"

namespace smsim::report {

/// What all sections of a text report write to and with.
class Page {
 public:
  Page(std::ostream& out, const TextOptions& options);

  /// `NAME on ARCH (sm_90)`.
  void heading(const Result& result) const { heading(result.function, result.arch, result.sm); }
  void heading(std::string_view function, std::string_view arch, int sm) const;

  /// A bold title with an aside.
  void title(std::string_view title, std::string_view aside = {}) const;

  /// `label   text`, the text wrapped under itself.
  void entry(std::string_view label, std::string_view text, Ink ink = Ink::plain) const;

  /// `- text`, wrapped.
  void item(std::string_view text) const;

  /// What the figure rests on, if anything.
  void assumptions(const std::vector<std::string>& texts) const;

  std::ostream& out() const { return out_; }
  const Paint& paint() const { return paint_; }
  std::size_t width() const { return width_; }

  /// A line of a table: cut to the width, if lines are.
  std::string fitted(std::string_view line) const { return fitted(line, width_); }
  std::string fitted(std::string_view text, std::size_t width) const {
    return cut_ ? ellipsize(text, width) : std::string(text);
  }

 private:
  std::ostream& out_;
  Paint paint_;
  std::size_t width_;
  bool cut_;
};

/// Rows of texts in columns: the first column to the left, the others to the right unless they are
/// named in `left`; the last one is cut to the width.
class Table {
 public:
  explicit Table(std::vector<std::string> header, std::vector<std::size_t> left = {})
      : rows_{std::move(header)}, left_(std::move(left)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void write(const Page& page) const;

 private:
  bool is_left(std::size_t column) const;

  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> left_;
};

/// `16, 4 on each of 4 processing blocks`, or the blocks one by one.
std::string warps_text(const Result& result);

/// "0.91 of at most 4": warp instructions a cycle, of those that the SM can issue.
std::string issue_rate_text(const Result& result);

/// Cycles per iteration as an exact fraction where it is one.
std::string cycles_text(const Result& result);

}  // namespace smsim::report
