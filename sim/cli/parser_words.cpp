// SPDX-License-Identifier: MIT
// What the parser knows of sub-commands and options, for the manual page and shell completions.
#include "cli/parser_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <string_view>

#include "core/number.hpp"

namespace smsim::cli {
namespace {

/// Words that say what they are no good for themselves, so that no validator knows them.
const std::vector<std::string> kNotations{"cuasm", "maxas", "turingas", "kepleras", "yaml"};

/// `{text,json}`, as CLI::IsMember describes itself, as words.
std::vector<std::string> choices_of(CLI::Option& option) {
  if (option.check_lname("to") || option.check_lname("input-format")) return kNotations;
  std::string list;
  try {
    list = option.get_validator(0)->get_description();
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
  if (list.size() < 2 || list.front() != '{' || list.back() != '}') return {};
  std::vector<std::string> words(1);
  for (const char c : list.substr(1, list.size() - 2)) {
    if (c == ',')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

OptionWords words_of(CLI::Option& option) {
  OptionWords words;
  words.names = option.get_name(true, true);
  for (const std::string& name : option.get_snames()) words.dashed.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.dashed.push_back("--" + name);
  words.positional = words.dashed.empty();
  if (option.get_items_expected_max() > 0 && !words.positional) words.type = option.get_type_name();
  words.help = option.get_description();
  words.choices = choices_of(option);
  constexpr std::array<std::string_view, 4> kFiles{"FILE", "OUT", "DIR", "CUBIN"};
  words.is_file = std::find(kFiles.begin(), kFiles.end(), words.type) != kFiles.end();
  return words;
}

std::string misfit(const std::string& word, long least, long most) {
  const std::string_view digits = std::string_view(word).substr(word.starts_with('-') ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos)
    return fmt::format("'{}' is not a whole number", word);
  if (digits.size() > 1 && digits.front() == '0')
    return fmt::format("'{}' begins with a zero, which some read as octal", word);
  if (const auto value = parse_number<long>(word); value && least <= *value && *value <= most)
    return "";
  if (most >= INT_MAX) return fmt::format("'{}' is not a number of at least {}", word, least);
  return fmt::format("'{}' is not a number from {} to {}", word, least, most);
}

}  // namespace

CLI::Validator whole_number(long least, long most) {
  return CLI::Validator(
      [least, most](const std::string& word) { return misfit(word, least, most); }, "");
}

std::vector<CommandWords> parser_words(CLI::App& app) {
  std::vector<CommandWords> all;
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    CommandWords words{command->get_name(), command->get_description(), command->get_footer(), {}};
    for (CLI::Option* option : command->get_options())
      if (!option->get_group().empty()) words.options.push_back(words_of(*option));
    all.push_back(std::move(words));
  }
  return all;
}

}  // namespace smsim::cli
