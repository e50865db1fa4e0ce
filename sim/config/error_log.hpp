// SPDX-License-Identifier: MIT
// Collects the errors of a config with their excerpts, so that one run names all of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "smsim/diagnostic.hpp"

namespace smsim::config {

class ErrorLog {
 public:
  /// Remembers a file's lines for the excerpts.
  void add_source(const std::string& file, const std::string& text);

  /// Adds a finding; beyond fifty they are counted only.
  void error(const SourceLocation& where, std::string message, std::string hint = {},
             ErrorKind kind = ErrorKind::bad_config);

  bool empty() const { return diagnostics_.empty(); }

  /// The findings, in the order in which they were made.
  Diagnostics take();

 private:
  std::map<std::string, std::vector<std::string>> lines_;
  Diagnostics diagnostics_;
  std::size_t dropped_ = 0;
};

}  // namespace smsim::config
