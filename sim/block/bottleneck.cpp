// SPDX-License-Identifier: MIT
// The one sentence on what limits a loop.

#include "block/bottleneck.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "block/resources.hpp"

namespace smsim {
namespace {

constexpr double kSaturated = 0.98;
constexpr double kConcentrated = 0.25;  ///< from this share on, one instruction is worth naming

double share(std::uint64_t slots, const Result& result) {
  const double all = static_cast<double>(result.window_cycles) * result.processing_blocks;
  return all > 0 ? 100.0 * static_cast<double>(slots) / all : 0;
}

/// Share of the slots of blocks that hold a warp.
double issue_share(const Result& result) {
  const auto idle = result.slots[static_cast<std::size_t>(StallReason::no_warp)];
  const double all = static_cast<double>(result.window_cycles) * result.processing_blocks -
                     static_cast<double>(idle);
  return all > 0 ? static_cast<double>(result.slots[0]) / all : 0;
}

std::size_t worst_reason(const Result& result) {
  std::size_t worst = 0;
  for (std::size_t r = 1; r < kStallReasonCount; ++r) {
    if (r == static_cast<std::size_t>(StallReason::no_warp)) continue;
    if (worst == 0 || result.slots[r] > result.slots[worst]) worst = r;
  }
  return worst;
}

std::string lost_sentence(const Result& result) {
  const std::size_t reason = worst_reason(result);
  const auto row = std::max_element(result.instructions.begin(), result.instructions.end(),
                                    [&](const InstructionRow& a, const InstructionRow& b) {
                                      return a.slots[reason] < b.slots[reason];
                                    });
  std::string text = fmt::format("{} loses {:.0f} % of the issue slots", kStallReasons[reason].name,
                                 share(result.slots[reason], result));
  if (row != result.instructions.end() && row->slots[reason] > 0) {
    const double part =
        static_cast<double>(row->slots[reason]) / static_cast<double>(result.slots[reason]);
    text += part < kConcentrated ? ", spread over the loop"
                                 : fmt::format(", {:.0f} % of them before 0x{:04x} {}", 100 * part,
                                               row->address, row->text);
  }
  return text + fmt::format(": {}.", kStallReasons[reason].help);
}

/// The busiest of what several instructions share, if it is saturated: pipes that stand in for each
/// other, and the units of the memory path.
std::string shared_sentence(const Result& result, const CompiledLoop& loop, const Arch& arch) {
  if (!result.is_loop || !loop.is_loop || result.cycles_per_iteration <= 0) return {};
  const ResourceMatrix matrix = resource_use(loop, arch);
  const Eigen::VectorXd busy = busy_cycles(matrix, true, result.warps, arch);
  std::string text;
  double most = kSaturated;
  for (std::size_t r = 0; r < matrix.resources.size(); ++r) {
    const Resource& resource = matrix.resources[r];
    const double share = busy[static_cast<Eigen::Index>(r)] / result.cycles_per_iteration;
    if (share < most) continue;
    most = share;
    text = fmt::format("{} is busy {:.0f} % of the time: {}.", resource.name,
                       100 * std::min(1.0, share), resource.help);
  }
  return text;
}

}  // namespace

std::string bottleneck_sentence(const Result& result, const CompiledLoop& loop, const Arch& arch) {
  if (issue_share(result) >= kSaturated) return "Issue slots: every cycle issues an instruction.";
  const auto pipe =
      std::max_element(result.pipes.begin(), result.pipes.end(),
                       [](const PipeUse& a, const PipeUse& b) { return a.busy < b.busy; });
  if (pipe != result.pipes.end() && pipe->busy >= kSaturated)
    return fmt::format("The {} pipe is busy {:.0f} % of the time.", pipe->name, 100 * pipe->busy);
  const auto bank =
      std::max_element(result.banks.begin(), result.banks.end(),
                       [](const BankUse& a, const BankUse& b) { return a.busy < b.busy; });
  if (bank != result.banks.end() && bank->busy >= kSaturated)
    return fmt::format("Register bank {} is read {:.0f} % of the time.", bank->bank,
                       100 * bank->busy);
  const std::string shared = shared_sentence(result, loop, arch);
  return shared.empty() ? lost_sentence(result) : shared;
}

}  // namespace smsim
