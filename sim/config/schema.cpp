// SPDX-License-Identifier: MIT
// The key table as a JSON Schema, with which editors complete and check configs as they are
// written.
#include "config/schema.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "config/class_names.hpp"
#include "config/keys.hpp"
#include "config/value.hpp"

namespace smsim::config {
namespace {

using Json = nlohmann::ordered_json;

Json reference_to(const char* name) { return {{"$ref", fmt::format("#/definitions/{}", name)}}; }

/// What a value alone may be.
Json value_schema(const KeyInfo& info) {
  const Json number = {{"type", "integer"}, {"minimum", info.least}, {"maximum", info.most}};
  switch (info.kind) {
    case ValueKind::integer:
      return number;
    case ValueKind::flag:
      return {{"type", "boolean"}};
    case ValueKind::choice:
      return {{"enum", split_choices(info.choices)}};
    case ValueKind::formula:
      return {{"type", {"string", "integer", "array"}}, {"items", {{"type", "integer"}}}};
    case ValueKind::integers:
      return {{"type", "array"}, {"items", number}};
    default:
      return {{"type", "string"}, {"minLength", 1}};
  }
}

/// A number may be a triple that says how it is known; names and lists need nobody to vouch.
Json key_schema_of(const KeyInfo& info) {
  Json value = value_schema(info);
  Json schema;
  const bool vouched = info.kind != ValueKind::identity;
  if (vouched) {
    const Json triple = {{"type", "array"},
                         {"items", {value, reference_to("status"), reference_to("source")}},
                         {"minItems", 3},
                         {"maxItems", 3}};
    schema["anyOf"] = {std::move(value), triple};
  } else {
    schema = std::move(value);
  }
  std::string help(info.help);
  if (!info.unit.empty()) help += fmt::format(" ({})", info.unit);
  schema["description"] = std::move(help);
  return schema;
}

Json map_schema() {
  return {{"type", "object"},
          {"additionalProperties", false},
          {"properties", {{"status", reference_to("status")}, {"source", reference_to("source")}}}};
}

/// The keys of a map; those with a dot in a map inside it.
template <typename Owner>
Json keys_schema(std::span<const Key<Owner>> keys) {
  Json schema = map_schema();
  for (const Key<Owner>& key : keys) {
    Json* at = &schema;
    std::string_view path = key.info.path;
    for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.')) {
      Json& inner = (*at)["properties"][std::string(path.substr(0, dot))];
      if (inner.is_null()) inner = map_schema();
      at = &inner;
      path.remove_prefix(dot + 1);
    }
    (*at)["properties"][std::string(path)] = key_schema_of(key.info);
  }
  return schema;
}

}  // namespace

std::string key_schema() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "smsim config: the numbers of a device"},
                 {"description", "Made by `smsim archs --schema` from the table of config keys."}};
  schema.update(keys_schema(arch_keys()));
  Json& properties = schema["properties"];
  properties["base"] = {{"type", "string"},
                        {"description", "the config whose numbers are taken over as assumed"}};
  properties["sources"] = {{"type", "object"},
                           {"additionalProperties", {{"type", "string"}, {"minLength", 1}}},
                           {"description", "short id of a source: its text"}};
  properties["pipes"] = map_schema();
  properties["pipes"]["additionalProperties"] = reference_to("pipe");
  properties["classes"] = map_schema();
  for (const std::string& name : class_names())
    properties["classes"]["properties"][name] = reference_to("class");
  schema["definitions"] = {
      {"status",
       {{"enum", {"measured", "published", "fitted", "assumed"}},
        {"description", "how a number is known"}}},
      {"source", {{"type", "string"}, {"description", "an id of the map `sources`"}}},
      {"pipe", keys_schema(pipe_keys())},
      {"class", keys_schema(class_keys())}};
  return schema.dump(1) + "\n";
}

}  // namespace smsim::config
