// SPDX-License-Identifier: MIT
// The instruction classes that every config must time, from the opcode table.
#pragma once

#include <string>
#include <vector>

namespace smsim::config {

/// Names of all instruction classes, in the opcode table's order.
const std::vector<std::string>& class_names();

}  // namespace smsim::config
