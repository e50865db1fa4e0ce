// SPDX-License-Identifier: MIT
// The code that a command works on: a file, and another one for control words that it lacks.
#pragma once

#include <optional>
#include <string>

#include "smsim/program.hpp"

namespace smsim::cli {

inline constexpr const char* kControlHelp =
    "cubin or dump that has the control words which FILE lacks";

/// Reads `file`, and if `control` is not empty joins control words from there. Errors: those of
/// read_program and join_control; usage, where nothing is to be joined.
Expected<Program> read_input(const std::string& file, const std::string& format,
                             const std::string& control);

/// Text that was cut between two instructions looks whole. Listings of disassemblers end with what
/// goes on nowhere: what to say where the last one does not. What people write may end as it likes.
std::optional<std::string> cut_off(const Program& program);

}  // namespace smsim::cli
