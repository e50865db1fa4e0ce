// SPDX-License-Identifier: MIT
// Instruction classes: their names, and which class stands in for which.
#include "isa/op_class.hpp"

#include <algorithm>
#include <array>

namespace smsim::isa {
namespace {

struct ClassRow {
  std::string_view name;
  std::string_view general;
};

constexpr std::array<ClassRow, kOpClassCount> kClasses = {{
#define SMSIM_OP_CLASS(identifier, name, general) {name, general},
#include "isa/op_classes.def"
#undef SMSIM_OP_CLASS
}};

constexpr std::size_t index_of(std::string_view wanted) {
  for (std::size_t i = 0; i < kClasses.size(); ++i) {
    if (kClasses[i].name == wanted) return i;
  }
  return kClasses.size();
}

/// The classes by their names: each prediction looks up all that a config has.
class ByName {
 public:
  constexpr ByName() {
    slots_.fill(kEmpty);
    for (std::size_t i = 0; i < kClasses.size(); ++i)
      slots_[place(kClasses[i].name)] = static_cast<std::uint8_t>(i);
  }

  constexpr std::optional<OpClass> find(std::string_view name) const {
    const std::uint8_t index = slots_[place(name)];
    if (index == kEmpty) return std::nullopt;
    return static_cast<OpClass>(index);
  }

 private:
  static constexpr std::uint8_t kEmpty = 255;

  /// Where the name stands, or would stand.
  constexpr std::size_t place(std::string_view name) const {
    std::uint32_t hash = 0;
    for (const char letter : name) hash = hash * 33 + static_cast<unsigned char>(letter);
    std::size_t at = hash % slots_.size();
    while (slots_[at] != kEmpty && kClasses[slots_[at]].name != name) at = (at + 1) % slots_.size();
    return at;
  }

  std::array<std::uint8_t, 1024> slots_{};
};

constexpr ByName kByName;

constexpr std::array<std::uint8_t, kOpClassCount> resolve_general() {
  std::array<std::uint8_t, kOpClassCount> general{};
  for (std::size_t i = 0; i < kClasses.size(); ++i) {
    general[i] = static_cast<std::uint8_t>(index_of(kClasses[i].general));
  }
  return general;
}

constexpr auto kGeneral = resolve_general();

static_assert(kOpClassCount < 255);
static_assert(std::all_of(kGeneral.begin(), kGeneral.end(),
                          [](std::uint8_t index) { return index < kOpClassCount; }),
              "a class names a general one that is not in the table");

}  // namespace

std::string_view name(OpClass op_class) {
  return kClasses[static_cast<std::size_t>(op_class)].name;
}

std::optional<OpClass> op_class_named(std::string_view name) { return kByName.find(name); }

OpClass general_class(OpClass op_class) {
  return static_cast<OpClass>(kGeneral[static_cast<std::size_t>(op_class)]);
}

const std::vector<std::string_view>& op_class_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const ClassRow& row : kClasses) all.push_back(row.name);
    return all;
  }();
  return names;
}

}  // namespace smsim::isa
