// SPDX-License-Identifier: MIT
// What the parser knows of sub-commands and options, for the manual page and shell completions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace smsim::cli {

struct OptionWords {
  std::string names;                ///< as `--help` shows them: -o,--output
  std::vector<std::string> dashed;  ///< one by one
  std::string type;                 ///< OUT; empty for flags
  std::string help;
  std::vector<std::string> choices;  ///< if only these words are taken
  bool is_file = false;              ///< takes the name of a file or folder
  bool positional = false;
};

struct CommandWords {
  std::string name;
  std::string help;
  std::string examples;  ///< what stands below the options
  std::vector<OptionWords> options;
};

/// The sub-commands in the order of `smsim --help`, without options that it does not show.
std::vector<CommandWords> parser_words(CLI::App& app);

/// Threads that anybody may ask for.
inline constexpr long kMostJobs = 4096;

/// Accepts the whole numbers from `least` to `most`, in decimal. A leading zero is refused: the
/// parser would take the rest as octal.
CLI::Validator whole_number(long least, long most);

}  // namespace smsim::cli
