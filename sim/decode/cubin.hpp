// SPDX-License-Identifier: MIT
// Machine code in files: cubins, fat binaries, and programs that hold them, to a listing like the
// one of cuobjdump.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "smsim/diagnostic.hpp"

namespace smsim::decode {

/// Whether the bytes begin like an ELF file or a fat binary.
bool is_machine_code(std::string_view bytes);

/// All kernels with encodings and control words, and register counts as nvdisasm writes them.
/// Errors: bad_input, for files that are cut off, compressed, or hold no code for a GPU.
Expected<std::string> list_machine_code(std::string_view bytes, const std::string& source);

/// Bytes of a file.
struct Extent {
  std::size_t offset = 0;
  std::size_t size = 0;
};

/// Where the code of a kernel lies; nullopt if the bytes are no cubin, or have none of that name.
std::optional<Extent> code_of(std::string_view bytes, std::string_view function);

}  // namespace smsim::decode
