// SPDX-License-Identifier: MIT
// Where configs are found: SMSIM_CONFIG_PATH, the installed package, the checkout.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace smsim::config {

/// The directories that are searched, in order.
std::vector<std::filesystem::path> config_directories();

/// Whether a --arch value means a file and not a name: it has a '/' or ends in .yaml or .yml.
bool is_path(const std::string& name_or_path);

/// The first directory's file NAME.yaml.
std::optional<std::filesystem::path> find_by_name(
    const std::string& name, const std::vector<std::filesystem::path>& directories);

/// Every config of the directories, sorted by name, each name once (the first directory's).
std::vector<std::filesystem::path> all_configs(
    const std::vector<std::filesystem::path>& directories);

/// The number of an alias such as sm_90, sm_90a or sm_120f.
std::optional<int> sm_of_alias(const std::string& name);

/// A config file that is longer is none.
inline constexpr std::size_t kLargestConfig = 1 << 20;

/// A text file's content, at most one byte more than kLargestConfig; nothing if it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

}  // namespace smsim::config
