// SPDX-License-Identifier: MIT
// The operands that an instruction reads, as values over the lanes of a warp.
#pragma once

#include <array>
#include <cstddef>

#include "program/lane_state.hpp"

namespace smsim::program {

/// Numbers in order of the operands, and the predicates together.
struct LaneStep::Sources {
  std::array<LaneValue, 4> values{};  ///< low words
  std::array<LaneValue, 4> highs{};   ///< high words of 64-bit operands
  std::size_t count = 0;
  LanePredicate predicate = LanePredicate::uniform;
  bool complete = true;  ///< nothing else is read

  bool uniform() const {
    for (std::size_t i = 0; i < count; ++i)
      if (!values[i].uniform() || !highs[i].uniform()) return false;
    return complete && predicate == LanePredicate::uniform;
  }
};

}  // namespace smsim::program
