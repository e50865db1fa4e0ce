// SPDX-License-Identifier: MIT
// Random loops with valid control codes, as tight as their latencies allow.
#pragma once

#include <random>
#include <string>

#include "smsim/arch.hpp"

namespace smsim::test {

struct RandomCode {
  std::string text;  ///< bracketed notation, for sm_90
};

/// A loop of 10 to 40 instructions on about 40 registers. `whole`: a kernel with values set before
/// the loop and stored behind it; else the bare loop, whose surroundings are not seen.
RandomCode random_code(const Arch& arch, std::mt19937& random, bool whole);

}  // namespace smsim::test
