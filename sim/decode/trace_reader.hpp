// SPDX-License-Identifier: MIT
// Traces of Accel-Sim (.traceg) to a Program: the code that they show, and what each warp did.
#pragma once

#include <string>
#include <string_view>

#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"

namespace smsim::decode {

/// Whether a text begins as a trace does.
bool is_trace(std::string_view text);

/// Reads one kernel's trace, as versions 2 to 5 of the tracer write it. The function has no control
/// words, and of the operands only registers: predicates, uniform registers, constants and all but
/// one destination are not in a trace. Targets of branches are what came next. Errors: bad_input.
Expected<Program> read_trace(std::string_view text, const std::string& source);

/// Whether a text is a kernelslist: names of traces and copies of memory, one a line.
bool is_trace_list(std::string_view text);

/// The names of the traces that a kernelslist launches, in order.
std::vector<std::string> traces_of(std::string_view list);

}  // namespace smsim::decode
