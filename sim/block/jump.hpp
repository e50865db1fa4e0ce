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

/// Periods in which each warp does `each` iterations, before the one in which a warp that has
/// `done` so many ends the last of `limit`, or of another `limit` if it has done those.
std::uint64_t periods_before_end(const std::vector<std::uint64_t>& each,
                                 const std::vector<std::uint64_t>& done, std::uint64_t limit);

/// How many periods more each of a run's jumps takes if every warp is to do `more` iterations more,
/// and to end at the same place of the same course: nothing if that is not possible, or not
/// found.
std::optional<std::vector<std::uint64_t>> periods_for(const std::vector<Jump>& jumps,
                                                      std::uint64_t more);

}  // namespace smsim
