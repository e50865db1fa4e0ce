// SPDX-License-Identifier: MIT
// Lists of values on the command line: a,b,c and 1..16 and 2..32..2.
#pragma once

#include <string>
#include <vector>

#include "smsim/analysis.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim::cli {

/// Values between commas (those inside of brackets do not part); FROM..TO and FROM..TO..STEP are
/// ranges of integers. Errors: usage, naming the option.
Expected<std::vector<std::string>> parse_values(const std::string& option, const std::string& word);

/// The same for numbers of warps: each at least 1.
Expected<std::vector<int>> parse_warps(const std::string& word);

/// key=a,b,c
Expected<std::vector<SweepAxis>> parse_axes(const std::vector<std::string>& words);

}  // namespace smsim::cli
