// SPDX-License-Identifier: MIT
// Time in the model: SM clock cycles from the start of the simulation.
#pragma once

#include <cstdint>

namespace smsim {

using Cycle = std::int64_t;

/// Later than anything that will happen.
inline constexpr Cycle kNever = INT64_MAX / 4;

}  // namespace smsim
