// SPDX-License-Identifier: MIT
// Short texts to read, and the programs or errors that come of them.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "smsim/read.hpp"

namespace smsim::test {

inline const std::string kTraces = SMSIM_SOURCE_DIR "/traces/";

/// A loop as cuobjdump prints it, headers and all.
inline const std::string kDump =
    "Fatbin elf code:\n"
    "================\n"
    "arch = sm_80\n"
    "\n"
    "\tcode for sm_80\n"
    "\t\tFunction : saxpy\n"
    "\t.headerflags\t@\"EF_CUDA_SM80 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)\"\n"
    "        /*0000*/                   FFMA R11, R0.reuse, R11, 1.5 ;  /* 0x3fc00000000b7823 */\n"
    "                                                                  /* 0x040fc8000000000b */\n"
    "        /*0010*/              @!P0 BRA 0x0 ;                      /* 0xffffffe000008947 */\n"
    "                                                                  /* 0x000fea000383ffff */\n"
    "        /*0020*/                   EXIT ;                         /* 0x000000000000794d */\n"
    "                                                                  /* 0x000fea0003800000 */\n"
    "\t\t..........\n";

inline Program read(const std::string& text) {
  auto program = read_program_text(text, "test.sass");
  REQUIRE_MESSAGE(program.has_value(), to_string(program ? Diagnostics{} : program.error()));
  return *std::move(program);
}

/// The first error; there must be one.
inline Diagnostic error_of(const std::string& text) {
  const auto program = read_program_text(text, "test.sass");
  REQUIRE_FALSE(program.has_value());
  REQUIRE_FALSE(program.error().empty());
  return program.error().front();
}

/// The text with the first occurrence of a part replaced.
inline std::string with(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), by);
}

}  // namespace smsim::test
