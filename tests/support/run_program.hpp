// SPDX-License-Identifier: MIT
// Runs the built smsim as a user would: words in, exit code and both outputs back.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace smsim::test {

/// What a finished process left behind.
struct Outcome {
  int exit_code = -1;  ///< 128 + n if signal n ended it, as a shell says it
  std::string out;
  std::string err;
};

/// Runs `smsim` (the one of this build) with these words and this text as its standard input.
/// `environment` entries ("NAME=value") come on top of the caller's own, of which
/// SMSIM_CONFIG_PATH is left out.
Outcome run_smsim(const std::vector<std::string>& words, std::string_view input = {},
                  const std::vector<std::string>& environment = {});

/// The same where no file may become larger than `bytes`, as on a disk that gets full.
Outcome run_smsim_on_a_full_disk(const std::vector<std::string>& words, std::size_t bytes);

/// All that `smsim --help` lists.
std::vector<std::string> sub_commands();

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// A folder of its own for one test, removed with everything in it at the end.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file into the folder and returns its full name.
  std::string write(const std::string& name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

/// The whole file; empty if there is none.
std::string read_text(const std::filesystem::path& file);

/// The full name of a file of the checkout, for example source_file("traces/volta/saxpy.sass").
std::string source_file(const std::string& name);

}  // namespace smsim::test
