// SPDX-License-Identifier: MIT
// smsim archs: the configs there are, and every number of one with its unit, status and source.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"
#include "config/provenance.hpp"
#include "config/schema.hpp"
#include "report/document.hpp"
#include "report/layout.hpp"
#include "smsim/arch.hpp"

namespace smsim::cli {
namespace {

using report::Json;

constexpr const char* kArchsExamples =
    "Examples:\n"
    "  smsim archs                      names and what they stand for\n"
    "  smsim archs hopper-gh100         every number, how it is known and from where\n"
    "  smsim archs sm_86 --format json\n"
    "  smsim archs mine.yaml            checks a config of your own\n"
    "  smsim archs --schema             for an editor that checks it while you write";

struct ArchsWords {
  std::string name;
  std::string format = "text";
  std::vector<std::string> overrides;
  bool schema = false;
};

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

/// `start` and then a long text, wrapped under itself at 100 columns.
std::string with_tail(const std::string& start, const std::string& tail) {
  constexpr std::size_t kWidth = 100;
  constexpr std::size_t kLeast = 30;
  const std::string indent(report::columns(start), ' ');
  const std::size_t room = indent.size() + kLeast < kWidth ? kWidth - indent.size() : kLeast;
  std::string text;
  for (const std::string& part : report::wrap(report::printable(tail), room)) {
    text += (text.empty() ? start : indent) + part;
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

Expected<std::string> list_all(bool as_json) {
  std::string text;
  Json list = Json::array();
  for (const std::string& name : list_archs()) {
    const auto arch = load_arch(name);
    if (!arch) return tl::make_unexpected(arch.error());
    list.push_back(summary_json(*arch));
    text += with_tail(fmt::format("{:<16}  {:<15}  ", arch->name, aliases(*arch)), arch->title);
  }
  return as_json ? report::document_text({{"schema_version", 1}, {"archs", std::move(list)}})
                 : text;
}

/// Sources by the number under which the table names them.
class Footnotes {
 public:
  std::size_t number(const std::string& source) {
    const auto at = std::find(sources_.begin(), sources_.end(), source);
    if (at != sources_.end()) return static_cast<std::size_t>(at - sources_.begin()) + 1;
    sources_.push_back(source);
    return sources_.size();
  }

  std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      text += with_tail(fmt::format("  {:>5} ", fmt::format("[{}]", i + 1)), sources_[i]);
    }
    return text;
  }

 private:
  std::vector<std::string> sources_;
};

std::string value_with_unit(const Parameter& parameter) {
  const std::string unit = parameter.unit.empty() ? "" : " " + parameter.unit;
  return report::printable(parameter.value + unit);
}

/// A line a number, its source as a footnote.
std::string text_of(const Arch& arch) {
  constexpr std::size_t kMostKey = 52;
  constexpr std::size_t kMostValue = 26;
  std::size_t key = 0;
  std::size_t value = 0;
  for (const Parameter& one : arch.parameters) {
    key = std::clamp(report::columns(one.key), key, kMostKey);
    value = std::clamp(report::columns(value_with_unit(one)), value, kMostValue);
  }
  Footnotes notes;
  std::string text = fmt::format("{}: {} ({})\n\n", arch.name, arch.title, aliases(arch));
  for (const Parameter& one : arch.parameters) {
    text += fmt::format("  {}  {}  {:<10}  [{}]\n", report::pad_right(one.key, key),
                        report::pad_right(value_with_unit(one), value), config::name_of(one.status),
                        notes.number(report::printable(one.source)));
  }
  return text + "\nSources\n" + notes.text();
}

std::string json_of(const Arch& arch) {
  Json document = {{"schema_version", 1}};
  document.update(summary_json(arch));
  document["parameters"] = Json::array();
  for (const Parameter& one : arch.parameters) {
    document["parameters"].push_back({{"key", one.key},
                                      {"value", one.value},
                                      {"unit", one.unit},
                                      {"status", config::name_of(one.status)},
                                      {"source", one.source},
                                      {"help", one.help}});
  }
  return report::document_text(document);
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
  if (words.schema) return emit(config::key_schema(), "");
  const auto text = show(words);
  return text ? emit(*text, "") : report(text.error());
}

}  // namespace

Command add_archs(CLI::App& app) {
  auto words = std::make_shared<ArchsWords>();
  CLI::App* command =
      app.add_subcommand("archs", "architecture configs, and every number of one with its source");
  command->footer(kArchsExamples);
  command->add_option("NAME", words->name, "config name, sm_NN or FILE.yaml")->type_name("");
  command->add_option("--set", words->overrides, "key=value of the config (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--format", words->format, "text (default) or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  command->add_flag("--schema", words->schema,
                    "the JSON Schema of config files, which editors complete and check with");
  return {command, [words] { return archs(*words); }};
}

}  // namespace smsim::cli
