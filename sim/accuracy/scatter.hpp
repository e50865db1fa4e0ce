// SPDX-License-Identifier: MIT
// The accuracy plot: predicted against measured cycles of every loop, both on logarithmic axes.
#pragma once

#include <string>
#include <vector>

#include "accuracy/suite_accuracy.hpp"

namespace smsim::accuracy {

/// An SVG image that needs nothing else (no script, no font, no style sheet) and follows the
/// reader's light or dark colours.
std::string scatter_svg(const std::vector<SuiteAccuracy>& suites);

}  // namespace smsim::accuracy
