// SPDX-License-Identifier: MIT
// The known name that a mistyped one probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// Insertions, deletions and replacements that turn one word into the other.
std::size_t edit_distance(std::string_view from, std::string_view to);

/// The candidate with the fewest edits to `word`, the first of equals; empty if none is near
/// (within a third of the longer word, but one edit is always near).
std::string nearest_name(std::string_view word, const std::vector<std::string_view>& candidates);

/// The hint under an unknown name: "did you mean 'x'?", or `otherwise` if nothing is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates,
                         std::string otherwise = {});

}  // namespace smsim
