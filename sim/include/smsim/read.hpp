// SPDX-License-Identifier: MIT
// Text of a disassembler to a Program.
#pragma once

#include <string>
#include <string_view>

#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"

namespace smsim {

/// Reads a file: text of cuobjdump -sass or nvdisasm, bracketed control words, what maxas, turingas
/// and KeplerAs take, loops in YAML, JSON of nvdisasm, traces of Accel-Sim and lists of them,
/// cubins and files that hold them; plain or gzip, xz or zstd (by magic bytes). "-" is standard
/// input. `format` says which text it is instead of its content: disassembly, cuasm, maxas,
/// turingas, kepleras or yaml. Errors: no_file, bad_input; usage for an unknown format.
Expected<Program> read_program(const std::string& path, std::string_view format = {});

/// The same for text in memory; `source` is the name used in diagnostics.
Expected<Program> read_program_text(std::string_view text, const std::string& source,
                                    std::string_view format = {});

/// Gives functions without control words (nvdisasm -json, or without -hex, traces) those of the
/// function of the same name in `control`, by address; of traces, its whole instructions. Errors:
/// bad_input, where a function or an address is missing, or an opcode is another one.
Expected<void> join_control(Program& program, const Program& control);

/// The bytes of a file or of standard input, decompressed.
Expected<std::string> read_bytes(const std::string& path);

/// The program as cuasm, maxas, turingas, kepleras or yaml; read again it is the same program,
/// without encodings. Errors: usage, where the notation is unknown or not for its architecture.
Expected<std::string> write_program(const Program& program, std::string_view to);

}  // namespace smsim
