// SPDX-License-Identifier: MIT
// Collects the errors of a config with their excerpts, so that one run names all of them.
#include "config/error_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace smsim::config {
namespace {
constexpr std::size_t kMostErrors = 50;
constexpr std::size_t kLongestExcerpt = 200;

/// Binary files and endless lines are not worth showing.
bool is_printable(const std::string& line) {
  return line.size() <= kLongestExcerpt && std::all_of(line.begin(), line.end(), [](char c) {
           return c == '\t' || static_cast<unsigned char>(c) >= ' ';
         });
}
}  // namespace

void ErrorLog::add_source(const std::string& file, const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
  }
  lines_[file] = std::move(lines);
}

void ErrorLog::error(const SourceLocation& where, std::string message, std::string hint,
                     ErrorKind kind) {
  if (diagnostics_.size() >= kMostErrors) {
    ++dropped_;
    return;
  }
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.message = std::move(message);
  diagnostic.where = where;
  diagnostic.hint = std::move(hint);
  const auto source = lines_.find(where.file);
  if (source != lines_.end() && where.line >= 1 && where.line <= source->second.size()) {
    const std::string& line = source->second[where.line - 1];
    if (is_printable(line)) diagnostic.excerpt = line;
  }
  diagnostics_.push_back(std::move(diagnostic));
}

Diagnostics ErrorLog::take() {
  if (dropped_ > 0) {
    diagnostics_.back().hint = fmt::format("{} more errors are not shown", dropped_);
    dropped_ = 0;
  }
  return std::exchange(diagnostics_, {});
}

}  // namespace smsim::config
