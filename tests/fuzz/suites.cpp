// SPDX-License-Identifier: MIT
// Whatever stands in a suite of measured loops, it is read or the line that is wrong is named.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "validate/suite.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto suite = smsim::validate::parse_suite(text, "fuzz");
  if (!suite && suite.error().empty()) std::abort();
  return 0;
}
