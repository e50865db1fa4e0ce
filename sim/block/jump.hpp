// SPDX-License-Identifier: MIT
// Jump: a place in a finite run at which any number of equal periods may come.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "block/counts.hpp"
#include "core/cycle.hpp"

namespace smsim {

struct Jump {
  Cycle period = 0;                 ///< cycles
  std::vector<std::uint64_t> each;  ///< iterations of each warp in one
  Counts counts;                    ///< of one
  std::vector<bool> ended;          ///< by warp: before it
  std::vector<bool> idle;           ///< by block: books nothing in one
};

/// How many periods more each of a run's jumps takes if every warp is to do `more` iterations more,
/// and to end at the same place of the same course: nothing if that is not possible, or not
/// found.
std::optional<std::vector<std::uint64_t>> periods_for(const std::vector<Jump>& jumps,
                                                      std::uint64_t more);

}  // namespace smsim
