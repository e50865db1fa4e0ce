// SPDX-License-Identifier: MIT
// Lists of values on the command line: a,b,c and 1..16 and 2..32..2.
#include "cli/lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/number.hpp"

namespace smsim::cli {
namespace {

constexpr std::size_t kMostValues = 100'000;
constexpr long kFurthestEnd = 1'000'000'000'000;  ///< of a range: far from where a long ends

std::vector<std::string> between(const std::string& word, char comma) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : word) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == comma && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// The ends and the step of FROM..TO or FROM..TO..STEP; empty if it is something else.
std::vector<long> range_of(const std::string& word) {
  std::vector<long> numbers;
  std::string_view rest = word;
  for (;;) {
    const std::size_t dots = rest.find("..");
    const auto number = parse_number<long>(rest.substr(0, dots));
    if (!number) return {};
    numbers.push_back(*number);
    if (dots == std::string_view::npos) break;
    rest.remove_prefix(dots + 2);
  }
  if (numbers.size() == 2) numbers.push_back(1);
  return numbers.size() == 3 ? numbers : std::vector<long>{};
}

}  // namespace

Expected<std::vector<std::string>> parse_values(const std::string& option,
                                                const std::string& word) {
  std::vector<std::string> values;
  for (const std::string& part : between(word, ',')) {
    if (part.empty()) return fail(ErrorKind::usage, fmt::format("{}: an empty value", option));
    const auto range = range_of(part);
    if (range.empty() && part.find("..") == std::string::npos) {
      values.push_back(part);
      continue;
    }
    const bool upwards = !range.empty() && range[2] > 0 && range[0] <= range[1] &&
                         std::max(std::abs(range[0]), std::abs(range[1])) <= kFurthestEnd;
    const long count = upwards ? (range[1] - range[0]) / range[2] + 1 : 0;
    if (count < 1 || static_cast<std::size_t>(count) > kMostValues)
      return fail(ErrorKind::usage, fmt::format("{}: '{}' is no range", option, part), {},
                  "FROM..TO or FROM..TO..STEP, upwards, of at most 100000 values");
    for (long i = 0; i < count; ++i) values.push_back(fmt::format("{}", range[0] + i * range[2]));
  }
  return values;
}

Expected<std::vector<int>> parse_warps(const std::string& word) {
  const auto values = parse_values("--warps", word);
  if (!values) return tl::make_unexpected(values.error());
  std::vector<int> warps;
  for (const std::string& value : *values) {
    const auto number = parse_number<long>(value);
    if (!number || *number < 1 || *number > 1'000'000)
      return fail(ErrorKind::usage, fmt::format("--warps: '{}' is no number of warps", value), {},
                  "as in --warps 1,2,4 or --warps 1..16");
    warps.push_back(static_cast<int>(*number));
  }
  return warps;
}

Expected<std::vector<SweepAxis>> parse_axes(const std::vector<std::string>& words) {
  std::vector<SweepAxis> axes;
  for (const std::string& word : words) {
    const std::size_t at = word.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == word.size())
      return fail(ErrorKind::usage,
                  fmt::format("--set '{}' is not of the form key=value,value,...", word));
    SweepAxis axis{word.substr(0, at), {}};
    if (std::any_of(axes.begin(), axes.end(),
                    [&](const SweepAxis& a) { return a.key == axis.key; }))
      return fail(ErrorKind::usage, fmt::format("--set names {} twice", axis.key), {},
                  "give all its values in one --set");
    auto values = parse_values("--set " + axis.key, word.substr(at + 1));
    if (!values) return tl::make_unexpected(std::move(values.error()));
    axis.values = std::move(*values);
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace smsim::cli
