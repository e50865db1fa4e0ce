// SPDX-License-Identifier: MIT
// Puts the values of --set into an Arch, through the same table of keys as those of a file.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "config/draft.hpp"
#include "config/provenance.hpp"
#include "config/value.hpp"
#include "core/nearest.hpp"

namespace smsim::config {
namespace {

struct NamedSlot {
  std::string path;  ///< as --set takes it: classes.ffma.latency_cycles
  Slot slot;
};

void add_slots(const std::string& prefix, const std::vector<Slot>& slots,
               std::vector<NamedSlot>& all) {
  for (const Slot& slot : slots) all.push_back({prefix + std::string(slot.info->path), slot});
}

/// Everything that --set can change in this config.
std::vector<NamedSlot> all_slots(Draft& draft) {
  std::vector<NamedSlot> all;
  add_slots("", slots_of(arch_keys(), draft.arch), all);
  for (Pipe& pipe : draft.arch.pipes) {
    add_slots("pipes." + pipe.name + ".", slots_of(pipe_keys(), pipe), all);
  }
  for (ClassDraft& one : draft.classes) {
    add_slots("classes." + one.timing.instruction_class + ".", slots_of(class_keys(), one), all);
  }
  return all;
}

/// The key of that name among those of one owner.
std::optional<Slot> slot_named(const std::vector<Slot>& slots, std::string_view path) {
  const auto same = std::find_if(slots.begin(), slots.end(),
                                 [&](const Slot& slot) { return slot.info->path == path; });
  return same == slots.end() ? std::nullopt : std::optional(*same);
}

/// The place of a key; none if there is no such key.
std::optional<Slot> find_slot(std::string_view key, Draft& draft) {
  const std::size_t section = key.find('.');
  const std::size_t entry = section == key.npos ? key.npos : key.find('.', section + 1);
  if (entry == key.npos) return slot_named(slots_of(arch_keys(), draft.arch), key);
  const std::string_view name = key.substr(section + 1, entry - section - 1);
  const std::string_view rest = key.substr(entry + 1);
  if (key.starts_with("pipes."))
    for (Pipe& pipe : draft.arch.pipes)
      if (pipe.name == name) return slot_named(slots_of(pipe_keys(), pipe), rest);
  if (key.starts_with("classes."))
    for (ClassDraft& one : draft.classes)
      if (one.timing.instruction_class == name)
        return slot_named(slots_of(class_keys(), one), rest);
  return std::nullopt;
}

void unknown_key(const std::string& key, const SourceLocation& where, Draft& draft, ErrorLog& log) {
  std::vector<std::string> paths;
  for (const NamedSlot& one : all_slots(draft)) paths.push_back(one.path);
  log.error(where, fmt::format("unknown key '{}'", key),
            did_you_mean(key, {paths.begin(), paths.end()},
                         fmt::format("'smsim archs {}' lists the keys", draft.arch.name)));
}

Node scalar(std::string_view text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::string(text);
  return node;
}

/// `[0,0,4,6]` or `0,0,4,6` where the key takes a list.
Node node_of(std::string_view value, const Slot& slot) {
  if (!std::holds_alternative<std::vector<int>*>(slot.target)) return scalar(value);
  if (value.starts_with('[') && value.ends_with(']')) value = value.substr(1, value.size() - 2);
  Node node;
  node.kind = Node::Kind::list;
  while (!value.empty()) {
    const std::size_t comma = std::min(value.find(','), value.size());
    std::string_view item = value.substr(0, comma);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    node.items.push_back(scalar(item));
    value.remove_prefix(std::min(comma + 1, value.size()));
  }
  return node;
}

}  // namespace

/// What a config says about itself, and no part of the model looks at.
constexpr std::string_view kNames[] = {"name", "title", "encoding", "compute_capabilities"};

void apply_override(const std::string& key, const std::string& value, Draft& draft, ErrorLog& log) {
  const SourceLocation where{"--set", 0, 0};
  const auto slot = find_slot(key, draft);
  if (!slot) return unknown_key(key, where, draft, log);
  if (std::find(std::begin(kNames), std::end(kNames), key) != std::end(kNames)) {
    log.error(where, fmt::format("{} names the device, and changes nothing that is simulated", key),
              "--arch takes another device");
    return;
  }
  const Node node = node_of(value, *slot);
  if (const auto complaint = store(*slot, node)) {
    log.error(where, fmt::format("{} {}", key, *complaint), std::string(slot->info->help));
    return;
  }
  record(key, *slot->info, slot->target, where, {Status::overridden, "--set"}, draft);
}

}  // namespace smsim::config
