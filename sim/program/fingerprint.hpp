// SPDX-License-Identifier: MIT
// Fingerprint: whether a function's code is still what it was, control words apart.
#pragma once

#include <cstdint>

#include "smsim/program.hpp"

namespace smsim::program {

/// Of all that the instructions say but their control words and lines. Equal code has equal
/// fingerprints; that other code has the same one is as likely as 1 in 2^64.
std::uint64_t fingerprint(const Function& function);

}  // namespace smsim::program
