// SPDX-License-Identifier: MIT
// Words of the command line with a grammar of their own: 0x80=taken, R14=16, key=value, 0x40-0x80.
#include "cli/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "core/number.hpp"

namespace smsim::cli {
namespace {

tl::unexpected<Diagnostics> misfit(const char* option, const std::string& word,
                                   const char* grammar) {
  return fail(ErrorKind::usage,
              fmt::format("{} '{}' is not of the form {}", option, word, grammar));
}

tl::unexpected<Diagnostics> twice(const char* option, const std::string& key) {
  return fail(ErrorKind::usage, fmt::format("{} names {} twice", option, key), {},
              "give it one value");
}

/// The two sides of the first `=`; none if a side is empty.
std::optional<std::pair<std::string, std::string>> split(const std::string& word) {
  const std::size_t at = word.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == word.size()) return std::nullopt;
  return std::pair{word.substr(0, at), word.substr(at + 1)};
}

}  // namespace

std::optional<std::uint64_t> parse_address(std::string_view word) {
  if (!word.starts_with("0x")) return std::nullopt;
  return parse_number<std::uint64_t>(word.substr(2), 16);
}

Expected<std::map<std::uint64_t, bool>> parse_branches(const std::vector<std::string>& words) {
  std::map<std::uint64_t, bool> branches;
  for (const std::string& word : words) {
    const auto sides = split(word);
    const auto address = sides ? parse_address(sides->first) : std::nullopt;
    if (!address || (sides->second != "taken" && sides->second != "not")) {
      return misfit("--branch", word, "0xADDR=taken or 0xADDR=not");
    }
    if (!branches.emplace(*address, sides->second == "taken").second)
      return twice("--branch", sides->first);
  }
  return branches;
}

Expected<std::map<int, int>> parse_lane_strides(const std::vector<std::string>& words) {
  constexpr int kLastRegister = 254;
  constexpr int kFarthest = 1 << 20;
  std::map<int, int> strides;
  for (const std::string& word : words) {
    const auto sides = split(word);
    const bool is_register = sides && sides->first.starts_with('R');
    const int reg = is_register ? parse_number<int>(sides->first.substr(1)).value_or(-1) : -1;
    const int bytes = sides ? parse_number<int>(sides->second).value_or(INT_MAX) : INT_MAX;
    if (reg < 0 || reg > kLastRegister || bytes > kFarthest || bytes < -kFarthest) {
      return misfit("--lane-stride", word, "R14=16 (register=bytes between two lanes)");
    }
    if (!strides.emplace(reg, bytes).second) return twice("--lane-stride", sides->first);
  }
  return strides;
}

Expected<Overrides> parse_overrides(const std::vector<std::string>& words) {
  Overrides overrides;
  for (const std::string& word : words) {
    const auto sides = split(word);
    if (!sides) return misfit("--set", word, "key=value");
    if (std::any_of(overrides.begin(), overrides.end(),
                    [&](const auto& other) { return other.first == sides->first; }))
      return twice("--set", sides->first);
    overrides.push_back(*sides);
  }
  return overrides;
}

Expected<RecordOptions> parse_iterations(const std::string& word, std::uint64_t count) {
  RecordOptions window;
  window.iterations = count;
  if (word.empty()) return window;
  const std::size_t dots = word.find("..");
  const auto first = parse_number<std::uint64_t>(std::string_view(word).substr(0, dots));
  const auto last = dots == std::string::npos
                        ? first
                        : parse_number<std::uint64_t>(std::string_view(word).substr(dots + 2));
  if (!first || !last || *first < 1 || *last < *first) {
    return misfit("--iterations", word, "A..B or A, counted from 1");
  }
  window.first_iteration = *first;
  window.iterations = *last - *first + 1;
  return window;
}

Expected<std::string> parse_unknown(const std::string& word) {
  constexpr std::string_view kPrefix = "assume:";
  if (word.empty()) return std::string();
  if (!word.starts_with(kPrefix) || word.size() == kPrefix.size()) {
    return misfit("--unknown", word, "assume:PIPE, as in assume:alu");
  }
  return word.substr(kPrefix.size());
}

}  // namespace smsim::cli
