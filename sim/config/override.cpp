// SPDX-License-Identifier: MIT
// Puts the values of --set into an Arch, through the same table of keys as those of a file.
#include <fmt/format.h>

#include <algorithm>

#include "config/draft.hpp"
#include "config/provenance.hpp"
#include "config/suggest.hpp"
#include "config/value.hpp"

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

}  // namespace

void apply_override(const std::string& key, const std::string& value, Draft& draft, ErrorLog& log) {
  const SourceLocation where{"--set", 0, 0};
  const std::vector<NamedSlot> slots = all_slots(draft);
  const auto same = std::find_if(slots.begin(), slots.end(),
                                 [&](const NamedSlot& one) { return one.path == key; });
  if (same == slots.end()) {
    std::vector<std::string> paths;
    for (const NamedSlot& one : slots) paths.push_back(one.path);
    const std::string near = nearest(key, paths);
    log.error(where, fmt::format("unknown key '{}'", key),
              near.empty() ? fmt::format("'smsim archs {}' lists the keys", draft.arch.name)
                           : fmt::format("did you mean '{}'?", near));
    return;
  }
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = value;
  if (const auto complaint = store(same->slot, node)) {
    log.error(where, fmt::format("{} {}", key, *complaint), std::string(same->slot.info->help));
    return;
  }
  record(key, *same->slot.info, same->slot.target, where, {Status::overridden, "--set"}, draft);
}

}  // namespace smsim::config
