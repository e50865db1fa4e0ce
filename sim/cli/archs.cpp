// SPDX-License-Identifier: MIT
// smsim archs: the configs there are, and every number of one with its unit, status and source.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"
#include "report/layout.hpp"
#include "smsim/arch.hpp"

namespace smsim::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kExamples =
    "Examples:\n"
    "  smsim archs                      names and what they stand for\n"
    "  smsim archs hopper-gh100         every number, how it is known and from where\n"
    "  smsim archs sm_86 --format json\n"
    "  smsim archs mine.yaml            checks a config of your own";

struct ArchsWords {
  std::string name;
  std::string format = "text";
  std::vector<std::string> overrides;
};

const char* name_of_status(Status status) {
  switch (status) {
    case Status::measured:
      return "measured";
    case Status::published:
      return "published";
    case Status::fitted:
      return "fitted";
    case Status::overridden:
      return "overridden";
    default:
      return "assumed";
  }
}

std::string aliases(const Arch& arch) {
  std::string text;
  for (const int sm : arch.compute_capabilities)
    text += fmt::format("{}sm_{}", text.empty() ? "" : ", ", sm);
  return text;
}

Json summary_json(const Arch& arch) {
  return {{"name", arch.name},
          {"title", arch.title},
          {"compute_capabilities", arch.compute_capabilities}};
}

std::string dumped(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Expected<std::string> list_all(bool as_json) {
  std::string text;
  Json list = Json::array();
  for (const std::string& name : list_archs()) {
    const auto arch = load_arch(name);
    if (!arch) return tl::make_unexpected(arch.error());
    list.push_back(summary_json(*arch));
    text += fmt::format("{:<18}  {:<22}  {}\n", arch->name, aliases(*arch), arch->title);
  }
  return as_json ? dumped({{"schema_version", 1}, {"archs", std::move(list)}}) : text;
}

/// `key  value unit  status  source`, the source wrapped under itself.
std::string parameter_text(const Parameter& parameter, std::size_t key_columns) {
  const std::string value = parameter.value + (parameter.unit.empty() ? "" : " " + parameter.unit);
  std::string line = fmt::format(
      "  {}  {}  {:<10}  ", report::pad_right(parameter.key, key_columns),
      report::pad_right(report::printable(value), 14), name_of_status(parameter.status));
  const std::string indent(report::columns(line), ' ');
  const std::size_t room = indent.size() + 30 < 100 ? 100 - indent.size() : 30;
  std::string text;
  for (const std::string& part : report::wrap(report::printable(parameter.source), room)) {
    text += (text.empty() ? line : indent) + part;
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string text_of(const Arch& arch) {
  std::string text = fmt::format("{}: {} ({})\n\n", arch.name, arch.title, aliases(arch));
  std::size_t key_columns = 0;
  for (const Parameter& one : arch.parameters) key_columns = std::max(key_columns, one.key.size());
  for (const Parameter& one : arch.parameters)
    text += parameter_text(one, std::min<std::size_t>(key_columns, 44));
  return text;
}

std::string json_of(const Arch& arch) {
  Json document = {{"schema_version", 1}};
  document.update(summary_json(arch));
  document["parameters"] = Json::array();
  for (const Parameter& one : arch.parameters) {
    document["parameters"].push_back({{"key", one.key},
                                      {"value", one.value},
                                      {"unit", one.unit},
                                      {"status", name_of_status(one.status)},
                                      {"source", one.source},
                                      {"help", one.help}});
  }
  return dumped(document);
}

Expected<std::string> show(const ArchsWords& words) {
  const bool as_json = words.format == "json";
  if (words.name.empty()) return list_all(as_json);
  const auto overrides = parse_overrides(words.overrides);
  if (!overrides) return tl::make_unexpected(overrides.error());
  return load_arch(words.name, *overrides).map([&](const Arch& arch) {
    return as_json ? json_of(arch) : text_of(arch);
  });
}

int archs(const ArchsWords& words) {
  const auto text = show(words);
  return text ? emit(*text, "", words.name) : report(text.error());
}

}  // namespace

Command add_archs(CLI::App& app) {
  auto words = std::make_shared<ArchsWords>();
  CLI::App* command =
      app.add_subcommand("archs", "architecture configs, and every number of one with its source");
  command->footer(kExamples);
  command->add_option("NAME", words->name, "config name, sm_NN or FILE.yaml")->type_name("");
  command->add_option("--set", words->overrides, "key=value of the config (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--format", words->format, "text (default) or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  return {command, [words] { return archs(*words); }};
}

}  // namespace smsim::cli
