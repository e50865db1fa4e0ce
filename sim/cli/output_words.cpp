// SPDX-License-Identifier: MIT
// The words on output that analyses share: --format, -o, --color.
#include "cli/output_words.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/output.hpp"

namespace smsim::cli {

void add_output_options(CLI::App& app, OutputWords& words,
                        const std::vector<std::string>& formats) {
  words.format = formats.front();
  std::string help = formats.front() + " (default)";
  for (std::size_t i = 1; i < formats.size(); ++i)
    help += (i + 1 == formats.size() ? " or " : ", ") + formats[i];
  app.add_option("--format", words.format, help)
      ->check(CLI::IsMember(formats))
      ->type_name("FORMAT");
  app.add_option("-o,--output", words.out, "writes a file, which appears whole or not at all")
      ->type_name("OUT");
  app.add_option("--color", words.color, "auto (default), always or never; auto heeds NO_COLOR")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
}

TextOptions text_options(const OutputWords& words) {
  return {wants_color(words.color, words.out), text_width(words.out), is_terminal(words.out)};
}

}  // namespace smsim::cli
