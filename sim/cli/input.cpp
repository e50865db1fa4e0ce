// SPDX-License-Identifier: MIT
// The code that a command works on: a file, and another one for control words that it lacks.
#include "cli/input.hpp"

#include <algorithm>

#include "smsim/read.hpp"

namespace smsim::cli {

Expected<Program> read_input(const std::string& file, const std::string& format,
                             const std::string& control) {
  auto program = read_program(file, format);
  if (!program || control.empty()) return program;
  if (std::all_of(program->functions.begin(), program->functions.end(),
                  [](const Function& one) { return one.has_control_words; })) {
    return fail(ErrorKind::usage, "--control: " + program->source + " has control words itself", {},
                "it is for nvdisasm without -hex, nvdisasm -json, and traces");
  }
  const auto source = read_program(control);
  if (!source) return tl::make_unexpected(source.error());
  if (auto joined = join_control(*program, *source); !joined) {
    return tl::make_unexpected(std::move(joined.error()));
  }
  return program;
}

}  // namespace smsim::cli
