// SPDX-License-Identifier: MIT
// All events of a recording as one JSON document, under the names of docs/record.schema.json.
#pragma once

#include <nlohmann/json.hpp>

#include "smsim/record.hpp"

namespace smsim::view {

using Json = nlohmann::ordered_json;

/// Cycles count from the start of the run; what does not happen is null.
Json recording_json(const Recording& recording);

}  // namespace smsim::view
