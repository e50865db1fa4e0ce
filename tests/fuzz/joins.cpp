// SPDX-License-Identifier: MIT
// Control words of one file for the code of another: joined or refused. A line of '=' parts the
// two.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "smsim/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kParting = "\n====\n";
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t middle = bytes.find(kParting);
  if (middle == bytes.npos) return 0;
  auto code = smsim::read_program_text(bytes.substr(0, middle), "code");
  const auto control = smsim::read_program_text(bytes.substr(middle + kParting.size()), "control");
  if (!code || !control) return 0;
  const auto joined = smsim::join_control(*code, *control);
  if (!joined && joined.error().empty()) std::abort();
  if (!joined) return 0;
  for (const smsim::Function& function : code->functions) {
    if (function.instructions.empty()) std::abort();
    (void)smsim::find_loops(function);
  }
  return 0;
}
