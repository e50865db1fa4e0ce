// SPDX-License-Identifier: MIT
// Maximum cycle ratio: of all cycles of a dependency graph, the one that takes most time an
// iteration.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace smsim::analysis {

/// `to` comes at least `cycles` after `from` of `distance` iterations before. At least one edge of
/// every cycle has a distance.
struct RatioEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  int cycles = 0;
  int distance = 0;
};

struct CriticalCycle {
  std::vector<std::size_t> edges;  ///< indices, in any order
  long cycles = 0;
  long iterations = 1;
  double ratio() const { return static_cast<double>(cycles) / static_cast<double>(iterations); }
};

/// The cycle with the largest ratio of cycles to iterations (Howard's policy iteration); none if
/// there is no cycle.
std::optional<CriticalCycle> maximum_cycle_ratio(std::size_t nodes,
                                                 const std::vector<RatioEdge>& edges);

/// The longest path when all distances are zero and edges go from lower to higher nodes: its edges
/// and its length.
CriticalCycle longest_path(std::size_t nodes, const std::vector<RatioEdge>& edges);

}  // namespace smsim::analysis
