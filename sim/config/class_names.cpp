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

/// Which classes have numbers.
class Named {
 public:
  explicit Named(const Draft& draft) {
    for (std::size_t i = draft.classes.size(); i-- > 0;)
      if (const auto known = isa::op_class_named(draft.classes[i].timing.instruction_class))
        at_[static_cast<std::size_t>(*known)] = static_cast<std::ptrdiff_t>(i);
  }

  /// Its place among Draft::classes; -1: it has none.
  std::ptrdiff_t& operator[](isa::OpClass op_class) {
    return at_[static_cast<std::size_t>(op_class)];
  }

 private:
  std::vector<std::ptrdiff_t> at_ = std::vector<std::ptrdiff_t>(isa::kOpClassCount, -1);
};

/// The nearest class with numbers of its own that stands in for this one; -1: none.
std::ptrdiff_t find_general(Named& named, isa::OpClass op_class) {
  for (;;) {
    const isa::OpClass general = isa::general_class(op_class);
    if (general == op_class) return -1;
    op_class = general;
    if (named[op_class] >= 0) return named[op_class];
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
  Named named(draft);
  for (std::size_t i = 0; i < isa::kOpClassCount; ++i) {
    const auto op_class = static_cast<isa::OpClass>(i);
    if (named[op_class] >= 0) continue;
    const std::ptrdiff_t general = find_general(named, op_class);
    if (general < 0) continue;
    ClassDraft copy = draft.classes[static_cast<std::size_t>(general)];
    const std::string from = copy.timing.instruction_class;
    copy.timing.instruction_class = isa::name(op_class);
    named[op_class] = static_cast<std::ptrdiff_t>(draft.classes.size());
    record_copy(std::move(copy), from, draft);
  }
}

}  // namespace smsim::config
