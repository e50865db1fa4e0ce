// SPDX-License-Identifier: MIT
// A text that is said to be in some notation is read in that one or refused: the first byte
// chooses.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "smsim/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kNotations[] = {"disassembly", "cuasm",    "maxas",
                                             "turingas",    "kepleras", "yaml"};
  if (size == 0) return 0;
  const std::string_view notation = kNotations[data[0] % std::size(kNotations)];
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto program = smsim::read_program_text(text, "fuzz", notation);
  if (!program) {
    if (program.error().empty() || program.error().front().message.empty()) std::abort();
    return 0;
  }
  if (program->functions.empty()) std::abort();
  // What was written reads back in the notation that it was written in.
  for (const char* to : {"cuasm", "maxas", "turingas", "kepleras", "yaml"}) {
    const auto written = smsim::write_program(*program, to);
    if (written) (void)smsim::read_program_text(*written, "fuzz", to);
  }
  return 0;
}
