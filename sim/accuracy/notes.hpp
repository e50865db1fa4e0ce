// SPDX-License-Identifier: MIT
// What is known about measured loops beyond their figures: a note for the loops whose ids match.
#pragma once

#include <regex>
#include <string>
#include <vector>

#include "smsim/diagnostic.hpp"

namespace smsim::accuracy {

/// One entry of a notes file.
struct Note {
  std::string pattern;  ///< ECMAScript regular expression, searched in the ids of rows
  std::regex regex;
  std::string known;
  bool counted = true;  ///< false: the figure says nothing of the model, and no table counts it
};

class Notes {
 public:
  Notes() = default;
  explicit Notes(std::vector<Note> notes) : notes_(std::move(notes)) {}

  /// The first note whose pattern is found in the id; null if there is none.
  const Note* find(const std::string& id) const;

 private:
  std::vector<Note> notes_;
};

/// Parses a YAML map from patterns to notes: either the text itself, or `{known: text, counted:
/// false}`. Errors: bad_config, each with file, line and column.
Expected<Notes> parse_notes(const std::string& text, const std::string& file);

}  // namespace smsim::accuracy
