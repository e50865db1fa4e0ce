// SPDX-License-Identifier: MIT
// Whether an iteration's way rests on branches that nobody decided and leads through a call, as
// compilers put rare slow paths.
#pragma once

#include <string>

#include "smsim/simulate.hpp"

namespace smsim::report {

/// A sentence for the top of a report; empty if there is nothing to warn of.
std::string assumed_way(const Result& result);

}  // namespace smsim::report
