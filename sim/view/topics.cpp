// SPDX-License-Identifier: MIT
// Topics: what the words of reports and control words mean, on each generation.
#include "view/topics.hpp"

#include <algorithm>
#include <cctype>

#include "core/nearest.hpp"
#include "view/assets.hpp"
#include "view/word_tables.hpp"

namespace smsim::view {
namespace {

/// The parts between commas.
std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(", "), list.size());
    parts.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 2, list.size()));
  }
  return parts;
}

/// The rest of a line that begins with `key`; empty for other lines.
std::string_view behind(std::string_view line, std::string_view key) {
  return line.starts_with(key) ? line.substr(key.size()) : std::string_view();
}

void add_line(std::string_view line, Topic& topic) {
  if (const auto rest = behind(line, "also: "); !rest.empty()) {
    topic.also = split(rest);
  } else if (const auto see = behind(line, "see: "); !see.empty()) {
    topic.see = split(see);
  } else if (const auto code = behind(line, "code: "); !code.empty()) {
    topic.code.append(code).append("\n");
  } else if (const auto note = behind(line, "note: "); !note.empty()) {
    topic.note = note;
  } else if (const auto run = behind(line, "run: "); !run.empty()) {
    topic.run = run;
  } else if (const auto generation = behind(line, "* "); !generation.empty()) {
    const std::size_t colon = generation.find(": ");
    topic.generations.emplace_back(generation.substr(0, colon), generation.substr(colon + 2));
  } else if (!line.empty()) {
    topic.text.append(topic.text.empty() ? "" : " ").append(line);
  }
}

std::vector<Topic> read_topics(std::string_view text) {
  std::vector<Topic> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const auto head = behind(line, "== "); !head.empty()) {
      const std::size_t bar = head.find(" | ");
      Topic& topic = all.emplace_back();
      topic.name = head.substr(0, bar);
      topic.kinds = split(head.substr(bar + 3));
    } else if (!all.empty()) {
      add_line(line, all.back());
    }
  }
  return all;
}

}  // namespace

std::string folded(std::string_view word) {
  std::string text;
  for (const char c : word) {
    const bool blank = c == ' ' || c == '-';
    text += blank ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = read_topics(assets::explain_txt);
  return all;
}

const Topic* find_topic(std::string_view word) {
  const std::string wanted = folded(word);
  for (const Topic& topic : topics())
    if (topic.name == wanted) return &topic;
  for (const Topic& topic : topics())
    for (const std::string& also : topic.also)
      if (folded(also) == wanted) return &topic;
  const std::size_t slash = wanted.find('/');
  if (slash == std::string::npos || slash + 1 == wanted.size()) return nullptr;
  return find_topic(wanted.substr(0, slash + 1));
}

std::string nearest_topic(std::string_view word) {
  std::vector<std::string_view> names;
  for (const Topic& topic : topics()) names.emplace_back(topic.name);
  const std::vector<std::string> more = words_of_tables();
  names.insert(names.end(), more.begin(), more.end());
  return nearest_name(folded(word), names);
}

}  // namespace smsim::view
