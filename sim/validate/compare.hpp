// SPDX-License-Identifier: MIT
// A prediction beside its measurement: exact or not, and how far from the measured interval.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validate/suite.hpp"

namespace smsim::validate {

/// A prediction this near to a figure agrees with it, and so do runs this near to each other:
/// counts of cycles are integers, and what start and end of a run add differs by some cycles in
/// hundreds of iterations.
inline constexpr double kToleranceCycles = 0.5;

/// One loop with one number of warps.
struct Row {
  std::string id;
  Measurement measured;
  std::optional<double> predicted;   ///< cycles; empty if it failed
  std::string error;                 ///< why it failed
  std::optional<StampMatch> stamps;  ///< time stamps, if the suite has some

  /// Signed distance to [lo, hi] in percent of the nearer bound; 0 inside. Below lo is negative.
  double error_percent() const;

  /// The runs agreed on one figure, so that a prediction can be exact.
  bool can_be_exact() const {
    return measured.has_interval && measured.hi - measured.lo <= kToleranceCycles;
  }

  /// At most kToleranceCycles from `measured.cycles`, that figure.
  bool is_exact() const;

  /// In [lo, hi] widened by kToleranceCycles on both sides, so that what is exact is inside too.
  bool is_inside() const;
};

/// What the time stamps of a suite say of the model.
struct StampSummary {
  std::size_t loops = 0;  ///< rows with time stamps that could be simulated
  std::size_t exact = 0;  ///< those whose every stamp is
  std::size_t near = 0;   ///< those whose every stamp is at most kNearCycles off
  std::size_t stamps = 0;
  std::size_t stamps_near = 0;
};

StampSummary summarise_stamps(const std::vector<Row>& rows);

/// What a suite says of the model.
struct Summary {
  std::size_t loops = 0;   ///< rows, failed ones among them
  std::size_t failed = 0;  ///< could not be simulated; they count as neither exact nor inside
  std::size_t exact = 0;
  std::size_t exact_of = 0;  ///< rows that could be exact
  std::size_t inside = 0;
  std::size_t inside_of = 0;      ///< rows with an interval
  double mean_error_percent = 0;  ///< of the distances of those that did not fail
  double max_error_percent = 0;
  std::string worst;  ///< id of the largest distance
  StampSummary stamps;
};

Summary summarise(const std::vector<Row>& rows);

/// The rows with time stamps, by their number of warps.
std::map<int, StampSummary> stamps_by_warps(const std::vector<Row>& rows);

/// `bank` of `bank.ffma.eee.w1`.
std::string family_of(const std::string& id);

}  // namespace smsim::validate
