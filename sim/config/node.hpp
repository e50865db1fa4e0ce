// SPDX-License-Identifier: MIT
// A config file as plain values: scalars, lists and maps, each with its place, before any key is
// understood.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/error_log.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim::config {

/// One YAML value. A map holds its keys (scalars) and its values in two lists of equal length.
struct Node {
  enum class Kind : std::uint8_t { null, scalar, list, map };

  Kind kind = Kind::null;
  std::string text;  ///< of a scalar
  SourceLocation where;
  std::vector<Node> keys;   ///< of a map, each once
  std::vector<Node> items;  ///< of a list or a map

  bool is(Kind wanted) const { return kind == wanted; }

  /// The value of a map's key; null if the key is absent.
  const Node* find(std::string_view key) const;
};

/// "a number", "a list", ... for messages.
std::string_view describe(Node::Kind kind);

/// Parses a YAML text that holds one map. Syntax errors, duplicate keys, aliases and several
/// documents go to the log with line and column; the tree is what could be read.
Node read_yaml(const std::string& file, const std::string& text, ErrorLog& log);

}  // namespace smsim::config
