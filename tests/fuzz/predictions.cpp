// SPDX-License-Identifier: MIT
// What a reader lets through, every command can take: simulation, lint, schedule and remap end,
// with figures or with a reason.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "smsim/arch.hpp"
#include "smsim/lint.hpp"
#include "smsim/read.hpp"
#include "smsim/remap.hpp"
#include "smsim/simulate.hpp"

namespace {

template <typename Result>
void check(const Result& result) {
  if (!result && (result.error().empty() || result.error().front().message.empty())) std::abort();
}

const smsim::Arch& arch_for(int sm) {
  static const auto maxwell = smsim::load_arch("sm_52");
  static const auto volta = smsim::load_arch("sm_70");
  static const auto hopper = smsim::load_arch("sm_90");
  if (!maxwell || !volta || !hopper) std::abort();
  if (sm < 70) return *maxwell;
  return sm < 80 ? *volta : *hopper;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto program = smsim::read_program_text(bytes, "fuzz");
  if (!program) return 0;
  smsim::SimulateOptions options;
  options.warps = 3;
  options.max_iterations = 8;
  options.unknown_pipe = "alu";
  const smsim::Arch& arch = arch_for(program->functions.front().sm);
  check(smsim::simulate(*program, arch, options));
  check(smsim::remap(*program, arch, options, {0, 0.01}));
  smsim::LintOptions lint;
  lint.arch = arch.name;
  check(smsim::lint(*program, lint));
  smsim::ScheduleOptions schedule;
  schedule.arch = arch.name;
  schedule.warps = 2;
  check(smsim::schedule(*program, schedule));
  return 0;
}
