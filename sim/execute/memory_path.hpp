// SPDX-License-Identifier: MIT
// Memory path: the fixed stages between the issue of a memory instruction and the release of its
// barriers.
#pragma once

namespace smsim::memory_path {

/// The units add up these stages, and the compile step takes them off a measured latency: an
/// instruction on an idle machine then takes exactly that latency. Source: H200 suite, `lat.*` and
/// `war.*`, and own bursts of 1 to 64 memory instructions.
inline constexpr int kReadToRelease = 2;   ///< last register's read to the read release
inline constexpr int kUnitToReturn = 1;    ///< last wavefront to the first pass over the bus
inline constexpr int kReturnToWrite = 8;   ///< end of the last pass to the last register's write
inline constexpr int kWriteToRelease = 3;  ///< that write to the write barrier's release
inline constexpr int kUnitToRelease = kUnitToReturn + kReturnToWrite + kWriteToRelease;

/// Without a register to read, the entry ends this much before the instruction's turn.
inline constexpr int kEntryToRelease = 3;

}  // namespace smsim::memory_path
