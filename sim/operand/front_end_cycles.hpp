// SPDX-License-Identifier: MIT
// Front-end cycles: in which cycles the front end's coming times will begin, standstills that are
// settled already included.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/cycle.hpp"

namespace smsim {

class FrontEndCycles {
 public:
  /// As many times ahead as instructions can be in the pipeline.
  static constexpr std::size_t kAhead = 32;

  /// Front-end time `time` begins with cycle `at`, and nothing is known of later ones.
  void begin_at(Cycle at, Cycle time) {
    begin_ = known_ = time;
    start_[index(time)] = at;
  }

  /// The first cycle of the front end's `time`; as far as is known, if it lies ahead.
  Cycle start_of(Cycle time) {
    for (; known_ < time; ++known_) start_[index(known_ + 1)] = start_[index(known_)] + 1;
    return start_[index(std::max(time, begin_))];
  }

  /// Cycle `at` is the last one of the front end's `time`.
  void end_at(Cycle at, Cycle time) {
    known_ = time + 1;
    start_[index(known_)] = at + 1;
  }

 private:
  static std::size_t index(Cycle time) { return static_cast<std::size_t>(time) % kAhead; }

  std::array<Cycle, kAhead> start_{};  ///< from begin_ to known_
  Cycle begin_ = 0;
  Cycle known_ = 0;
};

}  // namespace smsim
