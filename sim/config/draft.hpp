// SPDX-License-Identifier: MIT
// An Arch in the making: the values so far, where each was written and who vouches for it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/error_log.hpp"
#include "config/keys.hpp"
#include "config/node.hpp"
#include "smsim/arch.hpp"

namespace smsim::config {

struct Draft {
  Arch arch;                                    ///< its timings are filled by finish()
  std::vector<ClassDraft> classes;              ///< in order of their first mention
  std::map<std::string, SourceLocation> where;  ///< of each key that was given, by dotted path
};

/// Who says so: a section's `status:` and `source:`, or those of the value itself.
struct Provenance {
  std::optional<Status> status;
  std::string source;  ///< the text that the short id stands for; empty: none given
};

/// Puts a document's values into the draft, over what is there already.
void apply_document(const Node& root, Draft& draft, ErrorLog& log);

/// Puts one --set value into the draft; key is a dotted path such as classes.ffma.latency_cycles.
void apply_override(const std::string& key, const std::string& value, Draft& draft, ErrorLog& log);

/// Gives each class that the config does not name the numbers of the class that stands in for it.
void fill_classes(Draft& draft);

/// Marks all values as taken over from another config: assumed, "as on <base>".
void mark_inherited(const std::string& base, Draft& draft);

/// The complete Arch: defaults named as such, cross checks, the mapping evaluated. The log says
/// what is missing or contradicts.
Arch finish(Draft draft, const std::string& file, ErrorLog& log);

/// The same for overrides of a config that is complete: `known` is what it gives without them. The
/// draft's `parameters` need only name what was overridden.
Arch finish_values(Draft draft, const Arch& known, const std::string& file, ErrorLog& log);

}  // namespace smsim::config
