// SPDX-License-Identifier: MIT
// The hint under an unknown name: the near one that was probably meant, or all that there are.
#include "config/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/nearest.hpp"

namespace smsim::config {

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  return nearest_name(word, {candidates.begin(), candidates.end()});
}

std::string suggest(std::string_view word, const std::vector<std::string>& candidates) {
  return did_you_mean(
      word, {candidates.begin(), candidates.end()},
      candidates.empty() ? "" : fmt::format("known: {}", fmt::join(candidates, ", ")));
}

}  // namespace smsim::config
