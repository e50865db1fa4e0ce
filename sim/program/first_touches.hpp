// SPDX-License-Identifier: MIT
// First touches: in which iterations of a loop a global load reads memory that the loop has not
// read before, as the function's own address arithmetic tells.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "program/path.hpp"
#include "smsim/program.hpp"

namespace smsim::program {

/// One element an iteration, to be repeated for ever; empty: never, or nothing is known of it.
using TouchPattern = std::vector<std::uint8_t>;

/// For each step of the path. One warp is followed through the iterations that a measurement of
/// cycles looks at (64 to 320, fewer if they are long), from an empty cache without limits, with
/// addresses that are right up to where each array starts. `lane_strides` are bytes between two
/// lanes' addresses by address register, where the listing does not say. A store takes what it
/// writes out of the cache (H200: a load of it takes as long as one that misses).
std::vector<TouchPattern> first_touches(const Function& function, const Path& path,
                                        const std::map<int, int>& lane_strides);

}  // namespace smsim::program
