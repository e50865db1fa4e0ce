// SPDX-License-Identifier: MIT
// Dependences of an iteration: which instruction needs which other one's register, predicate or
// barrier, and how long after it that lets it issue.
#pragma once

#include <vector>

#include "analysis/cycle_ratio.hpp"
#include "analysis/warp_path.hpp"
#include "block/prepare.hpp"
#include "smsim/analysis.hpp"

namespace smsim::analysis {

/// Values (true dependences) and dependency barriers, one edge for each pair and distance. An edge
/// takes the producer's latency, but no more than control words and barriers enforce: where a stall
/// count is too short for a latency, the hardware does not wait.
std::vector<DependenceEdge> find_dependences(const Prepared& prepared, const Arch& arch,
                                             const WarpPath& path);

/// From each instruction to the next: stall count, yield, branch, code line, BAR.SYNC.
std::vector<DependenceEdge> issue_order(std::size_t length, bool is_loop, const WarpPath& path);

/// The edges as the ratio's algorithm takes them.
std::vector<RatioEdge> ratio_edges(const std::vector<DependenceEdge>& edges);

}  // namespace smsim::analysis
