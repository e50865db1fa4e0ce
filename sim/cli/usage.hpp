// SPDX-License-Identifier: MIT
// What a mistyped command line is told: the mistake, the near word, and where the help is.
#pragma once

#include <optional>

#include "smsim/diagnostic.hpp"

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
    "Exit codes: 0 fine, 1 a difference, an unsafe code or a part that failed, 2 usage,\n"
    "65 bad input, 66 a file cannot be read or written, 70 a fault of smsim,\n"
    "78 bad architecture config. `smsim COMMAND --help` says more.";

/// The complaint about an argument that is empty, which nothing takes.
std::optional<Diagnostics> empty_word(int argc, char** argv);

/// Prints help or version if that was asked for (0), or else the mistake on stderr (2).
int explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace smsim::cli
