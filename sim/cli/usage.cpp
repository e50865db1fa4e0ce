// SPDX-License-Identifier: MIT
// What a mistyped command line is told: the mistake, the near word, and where the help is.
#include "cli/usage.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>
#include <sstream>

#include "cli/output.hpp"
#include "core/nearest.hpp"

namespace smsim::cli {
namespace {

/// The parser of the sub-command that was named, or the whole program's.
const CLI::App& active(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

/// The first word that nobody took; one with a dash before others.
std::string stray_word(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  const auto dashed = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.size() > 1 && word.front() == '-';
  });
  if (dashed != words.end()) return *dashed;
  return words.empty() ? std::string() : words.front();
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::string near(const std::string& word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return nearest_name(word, views);
}

struct Mistake {
  std::string message;
  std::string near;
};

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  if (begin == text.npos) return "";
  const std::size_t end = text.find(to, begin + from.size());
  return end == text.npos ? "" : text.substr(begin + from.size(), end - begin - from.size());
}

/// What the parser of the command line says of a value, in words for people.
Mistake of_value(const std::string& raw) {
  if (const std::string option = between(raw, "Could not convert: ", " = "); !option.empty())
    return {fmt::format("{}: '{}' is not a number that it takes", option,
                        raw.substr(raw.find(" = ") + 3)),
            ""};
  const std::string option = raw.substr(0, raw.find(": "));
  if (raw.find(" required ") != raw.npos && raw.ends_with(" missing"))
    return {fmt::format("{} needs a value", option), ""};
  if (raw.find("At Most 1 required") != raw.npos)
    return {fmt::format("{} is given more than once", option), ""};
  if (const std::string range = between(raw + "\n", " not in range ", "\n"); !range.empty()) {
    constexpr std::size_t kLongestBound =
        24;  // behind it there is no bound, but the largest double
    const std::size_t to = range.find(" to ");
    const bool open = to != range.npos && range.size() - to > kLongestBound;
    return {fmt::format("{}: '{}' is not a number {} {}", option,
                        between(raw, "Value ", " not in range "), open ? "of at least" : "from",
                        open ? range.substr(0, range.find_first_of(". ")) : range),
            ""};
  }
  if (const std::string list = between(raw, " not in {", "}"); !list.empty()) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      names.push_back(list.substr(at, end - at));
      at = end + 1;
    }
    const std::string word = between(raw, ": ", " not in {");
    return {fmt::format("{}: '{}' is none of {}", option, word, fmt::join(names, ", ")),
            near(word, names)};
  }
  return {raw, ""};
}

Mistake find_mistake(const CLI::App& app, const CLI::ParseError& error) {
  const std::string word = stray_word(app);
  const bool no_command = app.get_subcommands().empty();
  if (word.empty())
    return no_command ? Mistake{"a sub-command is required", ""} : of_value(error.what());
  if (word.front() == '-' && word.size() > 1) {
    const std::string name = word.substr(0, word.find('='));
    return {fmt::format("unknown option '{}'", name), near(name, options_of(active(app)))};
  }
  if (no_command)
    return {fmt::format("unknown sub-command '{}'", word), near(word, commands_of(app))};
  return {fmt::format("unexpected argument '{}'", word), ""};
}

std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::optional<Diagnostics> empty_word(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (*argv[i] != '\0') continue;
    const std::string before = argv[i - 1];
    const bool option = i > 1 && before.size() > 1 && before.front() == '-';
    return fail(ErrorKind::usage,
                option ? fmt::format("{}: the value is empty", before)
                       : std::string("an argument is empty"),
                {}, "is a variable of the shell not set?")
        .value();
  }
  return std::nullopt;
}

int explain(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    std::ostringstream help;
    app.exit(error, help, help);
    return emit(help.str(), "");
  }
  const CLI::App& command = active(app);
  const bool no_command = &command == &app;
  const Mistake mistake = find_mistake(app, error);
  std::cerr << "smsim: error: " << mistake.message << '\n';
  if (!mistake.near.empty()) std::cerr << "hint: did you mean '" << mistake.near << "'?\n";
  if (no_command) {
    std::cerr << "hint: sub-commands are " << join(commands_of(app))
              << "; `smsim --help` says more\n";
  } else {
    std::cerr << "hint: `smsim " << command.get_name() << " --help` lists its options\n";
  }
  return kUsageError;
}

}  // namespace smsim::cli
