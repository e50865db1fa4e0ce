// SPDX-License-Identifier: MIT
// Words that have a table of their own: rules of lint, keys of configs, classes of instructions,
// fields of the JSON outputs.
#include "view/word_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "config/keys.hpp"
#include "isa/opcode.hpp"
#include "smsim/lint.hpp"
#include "view/assets.hpp"

namespace smsim::view {
namespace {

using Json = nlohmann::json;

struct Word {
  std::string kind;
  std::string text;
  std::string run;
};
using Words = std::multimap<std::string, Word>;

void add_lint(Words& words) {
  for (const LintRule& rule : lint_rules())
    words.emplace(folded(rule.id),
                  Word{"rule of lint", fmt::format("{}: {}.", name_of(rule.level), rule.summary),
                       "smsim lint kernel.sass"});
}

/// By its whole path, and by its last part.
template <typename Owner>
void add_keys(std::string_view section, std::span<const config::Key<Owner>> keys, Words& words) {
  for (const config::Key<Owner>& key : keys) {
    const std::string path = std::string(section) + std::string(key.info.path);
    const std::string unit = key.info.unit.empty() ? "" : fmt::format(", in {}", key.info.unit);
    const Word word{"number of the config", fmt::format("{}: {}{}.", path, key.info.help, unit),
                    "smsim archs hopper-gh100"};
    words.emplace(folded(path), word);
    const std::size_t dot = path.rfind('.');
    if (dot != std::string::npos) words.emplace(folded(path.substr(dot + 1)), word);
  }
}

void add_classes(Words& words) {
  std::map<isa::OpClass, std::set<std::string>> opcodes;
  for (const isa::OpcodeRow& row : isa::all_opcodes()) opcodes[row.op_class].emplace(row.name);
  for (const std::string_view name : isa::op_class_names()) {
    const isa::OpClass op_class = *isa::op_class_named(name);
    std::string list;
    for (const std::string& one : opcodes[op_class]) list += (list.empty() ? "" : ", ") + one;
    const isa::OpClass general = isa::general_class(op_class);
    std::string text = "A class of instructions, which a config gives a pipe and a latency";
    if (!list.empty()) text += ": " + list;
    if (general != op_class)
      text += fmt::format(". Without numbers of its own it takes those of {}", isa::name(general));
    words.emplace(folded(name), Word{"instruction class", text + ".", ""});
  }
}

/// The descriptions of an output's properties, by the properties' names.
void add_properties(const Json& schema, const std::string& output, Words& words) {
  if (schema.is_array())
    for (const Json& one : schema) add_properties(one, output, words);
  if (!schema.is_object()) return;
  const auto properties = schema.find("properties");
  if (properties != schema.end() && properties->is_object())
    for (const auto& [name, one] : properties->items()) {
      const auto text = one.find("description");
      if (text == one.end()) continue;
      words.emplace(
          folded(name),
          Word{"field of JSON", fmt::format("In {}: {}.", output, text->get<std::string>()), ""});
    }
  for (const auto& [name, one] : schema.items()) add_properties(one, output, words);
}

void add_outputs(Words& words) {
  for (const std::string_view text :
       {assets::predict_schema_json, assets::bounds_schema_json, assets::whatif_schema_json,
        assets::graph_schema_json, assets::lint_schema_json, assets::record_schema_json}) {
    const Json schema = Json::parse(text);
    add_properties(schema, schema.at("title").get<std::string>(), words);
  }
}

const Words& table_words() {
  static const Words all = [] {
    Words words;
    add_lint(words);
    add_keys("", config::arch_keys(), words);
    add_keys("pipes.NAME.", config::pipe_keys(), words);
    add_keys("classes.NAME.", config::class_keys(), words);
    add_classes(words);
    add_outputs(words);
    return words;
  }();
  return all;
}

/// `classes.ffma.pipe` is told of as `classes.NAME.pipe`.
std::string without_entry(const std::string& word) {
  for (const std::string_view section : {"classes.", "pipes."}) {
    const std::size_t dot = word.rfind('.');
    if (word.starts_with(section) && dot > section.size())
      return std::string(section) + "name" + word.substr(dot);
  }
  return word;
}

}  // namespace

std::optional<Topic> topic_of_tables(std::string_view word) {
  const std::string name = without_entry(folded(word));
  const auto [begin, end] = table_words().equal_range(name);
  if (begin == end) return std::nullopt;
  Topic topic;
  topic.name = name;
  std::set<std::string> said;
  for (auto at = begin; at != end; ++at) {
    const auto& [kind, text, run] = at->second;
    if (!said.insert(text).second) continue;
    if (std::find(topic.kinds.begin(), topic.kinds.end(), kind) == topic.kinds.end())
      topic.kinds.push_back(kind);
    topic.text += (topic.text.empty() ? "" : " ") + text;
    if (topic.run.empty()) topic.run = run;
  }
  return topic;
}

std::vector<std::string> words_of_tables() {
  std::vector<std::string> names;
  for (const auto& [name, word] : table_words())
    if (names.empty() || names.back() != name) names.push_back(name);
  return names;
}

std::vector<std::string> all_words() {
  std::vector<std::string> words = words_of_tables();
  for (const Topic& topic : topics()) {
    words.push_back(topic.name);
    for (const std::string& also : topic.also) words.push_back(folded(also));
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace smsim::view
