// SPDX-License-Identifier: MIT
// The key table as the reference that docs/configs.md shows.
#pragma once

#include <string>

namespace smsim::config {

/// Markdown: one table for the keys of each section, of an entry of pipes and of an entry of
/// classes.
std::string key_reference();

}  // namespace smsim::config
