// SPDX-License-Identifier: MIT
// The `stamps` of a suite's row: JSON to records of time stamps.
#include "validate/stamps_reader.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "core/number.hpp"

namespace smsim::validate {
namespace {

using nlohmann::json;

constexpr const char* kShape =
    "'stamps' is a list of runs, each an object like {\"block0\": [[0, 4], [7, 11]]}: a list a "
    "warp";
constexpr std::int64_t kLatest = 1'000'000'000;

/// 3 of `block3`.
std::optional<int> block_of(std::string_view name) {
  constexpr std::string_view kPrefix = "block";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  return parse_count(name);
}

std::optional<std::vector<std::int64_t>> read_warp(const json& warp) {
  if (!warp.is_array() || warp.empty()) return std::nullopt;
  std::vector<std::int64_t> stamps;
  for (const json& stamp : warp) {
    if (!stamp.is_number_integer()) return std::nullopt;
    stamps.push_back(stamp.get<std::int64_t>());
    if (stamps.back() < 0 || stamps.back() > kLatest) return std::nullopt;
  }
  return stamps;
}

std::optional<Stamps> read_block(const json& block) {
  if (!block.is_array() || block.empty()) return std::nullopt;
  Stamps stamps;
  for (const json& warp : block) {
    auto one = read_warp(warp);
    if (!one) return std::nullopt;
    stamps.push_back(std::move(*one));
  }
  return stamps;
}

}  // namespace

std::vector<StampRecord> read_stamps(const json& runs, std::string& error) {
  std::vector<StampRecord> records;
  if (!runs.is_array()) error = kShape;
  for (std::size_t run = 0; runs.is_array() && run < runs.size(); ++run) {
    if (!runs[run].is_object()) error = kShape;
    for (const auto& [name, blocks] : runs[run].items()) {
      const auto block = block_of(name);
      auto stamps = read_block(blocks);
      if (!block || !stamps) {
        error = kShape;
        continue;
      }
      records.push_back({static_cast<int>(run), *block, std::move(*stamps)});
    }
  }
  return records;
}

}  // namespace smsim::validate
