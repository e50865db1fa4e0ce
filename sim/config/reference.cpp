// SPDX-License-Identifier: MIT
// The key table as the reference that docs/configs.md shows.
#include "config/reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/keys.hpp"
#include "config/value.hpp"

namespace smsim::config {
namespace {

/// What may be written: a range, a list of words, a type.
std::string allowed(const KeyInfo& info) {
  switch (info.kind) {
    case ValueKind::integer:
      return fmt::format("{} to {}", info.least, info.most);
    case ValueKind::flag:
      return "true, false";
    case ValueKind::choice:
      return fmt::format("{}", fmt::join(split_choices(info.choices), ", "));
    case ValueKind::formula:
      return "formula or list";
    case ValueKind::integers:
      return fmt::format("list of {} to {}", info.least, info.most);
    case ValueKind::text:
    case ValueKind::identity:
      return "text";
  }
  return "";
}

/// A '|' inside a table cell would end it.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, "\\");
  }
  return text;
}

/// The default as the config would write it; an integer out of its own range stands for none.
std::string default_of(const KeyInfo& info, const Target& target) {
  if (const int* const* number = std::get_if<int*>(&target)) {
    if (**number < info.least) return "none";
  }
  const std::string value = render(target);
  return value.empty() || value == "[]" ? "none" : value;
}

template <typename Owner>
std::string table(std::string_view title, std::span<const Key<Owner>> keys) {
  Owner defaults;
  std::string text = fmt::format("### {}\n\n", title);
  text += "| key | unit | values | default | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const Key<Owner>& key : keys) {
    const std::string value = default_of(key.info, key.target(defaults));
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.info.path, key.info.unit,
                        cell(allowed(key.info)), key.info.required ? "required" : cell(value),
                        cell(std::string(key.info.help)));
  }
  return text;
}

}  // namespace

std::string key_reference() {
  return table("The config", arch_keys()) + "\n" + table("Each entry of `pipes`", pipe_keys()) +
         "\n" + table("Each entry of `classes`", class_keys());
}

}  // namespace smsim::config
