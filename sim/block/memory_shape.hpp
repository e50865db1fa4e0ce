// SPDX-License-Identifier: MIT
// Memory shape: how many wavefronts, passes and cache lines the addresses of a warp's lanes need.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace smsim {

struct MemoryShape {
  int wavefronts = 1;  ///< of the load/store unit
  int passes = 1;      ///< of the result's return
  int lines = 1;       ///< L1 cache lines touched (global accesses)
};

/// Bytes from lane 0's address to each lane's.
using LaneAddresses = std::array<std::int64_t, 32>;

LaneAddresses strided_addresses(int stride_bytes);

/// Shared memory: groups of lanes share a wavefront: all 32 at 32 bits, 16 at 64 bits, 8 at 128
/// bits; twice as many at 64 and 128 bits when neighbours (lane and lane^1, or lane and lane^2)
/// have equal addresses throughout. A group takes as many wavefronts as its worst bank has distinct
/// words; an atomic as many as its worst bank has lanes. Without addresses, no bank conflicts are
/// assumed. Source: H200, 45 lane patterns of LDS, STS and ATOMS, all exact.
MemoryShape shared_shape(int words, const std::optional<LaneAddresses>& addresses, bool atomic,
                         int banks);

/// LDSM, STSM: eight lanes give the addresses of a matrix's rows, 16 bytes each; one wavefront a
/// matrix and more where rows meet in a bank.
MemoryShape matrix_shape(int matrices, const std::optional<LaneAddresses>& addresses, int banks);

/// Global memory that hits L1: the same groups, never merged, and the lines they touch.
MemoryShape global_shape(int words, const std::optional<LaneAddresses>& addresses, int banks);

}  // namespace smsim
