// SPDX-License-Identifier: MIT
// Input of the assemblers maxas, turingas and KeplerAs: line by line to bracketed notation.
#pragma once

#include <string>
#include <string_view>

#include "decode/dialect.hpp"
#include "smsim/program.hpp"

namespace smsim::decode {

/// Reads what the assemblers make of their own macros; embedded Perl or Python is refused. Code
/// that names no architecture is for the one that the assembler writes by default.
Expected<Program> read_assembler(Dialect dialect, std::string_view text, const std::string& source);

}  // namespace smsim::decode
