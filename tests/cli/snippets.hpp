// SPDX-License-Identifier: MIT
// Small inputs for tests of the command line.
#pragma once

namespace smsim::test {

/// A loop of four instructions in bracketed notation; it does not say which architecture it is for.
inline constexpr const char* kSnippet =
    ".L_loop:\n"
    "    [B------:R-:W-:-:S04] FFMA R4, R5, R6, R4 ;\n"
    "    [B------:R-:W-:-:S04] IADD3 R8, R8, -0x1, RZ ;\n"
    "    [B------:R-:W-:Y:S13] ISETP.NE.AND P0, PT, R8, RZ, PT ;\n"
    "    [B------:R-:W-:-:S05] @P0 BRA `(.L_loop) ;\n";

}  // namespace smsim::test
