// SPDX-License-Identifier: MIT
// What a report page shows: a recording, the bounds beside it, and the loop with other numbers of
// warps.
#include "smsim/report.hpp"

#include <algorithm>
#include <array>

#include "block/prepare.hpp"

namespace smsim {
namespace {

/// Warps on each processing block at the points of the curve.
constexpr std::array<int, 9> kWarpsOfBlock{1, 2, 3, 4, 6, 8, 10, 12, 16};

Expected<std::vector<OccupancyPoint>> occupancy_curve(const Program& program, const Arch& arch,
                                                      const SimulateOptions& options) {
  std::vector<int> warps{options.warps};
  for (const int each : kWarpsOfBlock)
    if (each * arch.processing_blocks <= arch.max_warps)
      warps.push_back(each * arch.processing_blocks);
  std::sort(warps.begin(), warps.end());
  warps.erase(std::unique(warps.begin(), warps.end()), warps.end());
  // The loop as it was recorded, also where the input is a trace, which predictions replay.
  const auto prepared = prepare(program, arch, options);
  if (!prepared) return tl::unexpected(prepared.error());
  std::vector<OccupancyPoint> curve;
  for (const int n : warps) {
    SimulateOptions changed = options;
    changed.warps = n;
    const auto result = simulate(*prepared, arch, changed);
    if (!result) return tl::unexpected(result.error());
    curve.push_back({n, result->cycles_per_iteration});
  }
  return curve;
}

}  // namespace

Expected<LoopReport> make_report(const Program& program, const Arch& arch,
                                 const SimulateOptions& options, const RecordOptions& window) {
  auto recording = record(program, arch, options, window);
  if (!recording) return tl::unexpected(std::move(recording.error()));
  auto limits = bounds(program, arch, options);
  if (!limits) return tl::unexpected(std::move(limits.error()));
  auto curve = occupancy_curve(program, arch, options);
  if (!curve) return tl::unexpected(std::move(curve.error()));
  return LoopReport{std::move(*recording), std::move(*limits), std::move(*curve)};
}

}  // namespace smsim
