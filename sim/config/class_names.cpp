// SPDX-License-Identifier: MIT
// The instruction classes that every config must time, and what those without an entry fall back
// to.
#include "config/class_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/draft.hpp"
#include "config/provenance.hpp"
#include "config/value.hpp"
#include "isa/op_class.hpp"

namespace smsim::config {
namespace {

const ClassDraft* find_class(const Draft& draft, std::string_view name) {
  for (const ClassDraft& one : draft.classes) {
    if (one.timing.instruction_class == name) return &one;
  }
  return nullptr;
}

/// The nearest class with numbers of its own that stands in for this one.
const ClassDraft* find_general(const Draft& draft, isa::OpClass op_class) {
  for (;;) {
    const isa::OpClass general = isa::general_class(op_class);
    if (general == op_class) return nullptr;
    op_class = general;
    if (const ClassDraft* found = find_class(draft, isa::name(op_class))) return found;
  }
}

/// Puts the copied numbers on record: nobody stated them for this class.
void record_copy(ClassDraft copy, const std::string& from, Draft& draft) {
  const std::string& name = copy.timing.instruction_class;
  for (const Slot& slot : slots_of(class_keys(), copy)) {
    const std::string key(slot.info->path);
    const auto given = draft.where.find("classes." + from + "." + key);
    if (given == draft.where.end()) continue;
    record("classes." + name + "." + key, *slot.info, slot.target, SourceLocation(given->second),
           {Status::assumed, fmt::format("as class {}", from)}, draft);
  }
  draft.classes.push_back(std::move(copy));
}

}  // namespace

const std::vector<std::string>& class_names() {
  static const std::vector<std::string> names(isa::op_class_names().begin(),
                                              isa::op_class_names().end());
  return names;
}

void fill_classes(Draft& draft) {
  for (const std::string& name : class_names()) {
    if (find_class(draft, name) != nullptr) continue;
    const ClassDraft* general = find_general(draft, *isa::op_class_named(name));
    if (general == nullptr) continue;
    ClassDraft copy = *general;
    const std::string from = copy.timing.instruction_class;
    copy.timing.instruction_class = name;
    record_copy(std::move(copy), from, draft);
  }
}

}  // namespace smsim::config
