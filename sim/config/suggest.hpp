// SPDX-License-Identifier: MIT
// The hint under an unknown name: the near one that was probably meant, or all that there are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smsim::config {

/// The candidate with the fewest edits to `word`; empty if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "did you mean 'x'?", or the list of what is known if nothing is near.
std::string suggest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace smsim::config
