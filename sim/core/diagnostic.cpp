// SPDX-License-Identifier: MIT
// Prints findings as compilers do, and turns them into the process's exit code.
#include "smsim/diagnostic.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace smsim {
namespace {

constexpr std::array<const char*, 3> kSeverityNames = {"note", "warning", "error"};

/// By ErrorKind: usage, bad_input, no_file, internal, bad_config.
constexpr std::array<int, 5> kExitCodes = {2, 65, 66, 70, 78};

/// Which kind decides when several meet: our own fault first, since then nothing else is certain.
constexpr std::array<int, 5> kWeight = {1, 2, 3, 5, 4};

std::string place(const SourceLocation& where) {
  if (where.file.empty()) return "smsim: ";
  std::string text = where.file + ":";
  if (where.line > 0) text += std::to_string(where.line) + ":";
  if (where.line > 0 && where.column > 0) text += std::to_string(where.column) + ":";
  return text + " ";
}

/// Spaces up to the column, with the excerpt's own tabs, so that the caret stands below its mark.
std::string caret_line(const std::string& excerpt, std::uint32_t column) {
  std::string line;
  const std::size_t width = std::min<std::size_t>(column - 1, excerpt.size());
  for (std::size_t i = 0; i < width; ++i) line += excerpt[i] == '\t' ? '\t' : ' ';
  return line + "^\n";
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  std::string text = place(diagnostic.where);
  text += kSeverityNames[static_cast<std::size_t>(diagnostic.severity)];
  text += ": " + diagnostic.message + "\n";
  if (!diagnostic.excerpt.empty()) {
    text += diagnostic.excerpt + "\n";
    if (diagnostic.where.column > 0) {
      text += caret_line(diagnostic.excerpt, diagnostic.where.column);
    }
  }
  if (!diagnostic.hint.empty()) text += "hint: " + diagnostic.hint + "\n";
  return text;
}

std::string to_string(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& one : diagnostics) text += to_string(one);
  return text;
}

int exit_code(const Diagnostics& diagnostics) {
  std::size_t worst = 0;
  bool failed = false;
  for (const Diagnostic& one : diagnostics) {
    if (one.severity != Severity::error) continue;
    const auto kind = static_cast<std::size_t>(one.kind);
    if (!failed || kWeight[kind] > kWeight[worst]) worst = kind;
    failed = true;
  }
  return failed ? kExitCodes[worst] : 0;
}

tl::unexpected<Diagnostics> fail(ErrorKind kind, std::string message, SourceLocation where,
                                 std::string hint, std::string excerpt) {
  Diagnostic one;
  one.kind = kind;
  one.message = std::move(message);
  one.where = std::move(where);
  one.hint = std::move(hint);
  one.excerpt = std::move(excerpt);
  return tl::make_unexpected(Diagnostics{std::move(one)});
}

}  // namespace smsim
