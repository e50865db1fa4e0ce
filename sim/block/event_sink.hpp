// SPDX-License-Identifier: MIT
// Event sinks: what a simulation tells whoever watches. The empty one costs nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/cycle.hpp"

namespace smsim {

/// Watches nothing.
struct NoEvents {
  static void issued(Cycle, int, int, std::uint32_t) {}
};

/// One issued instruction: 16 bytes.
struct IssueEvent {
  Cycle issue = 0;
  std::uint32_t step = 0;  ///< index into the compiled loop
  std::uint16_t block = 0;
  std::uint16_t warp = 0;  ///< of the block
};

/// Keeps every issue in order.
struct RecordIssues {
  std::vector<IssueEvent> events;
  void issued(Cycle now, int block, int warp, std::uint32_t step) {
    events.push_back(
        {now, step, static_cast<std::uint16_t>(block), static_cast<std::uint16_t>(warp)});
  }
};

}  // namespace smsim
