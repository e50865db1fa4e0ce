// SPDX-License-Identifier: MIT
// Whatever stands in a config, loading it gives an architecture or says what is wrong.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "smsim/arch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string kPath = (std::filesystem::temp_directory_path() /
                                    ("smsim-fuzz-" + std::to_string(::getpid()) + ".yaml"))
                                       .string();
  {
    std::ofstream file(kPath, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  const auto arch = smsim::load_arch(kPath);
  if (!arch && arch.error().empty()) std::abort();
  std::filesystem::remove(kPath);
  return 0;
}
