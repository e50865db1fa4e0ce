// SPDX-License-Identifier: MIT
// Text of a disassembler, or bracketed control notation, to a Program: line by line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"

namespace smsim::decode {

/// Reads text that has been found to be text. Line ends may be those of Windows. `sm` is the
/// architecture of code that names none itself, 0 if nobody knows. `done` hears of parts that will
/// not be looked at again. Of very long texts the program does not keep the lines.
Expected<Program> read_text(std::string_view text, const std::string& source, int sm = 0,
                            const std::function<void(std::string_view)>& done = {});

}  // namespace smsim::decode
