// SPDX-License-Identifier: MIT
// Puts the values of a config file into an Arch, each checked against its row of the key table.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "config/draft.hpp"
#include "config/provenance.hpp"
#include "config/suggest.hpp"
#include "config/value.hpp"

namespace smsim::config {
namespace {

/// Walks one document. `prefix` is the dotted path of the map at hand, with its final dot.
class Applier {
 public:
  Applier(Draft& draft, ErrorLog& log) : draft_(draft), log_(log), provenance_(log) {}

  void apply(const Node& root) {
    if (const Node* sources = root.find("sources")) provenance_.read_sources(*sources);
    const std::vector<std::string> elsewhere = {"base", "sources", "pipes", "classes"};
    const Provenance top = provenance_.of_map(root, {});
    apply_map(root, "", "", slots_of(arch_keys(), draft_.arch), elsewhere, top);
    if (const Node* pipes = root.find("pipes")) {
      apply_entries(*pipes, "pipes.", top, [this](const std::string& name) {
        return slots_of(pipe_keys(), pipe_named(name));
      });
    }
    if (const Node* classes = root.find("classes")) {
      apply_entries(*classes, "classes.", top, [this](const std::string& name) {
        return slots_of(class_keys(), class_named(name));
      });
    }
  }

 private:
  Pipe& pipe_named(const std::string& name) {
    std::vector<Pipe>& pipes = draft_.arch.pipes;
    const auto same = std::find_if(pipes.begin(), pipes.end(),
                                   [&](const Pipe& pipe) { return pipe.name == name; });
    if (same != pipes.end()) return *same;
    pipes.emplace_back().name = name;
    return pipes.back();
  }

  ClassDraft& class_named(const std::string& name) {
    std::vector<ClassDraft>& all = draft_.classes;
    const auto same = std::find_if(all.begin(), all.end(), [&](const ClassDraft& one) {
      return one.timing.instruction_class == name;
    });
    if (same != all.end()) return *same;
    all.emplace_back().timing.instruction_class = name;
    return all.back();
  }

  template <typename SlotsOfName>
  void apply_entries(const Node& section, const std::string& prefix, const Provenance& outer,
                     SlotsOfName slots_of_name) {
    if (!expect_map(section, prefix)) return;
    const Provenance inner = provenance_.of_map(section, outer);
    for (std::size_t i = 0; i < section.keys.size(); ++i) {
      const std::string& name = section.keys[i].text;
      if (ProvenanceReader::is_key(name)) continue;
      const std::string path = prefix + name + ".";
      if (!expect_map(section.items[i], path)) continue;
      draft_.where[prefix + name] = section.keys[i].where;
      apply_map(section.items[i], path, "", slots_of_name(name), {},
                provenance_.of_map(section.items[i], inner));
    }
  }

  /// The members of one map. `within` is its path relative to the paths of the slots.
  void apply_map(const Node& map, const std::string& prefix, const std::string& within,
                 const std::vector<Slot>& slots, const std::vector<std::string>& elsewhere,
                 const Provenance& provenance) {
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      const Node& key = map.keys[i];
      const auto is_other = [&](const std::string& name) { return name == key.text; };
      if (ProvenanceReader::is_key(key.text)) continue;
      if (std::any_of(elsewhere.begin(), elsewhere.end(), is_other)) continue;
      apply_member(key, map.items[i], prefix, within, slots, elsewhere, provenance);
    }
  }

  void apply_member(const Node& key, const Node& value, const std::string& prefix,
                    const std::string& within, const std::vector<Slot>& slots,
                    const std::vector<std::string>& elsewhere, const Provenance& provenance) {
    const std::string path = within + key.text;
    for (const Slot& slot : slots) {
      if (slot.info->path == path) return set(slot, prefix + key.text, value, provenance);
    }
    const auto inside = [&](const Slot& slot) { return slot.info->path.starts_with(path + "."); };
    if (std::any_of(slots.begin(), slots.end(), inside)) {
      const std::string inner = prefix + key.text + ".";
      if (!expect_map(value, inner)) return;
      return apply_map(value, inner, path + ".", slots, {}, provenance_.of_map(value, provenance));
    }
    unknown_key(key, prefix, within, slots, elsewhere);
  }

  void set(const Slot& slot, const std::string& path, const Node& node, const Provenance& outer) {
    const auto [value, provenance] = provenance_.of_value(path, *slot.info, node, outer);
    if (value == nullptr) return;
    if (const auto complaint = store(slot, *value)) {
      log_.error(value->where, fmt::format("{} {}", path, *complaint),
                 std::string(slot.info->help));
      return;
    }
    record(path, *slot.info, slot.target, value->where, provenance, draft_);
  }

  bool expect_map(const Node& node, const std::string& prefix) {
    if (node.is(Node::Kind::map)) return true;
    log_.error(node.where, fmt::format("{} expects a map of keys, not {}",
                                       prefix.substr(0, prefix.size() - 1), describe(node.kind)));
    return false;
  }

  void unknown_key(const Node& key, const std::string& prefix, const std::string& within,
                   const std::vector<Slot>& slots, std::vector<std::string> known) {
    for (const Slot& slot : slots) {
      if (!slot.info->path.starts_with(within)) continue;
      const std::string_view rest = slot.info->path.substr(within.size());
      const std::string name(rest.substr(0, rest.find('.')));
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }
    std::string message = fmt::format("unknown key '{}'", key.text);
    if (!prefix.empty()) message += " in " + prefix.substr(0, prefix.size() - 1);
    log_.error(key.where, std::move(message), hint_for(key.text, known));
  }

  /// The near key of this map, else the same key of another section.
  static std::string hint_for(const std::string& word, const std::vector<std::string>& known) {
    if (nearest(word, known).empty()) {
      for (const Key<Arch>& key : arch_keys()) {
        if (key.info.path.ends_with("." + word)) {
          return fmt::format("did you mean '{}'?", key.info.path);
        }
      }
    }
    return suggest(word, known);
  }

  Draft& draft_;
  ErrorLog& log_;
  ProvenanceReader provenance_;
};

}  // namespace

void apply_document(const Node& root, Draft& draft, ErrorLog& log) {
  Applier(draft, log).apply(root);
}

}  // namespace smsim::config
