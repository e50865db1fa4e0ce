// SPDX-License-Identifier: MIT
// Configs that the build has read already: most of a start's time would go into reading YAML.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/node.hpp"

namespace smsim::config {

/// What read_yaml() makes of this text, if it is that of a config as it was when the program was
/// built. `file` is the name for diagnostics.
std::optional<Node> read_ahead(const std::string& file, std::string_view text);

}  // namespace smsim::config
