// SPDX-License-Identifier: MIT
// Two sets of predictions beside each other: what got slower, by how much, and where the slots
// went.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "smsim/diagnostic.hpp"

namespace smsim::report {

/// What a JSON report says of one loop.
struct SavedPrediction {
  std::string key;    ///< function, architecture, warps; and a number if that is not enough
  double cycles = 0;  ///< per iteration
  struct Loss {
    std::string name;   ///< a stall reason, or an instruction's text
    double cycles = 0;  ///< of one processing block, per iteration
  };
  std::vector<Loss> reasons;  ///< in the order of the report
  std::vector<Loss> instructions;
};

/// Reads the documents of a file that `smsim predict --format json` wrote: one, several behind each
/// other, or a list. Errors: bad_input.
Expected<std::vector<SavedPrediction>> parse_saved(std::string_view text,
                                                   const std::string& source);

/// One loop before and after.
struct Change {
  std::string key;
  double before = 0;  ///< cycles per iteration; 0: not there
  double after = 0;   ///< the same
  std::string why;    ///< the reason and the instruction that gained most; empty if nothing changed

  bool both() const { return before > 0 && after > 0; }
  double relative() const { return after / before - 1; }  ///< only of both()
};

/// Every loop of either, in the order of the old one, what is new behind. Two files of one loop
/// each are compared whatever the loops are called.
std::vector<Change> compare(const std::vector<SavedPrediction>& before,
                            const std::vector<SavedPrediction>& after);

/// Table of the changes; a loop that got slower by more than `allowed` (0.02: 2 %) is marked.
std::string diff_text(const std::vector<Change>& changes, double allowed);
std::string diff_json(const std::vector<Change>& changes, double allowed);

/// How many got slower by more than `allowed`.
std::size_t regressions(const std::vector<Change>& changes, double allowed);

}  // namespace smsim::report
