// SPDX-License-Identifier: MIT
// Stamped kernel: what stands behind a loop whose time stamps were measured.
#include "validate/stamped_kernel.hpp"

#include <fmt/format.h>

#include <string>

#include "issue/warp_start.hpp"
#include "smsim/read.hpp"

namespace smsim::validate {

/// As the kit assembles it: the clock behind the loop, the stamps' addresses, a store a stamp, and
/// the two clocks around the loop.
Expected<Program> code_behind_loop(const Arch& arch, std::size_t stamps) {
  if (!WarpStart::behind_barrier(arch.scheduler)) return Program{};
  std::string text =
      "    [B012345:R-:W-:-:S08] CS2R R10, SR_CLOCKLO ;\n"
      "    [B------:R-:W-:-:S08] IMAD.WIDE R12, R0, 0x100, R6 ;\n"
      "    [B------:R-:W-:-:S10] NOP ;\n";
  for (std::size_t i = 0; i < stamps; ++i)
    text += fmt::format("    [B------:R-:W-:-:S04] STG.E.64 desc[UR4][R12.64+0x{:x}], R{} ;\n",
                        8 * i, 40 + 2 * i);
  text +=
      "    [B------:R-:W-:-:S10] NOP ;\n"
      "    [B------:R-:W-:-:S01] STG.E.128 desc[UR4][R2.64], R8 ;\n"
      "    [B------:R-:W-:-:S05] EXIT ;\n";
  return read_program_text(text, "behind the loop");
}

}  // namespace smsim::validate
