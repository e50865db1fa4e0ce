// SPDX-License-Identifier: MIT
// The known name that a mistyped one probably meant.
#include "core/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace smsim {
namespace {

/// Longer words are no names, and comparing them would take long.
constexpr std::size_t kLongestName = 200;

}  // namespace

std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::string nearest_name(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.size() > kLongestName) return {};
  std::string_view best;
  std::size_t fewest = kLongestName;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    const std::size_t limit = std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
    if (distance <= limit && distance < fewest) {
      fewest = distance;
      best = candidate;
    }
  }
  return std::string(best);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates,
                         std::string otherwise) {
  const std::string near = nearest_name(word, candidates);
  return near.empty() ? otherwise : "did you mean '" + near + "'?";
}

}  // namespace smsim
