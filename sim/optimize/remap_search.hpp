// SPDX-License-Identifier: MIT
// Remap, the search: candidates by the estimate, the choice by the simulator.
#pragma once

#include <functional>
#include <vector>

#include "optimize/remap_apply.hpp"
#include "optimize/remap_names.hpp"

namespace smsim::optimize {

struct Score {
  double cycles = 0;
  double reads = 0;  ///< of all banks, an iteration; decides between equal cycles
  double work = 0;   ///< warp instructions that were simulated to find out
};

/// Names and flags with what the simulator says of them.
struct Candidate {
  Names names;
  Flags flags;
  Score score;
};

/// The simulator, on a candidate.
using Judge = std::function<Score(const Names&, const Flags&)>;
/// The flags of a whole function that go with names.
using FlagRule = std::function<Flags(const Names&)>;

struct SearchLimits {
  int estimates = 0;  ///< moves that the estimate is asked about
  double work = 0;    ///< warp instructions that may be simulated
  double floor = 0;   ///< cycles at which there is no more to gain
  double step = 0;    ///< a gain below it is none
};

/// The best candidate found, `start` if nothing is better. Deterministic.
Candidate search(const ReadModel& loop, Assignment& assignment, const Candidate& start,
                 const FlagRule& flags, const Judge& judge, const SearchLimits& limits);

}  // namespace smsim::optimize
