// SPDX-License-Identifier: MIT
// smsim completion: what a shell needs to complete sub-commands, options and their words; and the
// manual page. Both are made of what the parser knows, so they cannot go stale.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/parser_words.hpp"
#include "cli/usage.hpp"
#include "smsim/version.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kCompletionExamples =
    "Examples:\n"
    "  source <(smsim completion bash)        in ~/.bashrc\n"
    "  smsim completion zsh > DIR/_smsim      with DIR in $fpath\n"
    "  smsim completion fish | source         in config.fish\n"
    "  smsim completion man | man -l -        the manual page";

using Commands = std::vector<CommandWords>;

std::string names_of(const Commands& commands) {
  std::string text;
  for (const CommandWords& one : commands) text += (text.empty() ? "" : " ") + one.name;
  return text;
}

std::string dashed_of(const CommandWords& command) {
  std::string text;
  for (const OptionWords& option : command.options)
    for (const std::string& name : option.dashed) text += (text.empty() ? "" : " ") + name;
  return text;
}

/// `predict,--format) words='text json csv' ;;`
std::string choice_cases(const Commands& commands) {
  std::string text;
  for (const CommandWords& command : commands)
    for (const OptionWords& option : command.options) {
      if (option.choices.empty()) continue;
      // what stands behind the sub-command itself is its first positional
      const auto names = option.positional ? std::vector<std::string>{command.name} : option.dashed;
      for (const std::string& name : names)
        text += fmt::format("    {},{}) words='{}' ;;\n", command.name, name,
                            fmt::join(option.choices, " "));
    }
  return text;
}

/// `predict,--warps | predict,--set) COMPREPLY=(); return ;;`: words that nobody can guess, and
/// that no file is named after.
std::string free_words(const Commands& commands) {
  std::string patterns;
  for (const CommandWords& command : commands)
    for (const OptionWords& option : command.options)
      for (const std::string& name : option.dashed)
        if (!option.type.empty() && option.choices.empty() && !option.is_file)
          patterns += fmt::format("{}{},{}", patterns.empty() ? "" : " | ", command.name, name);
  return fmt::format("    {}) COMPREPLY=(); return ;;\n", patterns);
}

std::string bash(const Commands& commands) {
  std::string options;
  for (const CommandWords& command : commands)
    options += fmt::format("    {}) words='{}' ;;\n", command.name, dashed_of(command));
  return "# bash completion of smsim; made by: smsim completion bash\n"
         "_smsim() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=''\n"
         "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
         "    COMPREPLY=($(compgen -W '" +
         names_of(commands) +
         " --help --version' -- \"$cur\"))\n"
         "    return\n"
         "  fi\n"
         "  case \"${COMP_WORDS[1]},$prev\" in\n"
         "    *,--arch | *,--banks-of | archs,archs) words=$(smsim archs 2>/dev/null | awk "
         "'/^[a-z]/ { print $1 }') ;;\n"
         "    explain,explain) words=$(smsim explain --words 2>/dev/null) ;;\n" +
         choice_cases(commands) + free_words(commands) +
         "  esac\n"
         "  if [[ -z $words && $cur == -* ]]; then\n"
         "    case ${COMP_WORDS[1]} in\n" +
         options +
         "    esac\n"
         "  fi\n"
         "  if [[ -n $words ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -- \"$cur\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _smsim smsim\n";
}

/// zsh runs the same function.
std::string zsh(const Commands& commands) {
  return "#compdef smsim\n# made by: smsim completion zsh\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash(commands);
}

std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("'\\", at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

std::string fish(const Commands& commands) {
  std::string text = "# fish completion of smsim; made by: smsim completion fish\n";
  for (const CommandWords& command : commands)
    text += fmt::format("complete -c smsim -n __fish_use_subcommand -f -a {} -d '{}'\n",
                        command.name, quoted(command.help));
  for (const CommandWords& command : commands)
    for (const OptionWords& option : command.options) {
      if (option.positional) continue;
      text += fmt::format("complete -c smsim -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& name : option.dashed)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      const auto takes = [&](const char* name) {
        return std::find(option.dashed.begin(), option.dashed.end(), name) != option.dashed.end();
      };
      if (takes("--arch") || takes("--banks-of"))
        text +=
            " -x -a \"(smsim archs 2>/dev/null | awk '/^[a-z]/ { print \\$1 }'; "
            "__fish_complete_suffix .yaml)\"";
      else if (!option.choices.empty())
        text += fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
      else if (!option.type.empty())
        text += option.is_file ? " -r" : " -x";
      text += fmt::format(" -d '{}'\n", quoted(option.help));
    }
  return text;
}

/// Text of a manual page: no line begins a request, and a minus is a minus.
std::string roff(const std::string& text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    at_start = c == '\n';
  }
  return out;
}

std::string manual_of(const CommandWords& command) {
  std::string text = fmt::format(".SS {}\n{}.\n", command.name, roff(command.help));
  for (const OptionWords& option : command.options)
    text += fmt::format(".TP\n.B {}{}\n{}\n", roff(option.names),
                        option.type.empty() ? "" : " " + roff(option.type), roff(option.help));
  if (!command.examples.empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.examples));
  return text;
}

std::string man(const Commands& commands) {
  std::string text = fmt::format(
      ".\\\" made by: smsim completion man\n.TH SMSIM 1 \"\" \"smsim {}\" \"User Commands\"\n"
      ".SH NAME\nsmsim \\- cycles per iteration of a loop of NVIDIA SASS, without a GPU\n"
      ".SH SYNOPSIS\n.B smsim\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n"
      ".SH DESCRIPTION\n{}\n.SH COMMANDS\n",
      version(), roff(kAbout));
  for (const CommandWords& command : commands) text += manual_of(command);
  return text +
         ".SH EXIT STATUS\n0 fine, 1 a difference or an unsafe control code was found, 2 usage, 65 "
         "bad input, 66 no such file, 70 a fault of smsim, 78 bad config.\n"
         ".SH ENVIRONMENT\n.TP\n.B SMSIM_CONFIG_PATH\nfolders with configs, separated by colons, "
         "looked at before those that came with smsim\n.TP\n.B NO_COLOR\nno colours on a "
         "terminal\n";
}

std::string completion(const std::string& shell, const Commands& commands) {
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  return shell == "fish" ? fish(commands) : man(commands);
}

}  // namespace

Command add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "completion", "what a shell completes smsim's words with; the manual page");
  command->footer(kCompletionExamples);
  command->add_option("SHELL", *shell, "bash, zsh, fish, or man for the manual page")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish", "man"}))
      ->type_name("");
  return {command, [shell, &app] { return emit(completion(*shell, parser_words(app)), ""); }};
}

}  // namespace smsim::cli
