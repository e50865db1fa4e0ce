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

/// The same with ten time stamps, of which so many are exact and within one cycle.
inline validate::Row stamped(validate::Row row, std::size_t exact, std::size_t near) {
  row.stamps = validate::StampMatch{10, exact, near, 0, {}, {}};
  return row;
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
