// SPDX-License-Identifier: MIT
// Loops as YAML, `format: smsim-loop/1`: for tests, teaching and programs that write loops.
#pragma once

#include <string>
#include <string_view>

#include "smsim/program.hpp"

namespace smsim::decode {

/// The body's lines are bracketed notation and keep their places in the file for diagnostics.
Expected<Program> read_yaml_loop(std::string_view text, const std::string& source);

}  // namespace smsim::decode
