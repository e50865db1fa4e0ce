// SPDX-License-Identifier: MIT
// Text of a disassembler to a Program.
#pragma once

#include <string>
#include <string_view>

#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"

namespace smsim {

/// Reads a file: cuobjdump -sass or nvdisasm -hex text or bracketed control-code notation, plain or
/// gzip, xz or zstd (by magic bytes); "-" is standard input. Errors: no_file, bad_input.
Expected<Program> read_program(const std::string& path);

/// The same for text in memory; `source` is the name used in diagnostics.
Expected<Program> read_program_text(std::string_view text, const std::string& source);

/// The bytes of a file or of standard input, decompressed.
Expected<std::string> read_bytes(const std::string& path);

}  // namespace smsim
