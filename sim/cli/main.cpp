// SPDX-License-Identifier: MIT
// The program smsim: finds the sub-command that the words ask for, and runs it.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/usage.hpp"
#include "smsim/version.hpp"

namespace {

int run(int argc, char** argv) {
  using namespace smsim::cli;
  CLI::App app{kAbout, "smsim"};
  app.set_version_flag("--version", std::string("smsim ") + smsim::version());
  app.require_subcommand(1);
  app.footer(kOverview);
  const auto commands = {
      add_predict(app),  add_timeline(app), add_report(app),    add_bounds(app),
      add_graph(app),    add_what_if(app),  add_occupancy(app), add_sweep(app),
      add_merge(app),    add_loops(app),    add_archs(app),     add_convert(app),
      add_validate(app), add_accuracy(app), add_diff(app),      add_explain(app),
      add_lint(app),     add_schedule(app), add_remap(app),     add_completion(app),
  };
  remember_command_line(argc, argv);
  if (const auto empty = empty_word(argc, argv)) return report(*empty);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return kUsageError;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "smsim: internal error: " << error.what() << "\nhint: this is a fault of smsim\n";
    return 70;
  }
}
