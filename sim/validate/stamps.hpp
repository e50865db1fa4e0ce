// SPDX-License-Identifier: MIT
// Time stamps: what the CS2R instructions of a loop read from the clock, measured and predicted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "smsim/arch.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace smsim::validate {

/// Cycles by warp of one processing block and by CS2R of the loop, counted from the block's first.
using Stamps = std::vector<std::vector<std::int64_t>>;

/// One processing block in one measured run.
struct StampRecord {
  int run = 0;  ///< from 0, in the suite's order
  int block = 0;
  Stamps stamps;
};

/// Stamps this near to each other agree but for one cycle.
inline constexpr std::int64_t kNearCycles = 1;

/// Iterations before the record is read, as in the measurements: it is that of each warp's last.
inline constexpr std::uint64_t kStampIterations = 200;

/// A predicted block beside the record that it is nearest to. Which of the block's warps leads is
/// not compared: each predicted warp stands beside the measured one that suits it.
struct StampMatch {
  std::size_t stamps = 0;  ///< of all warps of the block
  std::size_t exact = 0;
  std::size_t near = 0;       ///< at most kNearCycles apart
  std::int64_t furthest = 0;  ///< cycles between the two stamps that are furthest apart
  StampRecord record;
  Stamps predicted;  ///< in the order of the record's warps

  bool is_exact() const { return exact == stamps; }
  bool is_near() const { return near == stamps; }
};

/// The record that is nearest to what was predicted of its own block, counting stamps that are near
/// first, exact ones second. `predicted` is by block. Empty if there is no record. Records and
/// predictions have the same shape.
std::optional<StampMatch> nearest_record(const std::vector<StampRecord>& records,
                                         const std::vector<Stamps>& predicted);

/// The stamps of each processing block in a run of kStampIterations. Errors: those of simulate; and
/// bad_input if a record has another shape than the loop on this architecture.
Expected<std::vector<Stamps>> predict_stamps(const Program& program, const Arch& arch,
                                             const SimulateOptions& options,
                                             const std::vector<StampRecord>& records);

/// A sequence that is run once: its figure is the cycles from one instruction to another, from what
/// they read of the clock if both do that, else from their issue.
struct TimedPart {
  std::size_t from = 0;  ///< instructions of the listing, from 0
  std::size_t to = 0;
  int block = 0;  ///< on the first warp of this processing block
};

/// Cycles of the part in one pass of the code. Errors: those of simulate; and bad_input if it has
/// no such instruction or block.
Expected<double> predict_part(const Program& program, const Arch& arch,
                              const SimulateOptions& options, const TimedPart& part);

}  // namespace smsim::validate
