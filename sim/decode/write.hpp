// SPDX-License-Identifier: MIT
// A program in the notation of an assembler: what `smsim convert` prints.
#pragma once

#include <string>
#include <string_view>

#include "smsim/program.hpp"

namespace smsim::decode {

/// `to` is cuasm, maxas, turingas, kepleras or yaml. Errors: usage, for an unknown notation or one
/// that cannot say what the functions' architecture needs.
Expected<std::string> write_program(const Program& program, std::string_view to);

}  // namespace smsim::decode
