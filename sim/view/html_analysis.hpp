// SPDX-License-Identifier: MIT
// The parts of a report page that analyses fill: bounds, what-if, dependences, occupancy, lint.
#pragma once

#include <string>

#include "smsim/report.hpp"

namespace smsim::view {

/// A bar of that share, 0 to 1, in the colour of a class.
std::string meter(double share, const char* name);

std::string bounds_table(const Bounds& bounds);
std::string what_if_table(const WhatIf& answer);
std::string graph_figure(const DependencyGraph& graph);
std::string occupancy_note(const Occupancy& curve, int warps);
std::string occupancy_figure(const Occupancy& curve, int warps);
std::string lint_list(const std::vector<LintFinding>& findings, const Result& result);

}  // namespace smsim::view
