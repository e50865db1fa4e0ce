// SPDX-License-Identifier: MIT
// Who vouches for a number of a config: `status:`, `source:`, and the map of sources.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "config/draft.hpp"
#include "config/node.hpp"

namespace smsim::config {

/// measured, published, fitted, assumed or overridden.
std::string_view name_of(Status status);

class ProvenanceReader {
 public:
  explicit ProvenanceReader(ErrorLog& log) : log_(log) {}

  /// Whether a key of any map says who vouches for its values, instead of being a value.
  static bool is_key(std::string_view key) { return key == "status" || key == "source"; }

  /// Takes the short ids and their texts from the top-level map `sources`.
  void read_sources(const Node& sources);

  /// A map's own `status:` and `source:`, where it has them, over those of the map around it.
  Provenance of_map(const Node& map, Provenance outer);

  /// A value and its provenance: `5`, or `[5, measured, some-id]`. The value is null if the error
  /// log already says why.
  std::pair<const Node*, Provenance> of_value(const std::string& path, const KeyInfo& info,
                                              const Node& node, Provenance outer);

 private:
  void read_status(const Node& node, Provenance& into);
  void read_source(const Node& node, Provenance& into);

  ErrorLog& log_;
  std::map<std::string, std::string> sources_;
};

/// Remembers where a key's value stands, and adds or replaces its row of Arch::parameters.
void record(const std::string& path, const KeyInfo& info, const Target& target,
            const SourceLocation& where, const Provenance& provenance, Draft& draft);

}  // namespace smsim::config
