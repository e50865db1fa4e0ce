// SPDX-License-Identifier: MIT
// Whatever bytes come in, a reader gives a program that can be walked, checked and written, or says
// what is wrong.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "optimize/hazards.hpp"
#include "smsim/read.hpp"

namespace {

const smsim::Arch& hopper() {
  static const auto arch = smsim::load_arch("hopper-gh100");
  if (!arch) std::abort();
  return *arch;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto program = smsim::read_program_text(bytes, "fuzz");
  if (!program) {
    // A refusal without a reason is a fault too.
    if (program.error().empty() || program.error().front().message.empty()) std::abort();
    return 0;
  }
  if (program->functions.empty()) std::abort();
  for (const smsim::Function& function : program->functions) {
    if (function.instructions.empty()) std::abort();
    (void)smsim::find_loops(function);
    (void)smsim::optimize::find_hazards(smsim::optimize::hazard_input(function, hopper()));
  }
  for (const char* to : {"cuasm", "maxas", "turingas", "kepleras", "yaml"}) {
    (void)smsim::write_program(*program, to);
  }
  return 0;
}
