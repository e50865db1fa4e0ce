// SPDX-License-Identifier: MIT
// Where configs are found: SMSIM_CONFIG_PATH, the installed package, the checkout.
#include "config/locate.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

namespace smsim::config {
namespace fs = std::filesystem;

namespace {

/// The configs of the installation that this code was loaded from, wherever it was moved to:
/// PREFIX/bin, PREFIX/lib and PREFIX/lib/ARCHITECTURE all have PREFIX/share beside or above them.
void add_installed(std::vector<fs::path>& directories) {
  Dl_info self{};
  static const int anchor = 0;
  if (dladdr(&anchor, &self) == 0 || self.dli_fname == nullptr) return;
  // of a program it gives the first word of its command line, which need not be a path
  const std::string_view name = self.dli_fname;
  const bool is_library = name.find(".so") != std::string_view::npos;
  std::error_code ignored;
  fs::path folder = fs::canonical(is_library ? name : "/proc/self/exe", ignored).parent_path();
  for (int up = 0; up < 3 && folder.has_relative_path(); ++up) {
    folder = folder.parent_path();
    const fs::path configs = folder / "share" / "smsim" / "configs";
    if (fs::is_directory(configs, ignored)) directories.push_back(configs);
  }
}

}  // namespace

std::vector<fs::path> config_directories() {
  std::vector<fs::path> directories;
  if (const char* variable = std::getenv("SMSIM_CONFIG_PATH")) {
    std::istringstream in(variable);
    for (std::string directory; std::getline(in, directory, ':');) {
      if (!directory.empty()) directories.emplace_back(directory);
    }
  }
  // In a build inside the checkout, its own files come before those of an older installation.
  if (const fs::path checkout = SMSIM_SOURCE_CONFIG_DIR; !checkout.empty())
    directories.push_back(checkout);
  add_installed(directories);
  directories.emplace_back(SMSIM_INSTALL_CONFIG_DIR);
  return directories;
}

bool is_path(const std::string& name_or_path) {
  return name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".yaml") ||
         name_or_path.ends_with(".yml");
}

std::optional<fs::path> find_by_name(const std::string& name,
                                     const std::vector<fs::path>& directories) {
  for (const fs::path& directory : directories) {
    const fs::path file = directory / (name + ".yaml");
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) return file;
  }
  return {};
}

std::vector<fs::path> all_configs(const std::vector<fs::path>& directories) {
  std::map<std::string, fs::path> found;
  for (const fs::path& directory : directories) {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, ignored)) {
      const fs::path& file = entry.path();
      if (file.extension() == ".yaml" && entry.is_regular_file(ignored)) {
        found.emplace(file.stem().string(), file);
      }
    }
  }
  std::vector<fs::path> files;
  for (const auto& [name, file] : found) files.push_back(file);
  return files;
}

std::optional<int> sm_of_alias(const std::string& name) {
  if (!name.starts_with("sm_")) return {};
  int sm = 0;
  const char* end = name.data() + name.size();
  const auto [rest, status] = std::from_chars(name.data() + 3, end, sm);
  if (status != std::errc{} || end - rest > 1) return {};
  // sm_90a and sm_120f are the same device with features that are not portable.
  if (rest != end && *rest != 'a' && *rest != 'f') return {};
  return sm;
}

std::optional<std::string> read_file(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return {};
  std::ifstream in(path, std::ios::binary);
  if (!in) return {};
  // Nobody's config is that long; what is, /dev/zero for one, need not be read to its end.
  constexpr std::size_t kPiece = 1 << 15;
  std::string text;
  while (in && text.size() <= kLargestConfig) {
    const std::size_t before = text.size();
    text.resize(std::min(before + kPiece, kLargestConfig + 1));
    in.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) return {};
  return text;
}

}  // namespace smsim::config
