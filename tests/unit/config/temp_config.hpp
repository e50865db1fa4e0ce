// SPDX-License-Identifier: MIT
// A config file for one test: written to its own directory, which goes away with the object.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "smsim/arch.hpp"

namespace smsim::test {

class TempConfig {
 public:
  explicit TempConfig(const std::string& text, const std::string& name = "mine") {
    static int count = 0;
    directory_ = std::filesystem::temp_directory_path() /
                 ("smsim-config-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(directory_);
    add(text, name);
    path_ = (directory_ / (name + ".yaml")).string();
  }
  ~TempConfig() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  TempConfig(const TempConfig&) = delete;
  TempConfig& operator=(const TempConfig&) = delete;

  /// One more file beside it.
  void add(const std::string& text, const std::string& name) const {
    std::ofstream(directory_ / (name + ".yaml")) << text;
  }

  const std::string& path() const { return path_; }
  const std::filesystem::path& directory() const { return directory_; }

  /// Everything that loading it says, one diagnostic after the other; empty if it loads.
  std::string errors(const Overrides& overrides = {}) const {
    const auto arch = load_arch(path_, overrides);
    return arch ? "" : to_string(arch.error());
  }

 private:
  std::filesystem::path directory_;
  std::string path_;
};

/// The row of a key in Arch::parameters; an empty row if there is none.
inline Parameter parameter(const Arch& arch, const std::string& key) {
  for (const Parameter& row : arch.parameters) {
    if (row.key == key) return row;
  }
  return {};
}

/// The timing of a class; one without a name if there is none.
inline InstructionTiming timing(const Arch& arch, const std::string& name) {
  for (const InstructionTiming& one : arch.timings) {
    if (one.instruction_class == name) return one;
  }
  return {};
}

}  // namespace smsim::test
