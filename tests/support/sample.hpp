// SPDX-License-Identifier: MIT
// How much of a long walk over dumps, suites or random loops a test run looks at.
#pragma once

#include <cstddef>

namespace smsim::test {

/// Whether this item of a walk is looked at: each, or with SMSIM_SAMPLE=n each n-th, the first
/// among them. Runs under sanitizers set it: there one item in a few goes through the same code.
bool is_sampled(std::size_t index);

/// How many of so many items that is.
std::size_t sampled(std::size_t items);

}  // namespace smsim::test
