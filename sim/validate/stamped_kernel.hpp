// SPDX-License-Identifier: MIT
// Stamped kernel: what stands behind a loop whose time stamps were measured.
#pragma once

#include <cstddef>

#include "smsim/arch.hpp"
#include "smsim/program.hpp"

namespace smsim::validate {

/// From the loop's end to the kernel's, with so many stamps to store; the program has no function
/// where nobody knows what the architecture's loops were measured in.
Expected<Program> code_behind_loop(const Arch& arch, std::size_t stamps);

}  // namespace smsim::validate
