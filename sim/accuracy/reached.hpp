// SPDX-License-Identifier: MIT
// Recorded figures of suites, and whether the model still reaches them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "accuracy/suite_accuracy.hpp"

namespace smsim::accuracy {

/// Summaries by suite and class of warps.
using Reached = std::map<std::string, std::map<std::string, validate::Summary>>;

/// Writes the figures of all suites and classes as YAML; percentages with three decimals.
std::string reached_yaml(const std::vector<SuiteAccuracy>& suites);

/// Parses what reached_yaml wrote. Errors: bad_config, each with file, line and column.
Expected<Reached> parse_reached(const std::string& text, const std::string& file);

/// What differs between now and the record, a line each.
struct Comparison {
  std::vector<std::string> worse;   ///< fewer exact or inside, or further off than recorded
  std::vector<std::string> better;  ///< a record of now would hold more
};

/// A figure is worse if it is so by more than the record's rounding. A suite or class that the
/// record does not have, or has with another number of loops, is worse too: nothing holds it.
Comparison compare(const std::vector<SuiteAccuracy>& now, const Reached& recorded);

}  // namespace smsim::accuracy
