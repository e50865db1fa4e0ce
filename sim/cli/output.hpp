// SPDX-License-Identifier: MIT
// Where results go: standard output or a file that appears whole or not at all; and in colour or
// not.
#pragma once

#include <optional>
#include <string>

#include "smsim/diagnostic.hpp"

namespace smsim::cli {

/// Prints the findings on standard error and returns the exit code that they ask for.
int report(const Diagnostics& diagnostics);

/// Prints `file: warning: message` on standard error.
void warn(const std::string& file, const std::string& message);

/// What emit() may not overwrite: the files that the command line names, but for the one to write.
void remember_command_line(int count, const char* const* words);

/// Writes a result to `path` (empty or "-": standard output). A regular file is written under
/// another name and then renamed, so that an old one stays until the new one is complete. Refuses
/// to overwrite a file that the command line names for something else. Returns the exit code.
int emit(const std::string& text, const std::string& path);

/// The complaint about text for a file that by its name is a binary; `how` says how to get one.
std::optional<Diagnostics> text_for_a_binary(const std::string& path, const std::string& how);

/// Whether to colour: `always`, `never`, or `auto`, which means on a terminal, not into a file, and
/// not if NO_COLOR is set or TERM is dumb.
bool wants_color(const std::string& mode, const std::string& path);

/// Whether the result goes to a terminal.
bool is_terminal(const std::string& path);

/// Columns of the terminal that standard output is, within 80 to 120; 100 for anything else.
int text_width(const std::string& path);

}  // namespace smsim::cli
