// SPDX-License-Identifier: MIT
// How many of the SM's resident warps each processing block holds.
#pragma once

#include <algorithm>
#include <vector>

#include "issue/warp_start.hpp"

namespace smsim {

/// Warp w runs on block w mod blocks; blocks without a warp are left out.
inline std::vector<int> split_warps(int warps, int blocks) {
  std::vector<int> split;
  for (int b = 0; b < std::min(warps, blocks); ++b)
    split.push_back((warps - b + blocks - 1) / blocks);
  return split;
}

/// What sets a block apart from another with equally many warps: when they start. Warps alone on
/// their blocks do not meet others, so it does not matter there.
inline int start_of(const SchedulerSpec& spec, int block, int warps) {
  if (warps < 2 || !WarpStart::behind_barrier(spec)) return 0;
  return WarpStart::last_arrival(spec, block);
}

}  // namespace smsim
