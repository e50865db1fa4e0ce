// SPDX-License-Identifier: MIT
// Stall counts that cost time: those of a loop that is faster by the model with a smaller one.
#include "optimize/long_stalls.hpp"

#include "optimize/loop_cycles.hpp"
#include "optimize/schedule_fit.hpp"

namespace smsim::optimize {
namespace {

/// A stall count is too long if a lone warp on each block takes so many cycles less without.
constexpr double kLeastGain = 0.99;

/// Stall counts of a loop that are tried one by one; a loop with more has others worth a look.
constexpr int kMostTried = 60;

}  // namespace

LongStalls::LongStalls(const HazardInput& input, Program& program, const Loop& loop)
    : input_(input),
      program_(program),
      loop_(loop),
      may_(may_be_lowered(input)),
      given_(cycles()),
      left_(given_ > 0 ? kMostTried : 0) {}

/// With one warp on each processing block, as others would hide what a stall count costs.
double LongStalls::cycles() const {
  return loop_cycles(program_, input_.arch, loop_, input_.arch.processing_blocks);
}

std::optional<LongStall> LongStalls::next() {
  Function& function = program_.functions.front();
  while (left_ > 0 && at_ < function.instructions.size()) {
    const std::size_t i = at_++;
    Instruction& in = function.instructions[i];
    if (!may_[i] || in.address < loop_.start || in.address > loop_.end) continue;
    const int enough = smallest_stall(input_, function, i);
    if (enough >= in.control.stall) continue;
    --left_;
    const ControlWord kept = in.control;
    set_stall(in.control, enough);
    const double gain = given_ - cycles();
    in.control = kept;
    if (gain >= kLeastGain) return LongStall{i, enough, gain};
  }
  return std::nullopt;
}

}  // namespace smsim::optimize
