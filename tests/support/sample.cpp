// SPDX-License-Identifier: MIT
#include "support/sample.hpp"

#include <algorithm>
#include <cstdlib>

namespace smsim::test {

namespace {

std::size_t step() {
  const char* const given = std::getenv("SMSIM_SAMPLE");
  return given == nullptr ? 1 : static_cast<std::size_t>(std::max(1, std::atoi(given)));
}

}  // namespace

bool is_sampled(std::size_t index) { return index % step() == 0; }

std::size_t sampled(std::size_t items) { return (items + step() - 1) / step(); }

}  // namespace smsim::test
