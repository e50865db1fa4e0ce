// SPDX-License-Identifier: MIT
// The `stamps` of a suite's row: JSON to records of time stamps.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "validate/stamps.hpp"

namespace smsim::validate {

/// Reads `[{"block0": [[0, 4], [7, 11]], "block3": ...}, ...]`: an object a run, with a list a warp
/// of each recorded block. Returns what is wrong in `error`, which is empty if all is well.
std::vector<StampRecord> read_stamps(const nlohmann::json& runs, std::string& error);

}  // namespace smsim::validate
