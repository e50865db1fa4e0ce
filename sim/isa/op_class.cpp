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

/// The classes in the order of their names: each prediction looks up all that a config has.
constexpr std::array<std::uint8_t, kOpClassCount> sort_by_name() {
  std::array<std::uint8_t, kOpClassCount> sorted{};
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = static_cast<std::uint8_t>(i);
  std::sort(sorted.begin(), sorted.end(),
            [](std::uint8_t a, std::uint8_t b) { return kClasses[a].name < kClasses[b].name; });
  return sorted;
}

constexpr auto kByName = sort_by_name();

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

std::optional<OpClass> op_class_named(std::string_view name) {
  const auto found = std::lower_bound(
      kByName.begin(), kByName.end(), name,
      [](std::uint8_t index, std::string_view wanted) { return kClasses[index].name < wanted; });
  if (found == kByName.end() || kClasses[*found].name != name) return std::nullopt;
  return static_cast<OpClass>(*found);
}

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
