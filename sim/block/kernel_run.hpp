// SPDX-License-Identifier: MIT
// Kernel run: a loop in a kernel of more thread blocks than an SM holds, from its first cycle to
// its last.
#pragma once

#include <cstdint>

#include "core/cycle.hpp"
#include "smsim/arch.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// What one SM gets of a kernel whose thread blocks have a warp for each processing block.
struct KernelLaunch {
  int thread_blocks = 1;         ///< of which SimulateOptions::warps says how many are resident
  std::uint64_t iterations = 1;  ///< of the loop, by each warp
  Cycle launch_cycles = 500;     ///< a thread block's last issue to the first one of the next
};

/// Cycles that the kernel takes, for each iteration of all resident warps. Where a scheduler
/// prefers some warps, those are done first and make room for the next thread blocks; how many are
/// left at the end, and how far, decides how long it takes. Only the first processing block is run:
/// of loops that use no shared unit all blocks do alike. Errors: those of `simulate`.
Expected<double> kernel_cycles(const Program& program, const Arch& arch,
                               const SimulateOptions& options, const KernelLaunch& launch);

}  // namespace smsim
