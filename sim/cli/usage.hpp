// SPDX-License-Identifier: MIT
// What a mistyped command line is told: the mistake, the near word, and where the help is.
#pragma once

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace smsim::cli {

inline constexpr int kUsageError = 2;

inline constexpr const char* kAbout =
    "Predicts cycles per iteration of a loop of SASS on one SM, and accounts for every issue slot.";

inline constexpr const char* kOverview =
    "Examples:\n"
    "  cuobjdump -sass app | smsim predict -      the largest loop of the first kernel\n"
    "  smsim predict kernel.sass --warps 16       with 16 warps on the SM\n"
    "  smsim loops kernel.sass                    what functions and loops there are\n"
    "  smsim archs hopper-gh100                   every number of a model, with its source\n"
    "\n"
    "Exit codes: 0 fine, 2 usage, 65 bad input, 66 a file cannot be read or written,\n"
    "70 a fault of smsim, 78 bad architecture config. `smsim COMMAND --help` says more.";

/// Prints help or version if that was asked for (0), or else the mistake on stderr (2).
int explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace smsim::cli
