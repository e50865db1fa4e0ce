// SPDX-License-Identifier: MIT
// Stall counts that cost time: those of a loop that is faster by the model with a smaller one.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "optimize/hazards.hpp"
#include "smsim/program.hpp"

namespace smsim::optimize {

struct LongStall {
  std::size_t index = 0;  ///< of the instruction
  int enough = 0;         ///< the smallest stall count that is safe
  double gain = 0;        ///< cycles an iteration that a lone warp on each block takes less with it
};

/// Tries the stall counts of a loop one by one, in address order, the others as they are.
class LongStalls {
 public:
  /// `input` is of the only function of `program`, which has no early readers. Both have to outlive
  /// this; control words are changed for a while, and are as they were after each call.
  LongStalls(const HazardInput& input, Program& program, const Loop& loop);

  /// The next one; nullopt if no more is found.
  std::optional<LongStall> next();

 private:
  double cycles() const;

  const HazardInput& input_;
  Program& program_;
  Loop loop_;
  std::vector<bool> may_;
  double given_;
  std::size_t at_ = 0;
  int left_;
};

}  // namespace smsim::optimize
