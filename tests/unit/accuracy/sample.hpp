// SPDX-License-Identifier: MIT
// Rows of a suite, made up.
#pragma once

#include <string>
#include <vector>

#include "accuracy/suite_accuracy.hpp"

namespace smsim::test {

inline validate::Row row(const std::string& id, int warps, double lo, double hi, double predicted) {
  validate::Row result;
  result.id = id;
  result.measured = {warps, (lo + hi) / 2, lo, hi, true};
  result.predicted = predicted;
  return result;
}

inline accuracy::SuiteAccuracy suite(const std::vector<validate::Row>& rows,
                                     const std::string& name = "gpu/suite") {
  accuracy::SuiteAccuracy result;
  result.name = name;
  result.devices = "GPU";
  result.archs = "some-arch";
  result.rows = rows;
  return result;
}

}  // namespace smsim::test
