// SPDX-License-Identifier: MIT
// Time stamps: what the CS2R instructions of a loop read from the clock, measured and predicted.
#include "validate/stamps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <tuple>

#include "block/issue_times.hpp"
#include "validate/stamped_kernel.hpp"

namespace smsim::validate {
namespace {

/// Up to so many warps every order is tried; more are matched in the order in which they lead.
constexpr std::size_t kMostPermuted = 6;

bool reads_clock(const Instruction& in) {
  return in.opcode.starts_with("CS2R") &&
         std::any_of(in.operands.begin(), in.operands.end(), [](const Operand& operand) {
           return operand.text.find("SR_CLOCK") != std::string::npos;
         });
}

/// Counts from the earliest stamp of the block.
void count_from_first(Stamps& block) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const auto& warp : block)
    for (const std::int64_t stamp : warp) first = std::min(first, stamp);
  for (auto& warp : block)
    for (std::int64_t& stamp : warp) stamp -= first;
}

/// Measured warp i beside predicted warp order[i].
StampMatch match(const StampRecord& record, const Stamps& predicted,
                 const std::vector<std::size_t>& order) {
  StampMatch result;
  for (std::size_t w = 0; w < order.size(); ++w) {
    const auto& warp = predicted[order[w]];
    for (std::size_t i = 0; i < warp.size(); ++i) {
      const std::int64_t apart = std::abs(warp[i] - record.stamps[w][i]);
      ++result.stamps;
      result.exact += apart == 0 ? 1 : 0;
      result.near += apart <= kNearCycles ? 1 : 0;
      result.furthest = std::max(result.furthest, apart);
    }
  }
  return result;
}

bool is_nearer(const StampMatch& a, const StampMatch& b) {
  return std::tie(a.near, a.exact, b.furthest) > std::tie(b.near, b.exact, a.furthest);
}

/// Indices of the warps in the order of their stamps: the leading one first.
std::vector<std::size_t> by_lead(const Stamps& block) {
  std::vector<std::size_t> order(block.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(block[a], a) < std::tie(block[b], b);
  });
  return order;
}

/// The predicted warps in the order that suits the record best.
StampMatch best_order(const StampRecord& record, const Stamps& predicted) {
  const std::vector<std::size_t> measured_lead = by_lead(record.stamps);
  const std::vector<std::size_t> predicted_lead = by_lead(predicted);
  std::vector<std::size_t> order(predicted.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[measured_lead[i]] = predicted_lead[i];
  StampMatch best = match(record, predicted, order);
  std::vector<std::size_t> best_of = order;
  if (order.size() <= kMostPermuted) {
    std::sort(order.begin(), order.end());
    do {
      const StampMatch other = match(record, predicted, order);
      if (!is_nearer(other, best)) continue;
      best = other;
      best_of = order;
    } while (std::next_permutation(order.begin(), order.end()));
  }
  best.record = record;
  for (const std::size_t w : best_of) best.predicted.push_back(predicted[w]);
  return best;
}

Expected<void> check_shape(const StampRecord& record, const std::vector<Stamps>& predicted) {
  const std::size_t block = static_cast<std::size_t>(record.block);
  const std::size_t warps = block < predicted.size() ? predicted[block].size() : 0;
  if (record.stamps.size() != warps)
    return fail(ErrorKind::bad_input,
                fmt::format("'stamps' has {} warps of block {}, which holds {}",
                            record.stamps.size(), record.block, warps));
  const std::size_t reads = predicted[block].front().size();
  for (const auto& warp : record.stamps)
    if (warp.size() != reads || reads == 0)
      return fail(ErrorKind::bad_input,
                  fmt::format("'stamps' has {} of a warp, and {} CS2R of the loop read the clock",
                              warp.size(), reads));
  return {};
}

/// That each warp leaves.
std::size_t stamps_of(const std::vector<StampRecord>& records) {
  const bool none = records.empty() || records.front().stamps.empty();
  return none ? 0 : records.front().stamps.front().size();
}

/// When the instruction of that index acts on the warp: reads the clock, or issues.
std::optional<Cycle> time_of(const IssueTimes& times, const WarpIssueTimes& warp,
                             std::size_t instruction, bool clock) {
  const auto step = std::find(times.instructions.begin(), times.instructions.end(), instruction);
  if (step == times.instructions.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(step - times.instructions.begin());
  return clock ? warp.clock_read[at] : warp.issue[at];
}

}  // namespace

std::optional<StampMatch> nearest_record(const std::vector<StampRecord>& records,
                                         const std::vector<Stamps>& predicted) {
  std::optional<StampMatch> best;
  for (const StampRecord& record : records) {
    StampMatch one = best_order(record, predicted[static_cast<std::size_t>(record.block)]);
    if (!best || is_nearer(one, *best)) best = std::move(one);
  }
  return best;
}

Expected<std::vector<Stamps>> predict_stamps(const Program& program, const Arch& arch,
                                             const SimulateOptions& options,
                                             const std::vector<StampRecord>& records) {
  const auto behind = code_behind_loop(arch, stamps_of(records));
  if (!behind) return tl::unexpected(behind.error());
  const auto times = issue_times(program, arch, options, kStampIterations,
                                 behind->functions.empty() ? nullptr : &behind->functions.front());
  if (!times) return tl::unexpected(times.error());
  std::vector<Stamps> blocks;
  for (const WarpIssueTimes& warp : times->warps) {
    blocks.resize(static_cast<std::size_t>(warp.block) + 1);
    auto& stamps = blocks.back().emplace_back();
    for (std::size_t i = 0; i < warp.clock_read.size(); ++i)
      if (reads_clock(times->function->instructions[times->instructions[i]]))
        stamps.push_back(warp.clock_read[i]);
  }
  for (Stamps& block : blocks) count_from_first(block);
  for (const StampRecord& record : records) {
    const auto fits = check_shape(record, blocks);
    if (!fits) return tl::unexpected(fits.error());
  }
  return blocks;
}

Expected<double> predict_part(const Program& program, const Arch& arch,
                              const SimulateOptions& options, const TimedPart& part) {
  const auto times = issue_times(program, arch, options, 1);
  if (!times) return tl::unexpected(times.error());
  const auto warp =
      std::find_if(times->warps.begin(), times->warps.end(),
                   [&](const WarpIssueTimes& one) { return one.block == part.block; });
  if (warp == times->warps.end())
    return fail(ErrorKind::bad_input, fmt::format("'timed': no warp is on block {}", part.block));
  const auto& code = times->function->instructions;
  const bool clock = part.from < code.size() && part.to < code.size() &&
                     reads_clock(code[part.from]) && reads_clock(code[part.to]);
  const auto from = time_of(*times, *warp, part.from, clock);
  const auto to = time_of(*times, *warp, part.to, clock);
  if (!from || !to)
    return fail(ErrorKind::bad_input,
                fmt::format("'timed': instruction {} is not executed", from ? part.to : part.from));
  return static_cast<double>(*to - *from);
}

}  // namespace smsim::validate
