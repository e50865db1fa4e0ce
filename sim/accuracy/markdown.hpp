// SPDX-License-Identifier: MIT
// The accuracy page: tables of suites and families, and the loops that are furthest off.
#pragma once

#include <string>
#include <vector>

#include "accuracy/suite_accuracy.hpp"

namespace smsim::accuracy {

/// The whole page in Markdown; `plot` is the image beside it that it shows, empty for none.
std::string markdown(const std::vector<SuiteAccuracy>& suites, const Notes& notes,
                     const std::string& plot);

}  // namespace smsim::accuracy
