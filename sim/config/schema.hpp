// SPDX-License-Identifier: MIT
// The key table as a JSON Schema, with which editors complete and check configs as they are
// written.
#pragma once

#include <string>

namespace smsim::config {

/// JSON Schema, draft 7: keys, words, ranges, and who vouches for a number. What spans several keys
/// (a source that is not in the map of sources, a pipe that does not exist) only the loader sees.
std::string key_schema();

}  // namespace smsim::config
