// SPDX-License-Identifier: MIT
// The ways on from an instruction, each followed until what the walk is about is over.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <vector>

#include "isa/control_word.hpp"
#include "optimize/hazards.hpp"

namespace smsim::optimize {

/// Longer than any fixed latency.
inline constexpr int kHorizon = 64;

/// Where a walk stands: what it has passed decides what still protects it.
struct State {
  int elapsed = 0;
  std::size_t at = 0;
  std::size_t before = 0;
  std::uint8_t covering = 0;   ///< barriers that tell that what the walk is about is over
  std::uint8_t later = 0;      ///< how often others raised the first of them since
  bool guard_changed = false;  ///< the guard of the walk's origin was written since
  bool taken = false;

  bool operator>(const State& other) const {
    return std::tie(elapsed, at, covering) > std::tie(other.elapsed, other.at, other.covering);
  }
};

inline std::uint8_t bit(int barrier) {
  return static_cast<std::uint8_t>(barrier < kNoBarrier ? 1U << barrier : 0U);
}

/// Barriers that DEPBAR.LE lets pass only once they are down, or nearly.
struct PartialWait {
  int barrier = -1;
  int left = 0;           ///< how many may still be under way
  std::uint8_t zero = 0;  ///< others that have to be down
};

inline PartialWait partial_wait(const Node& node) {
  PartialWait wait;
  if (node.op_class != isa::OpClass::depbar) return wait;
  for (const Operand& operand : node.in->operands) {
    if (operand.kind == OperandKind::scoreboard && wait.barrier < 0)
      wait.barrier = operand.index;
    else if (operand.kind == OperandKind::immediate)
      wait.left = static_cast<int>(operand.value);
    else
      for (const char c : operand.text.view())
        if (c >= '0' && c <= '5')
          wait.zero = static_cast<std::uint8_t>(wait.zero | 1U << (c - '0'));
  }
  return wait;
}

/// Follows every way on from an instruction until it is over with what the walk is about.
class Walk {
 public:
  enum class Next : std::uint8_t { go_on, stop };
  using Visit = std::function<Next(const State&)>;
  using Cover = std::function<std::uint8_t(std::size_t later)>;

  Walk(const HazardInput& input, std::size_t from, int horizon)
      : input_(input), from_(from), horizon_(horizon) {}

  void run(std::uint8_t covering, const Cover& covers, const Visit& visit) {
    covering_ = covering;
    push_next({0, from_, from_, covering, 0, false, false});
    while (!queue_.empty()) {
      State state = queue_.top();
      queue_.pop();
      if (state.elapsed > horizon_ || seen(state)) continue;
      if (is_covered(state) || visit(state) == Next::stop) continue;
      pass(state, covers);
      push_next(state);
    }
  }

 private:
  /// A barrier counts here even where its rise is not yet seen: that is a finding of its own.
  bool is_covered(const State& state) const {
    const Node& node = input_.code[state.at];
    if ((node.in->control.wait_mask & state.covering) != 0) return true;
    const PartialWait wait = partial_wait(node);
    if ((wait.zero & state.covering) != 0) return true;
    if (wait.barrier < 0 || (bit(wait.barrier) & state.covering) == 0) return false;
    return state.later >= wait.left;
  }

  void pass(State& state, const Cover& covers) const {
    const Node& node = input_.code[state.at];
    state.covering = static_cast<std::uint8_t>(state.covering | covers(state.at));
    for (int b = 0; b < isa::kBarriers; ++b)
      if ((covering_ & bit(b)) != 0 && isa::raises(node.in->control, b) && state.later < 63)
        ++state.later;
    const Guard& guard = input_.code[from_].in->guard;
    const Place asked = {guard.uniform ? Space::uniform_predicate : Space::predicate,
                         static_cast<std::uint8_t>(guard.index)};
    state.guard_changed = state.guard_changed || node.writes_place(asked);
  }

  void push_next(const State& state) {
    const int cycles = std::min(state.elapsed + held_cycles(input_, state.at), kHorizon);
    for (const Step& step : input_.code[state.at].next) {
      State next = state;
      next.elapsed = cycles;
      next.before = state.at;
      next.at = step.to;
      next.taken = state.taken || step.taken;
      queue_.push(next);
    }
  }

  /// Whether it was here before with no more to protect it. States come by ascending time.
  bool seen(const State& state) {
    auto& been = been_[state.at];
    const int key = state.covering | (state.guard_changed ? 0 : 0x80);
    for (const int other : been)
      if ((other & key) == other) return true;
    been.push_back(key);
    return false;
  }

  const HazardInput& input_;
  std::size_t from_;
  int horizon_;
  std::uint8_t covering_ = 0;
  std::map<std::size_t, std::vector<int>> been_;
  std::priority_queue<State, std::vector<State>, std::greater<>> queue_;
};

}  // namespace smsim::optimize
