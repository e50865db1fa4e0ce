// SPDX-License-Identifier: MIT
// Who vouches for a number of a config: `status:`, `source:`, and the map of sources.
#include "config/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "config/suggest.hpp"

namespace smsim::config {
namespace {

struct StatusName {
  std::string_view name;
  Status status;
};

// What a file may claim; overridden is what --set does to a value.
constexpr std::array<StatusName, 4> kStatusNames = {{{"measured", Status::measured},
                                                     {"published", Status::published},
                                                     {"fitted", Status::fitted},
                                                     {"assumed", Status::assumed}}};

std::vector<std::string> status_words() {
  std::vector<std::string> words;
  for (const StatusName& one : kStatusNames) words.emplace_back(one.name);
  return words;
}

/// `[value, status, source]`, not a list of three banks: the second item is a word.
bool looks_like_triple(const Node& node) {
  if (!node.is(Node::Kind::list) || node.items.size() != 3) return false;
  const Node& status = node.items[1];
  return status.is(Node::Kind::scalar) && !status.text.empty() && status.text[0] >= 'a' &&
         status.text[0] <= 'z';
}

/// Names, and lists that are given without a source: nobody need vouch for them.
bool needs_no_source(const KeyInfo& info, const Node& node) {
  return info.kind == ValueKind::identity ||
         (info.kind == ValueKind::integers && !looks_like_triple(node));
}

}  // namespace

std::string_view name_of(Status status) {
  for (const StatusName& one : kStatusNames)
    if (one.status == status) return one.name;
  return "overridden";
}

void ProvenanceReader::read_sources(const Node& sources) {
  if (!sources.is(Node::Kind::map)) {
    log_.error(sources.where, fmt::format("sources expects a map from short ids to texts, not {}",
                                          describe(sources.kind)));
    return;
  }
  for (std::size_t i = 0; i < sources.keys.size(); ++i) {
    const Node& text = sources.items[i];
    if (!text.is(Node::Kind::scalar) || text.text.empty()) {
      log_.error(text.where, fmt::format("source '{}' expects a text, not {}", sources.keys[i].text,
                                         describe(text.kind)));
      continue;
    }
    sources_[sources.keys[i].text] = text.text;
  }
}

void ProvenanceReader::read_status(const Node& node, Provenance& into) {
  const auto* same = std::find_if(kStatusNames.begin(), kStatusNames.end(),
                                  [&](const StatusName& one) { return one.name == node.text; });
  if (same == kStatusNames.end()) {
    log_.error(node.where, fmt::format("'{}' is not a status", node.text),
               suggest(node.text, status_words()));
    return;
  }
  into.status = same->status;
}

void ProvenanceReader::read_source(const Node& node, Provenance& into) {
  const auto same = sources_.find(node.text);
  if (same == sources_.end()) {
    std::vector<std::string> ids;
    for (const auto& [id, text] : sources_) ids.push_back(id);
    log_.error(node.where, fmt::format("source '{}' is not in the map of sources", node.text),
               suggest(node.text, ids));
    into.source = node.text;
    return;
  }
  into.source = same->second;
}

Provenance ProvenanceReader::of_map(const Node& map, Provenance outer) {
  if (const Node* status = map.find("status")) read_status(*status, outer);
  if (const Node* source = map.find("source")) read_source(*source, outer);
  return outer;
}

std::pair<const Node*, Provenance> ProvenanceReader::of_value(const std::string& path,
                                                              const KeyInfo& info, const Node& node,
                                                              Provenance outer) {
  if (needs_no_source(info, node)) return {&node, {}};
  const Node* value = &node;
  if (looks_like_triple(node)) {
    value = node.items.data();
    read_status(node.items[1], outer);
    read_source(node.items[2], outer);
  }
  if (!outer.status || outer.source.empty()) {
    log_.error(node.where, fmt::format("{} has no {}", path, outer.status ? "source" : "status"),
               "write [value, status, source], or give its section a status: and a source:");
    return {nullptr, outer};
  }
  return {value, outer};
}

void record(const std::string& path, const KeyInfo& info, const Target& target,
            const SourceLocation& where, const Provenance& provenance, Draft& draft) {
  const bool is_new = draft.where.insert_or_assign(path, where).second;
  if (!provenance.status) return;
  Parameter row{path,
                render(target),
                std::string(info.unit),
                provenance.status.value_or(Status::assumed),
                provenance.source,
                std::string(info.help)};
  std::vector<Parameter>& rows = draft.arch.parameters;
  const auto same = is_new ? rows.end()
                           : std::find_if(rows.begin(), rows.end(),
                                          [&](const auto& one) { return one.key == path; });
  if (same == rows.end()) {
    rows.push_back(std::move(row));
  } else {
    *same = std::move(row);
  }
}

void mark_inherited(const std::string& base, Draft& draft) {
  for (Parameter& row : draft.arch.parameters) {
    row.status = Status::assumed;
    row.source = "as on " + base;
  }
  // What a config is called and which devices it stands for is its own.
  draft.arch.name.clear();
  draft.arch.title.clear();
  draft.arch.compute_capabilities.clear();
}

}  // namespace smsim::config
