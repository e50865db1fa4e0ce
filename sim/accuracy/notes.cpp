// SPDX-License-Identifier: MIT
// What is known about measured loops beyond their figures: a note for the loops whose ids match.
#include "accuracy/notes.hpp"

#include <fmt/format.h>

#include "config/node.hpp"

namespace smsim::accuracy {
namespace {

using config::ErrorLog;
using config::Node;

void compile_pattern(const Node& key, Note& note, ErrorLog& log) {
  constexpr std::size_t kLongestPattern = 2000;  // std::regex recurses over the pattern
  note.pattern = key.text;
  if (key.text.size() > kLongestPattern) {
    log.error(key.where, "the pattern is too long");
    return;
  }
  try {
    note.regex = std::regex(key.text, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error&) {
    log.error(key.where, fmt::format("'{}' is not a regular expression", key.text),
              "ECMAScript syntax, as in '^kernel\\.lut_smem\\.'");
  }
}

void read_field(const Node& key, const Node& value, Note& note, ErrorLog& log) {
  if (!value.is(Node::Kind::scalar)) {
    log.error(value.where, fmt::format("'{}' is not a single value", key.text));
  } else if (key.text == "known") {
    note.known = value.text;
  } else if (key.text == "counted") {
    if (value.text != "true" && value.text != "false")
      log.error(value.where, "'counted' is true or false");
    note.counted = value.text != "false";
  } else {
    log.error(key.where, fmt::format("unknown key '{}' in a note", key.text),
              "a note has the keys known and counted");
  }
}

Note read_note(const Node& key, const Node& value, ErrorLog& log) {
  Note note;
  compile_pattern(key, note, log);
  if (value.is(Node::Kind::scalar)) {
    note.known = value.text;
  } else if (value.is(Node::Kind::map)) {
    for (std::size_t i = 0; i < value.keys.size(); ++i)
      read_field(value.keys[i], value.items[i], note, log);
  }
  if (note.known.empty()) log.error(key.where, "the note says nothing", "give it a text: 'known'");
  return note;
}

}  // namespace

const Note* Notes::find(const std::string& id) const {
  for (const Note& note : notes_) {
    if (std::regex_search(id, note.regex)) return &note;
  }
  return nullptr;
}

Expected<Notes> parse_notes(const std::string& text, const std::string& file) {
  ErrorLog log;
  const Node root = config::read_yaml(file, text, log);
  std::vector<Note> notes;
  if (log.empty()) {
    for (std::size_t i = 0; i < root.keys.size(); ++i)
      notes.push_back(read_note(root.keys[i], root.items[i], log));
  }
  if (!log.empty()) return tl::make_unexpected(log.take());
  return Notes(std::move(notes));
}

}  // namespace smsim::accuracy
