// SPDX-License-Identifier: MIT
// Memory shape: how many wavefronts, passes and cache lines the addresses of a warp's lanes need.
#pragma once

#include <cstdint>
#include <optional>

namespace smsim {

struct MemoryShape {
  int wavefronts = 1;  ///< of the load/store unit
  int passes = 1;      ///< of the result's return
  int lines = 1;       ///< L1 cache lines touched (global accesses)
};

/// Shared memory: groups of lanes share a wavefront: all 32 at 32 bits, 16 at 64 bits, 8 at 128
/// bits; twice as many at 64 and 128 bits when neighbours (lane and lane^1, or lane and lane^2)
/// have equal addresses throughout. A group takes as many wavefronts as its worst bank has distinct
/// words; an atomic as many as its worst bank has lanes. `lane_stride_bytes` is the distance
/// between two lanes' addresses; without one, no bank conflicts are assumed. Source: H200, 45 lane
/// patterns of LDS, STS and ATOMS, all exact.
MemoryShape shared_shape(int words, std::optional<int> lane_stride_bytes, bool atomic, int banks);

/// Global memory that hits L1: the same groups, never merged, and the lines they touch.
MemoryShape global_shape(int words, std::optional<int> lane_stride_bytes, int banks);

}  // namespace smsim
