// SPDX-License-Identifier: MIT
// What the library says when input is wrong: place, message and a hint, collected instead of
// thrown.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace smsim {

enum class Severity : std::uint8_t { note, warning, error };

/// What kind of mistake it is; the command line turns it into its exit code.
enum class ErrorKind : std::uint8_t {
  usage,      ///< the request does not fit the input (no such function, loop, option): exit code 2
  bad_input,  ///< the program text is malformed or asks for what the model cannot run: exit code 65
  no_file,    ///< a file cannot be opened: exit code 66
  internal,   ///< our own fault: exit code 70
  bad_config  ///< an architecture file or an override is wrong: exit code 78
};

/// A place in an input. Lines and columns count from 1; 0 means unknown.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// One finding. Printed as `file:line:col: error: message`, the excerpt with a caret, then the
/// hint.
struct Diagnostic {
  Severity severity = Severity::error;
  ErrorKind kind = ErrorKind::bad_input;
  std::string message;
  SourceLocation where;
  std::string excerpt;  ///< the source line, without its line end; may be empty
  std::string hint;     ///< what to do about it; may be empty
};

using Diagnostics = std::vector<Diagnostic>;

/// A value, or everything that was wrong.
template <typename T>
using Expected = tl::expected<T, Diagnostics>;

/// The diagnostic in compiler style, with a line end after each part.
std::string to_string(const Diagnostic& diagnostic);

/// All of them, in order.
std::string to_string(const Diagnostics& diagnostics);

/// The process exit code that the worst of them asks for (see ErrorKind).
int exit_code(const Diagnostics& diagnostics);

/// A failed Expected with a single diagnostic.
tl::unexpected<Diagnostics> fail(ErrorKind kind, std::string message, SourceLocation where = {},
                                 std::string hint = {}, std::string excerpt = {});

}  // namespace smsim
