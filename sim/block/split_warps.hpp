// SPDX-License-Identifier: MIT
// How many of the SM's resident warps each processing block holds.
#pragma once

#include <algorithm>
#include <vector>

namespace smsim {

/// Warp w runs on block w mod blocks; blocks without a warp are left out.
inline std::vector<int> split_warps(int warps, int blocks) {
  std::vector<int> split;
  for (int b = 0; b < std::min(warps, blocks); ++b)
    split.push_back((warps - b + blocks - 1) / blocks);
  return split;
}

}  // namespace smsim
