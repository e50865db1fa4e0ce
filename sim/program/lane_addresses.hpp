// SPDX-License-Identifier: MIT
// Lane addresses: how far apart the addresses of a warp's lanes are in each memory instruction, as
// the function's own arithmetic tells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "smsim/program.hpp"

namespace smsim::program {

struct LaneOffsets {
  bool known = false;
  std::array<std::int64_t, 32> bytes{};  ///< relative to lane 0's address
};

/// The offsets of a function's instructions; most have none.
class LaneTable {
 public:
  explicit LaneTable(std::size_t instructions = 0) : at_(instructions, 0) {}

  void set(std::size_t instruction, const LaneOffsets& offsets) {
    offsets_.push_back(offsets);
    at_[instruction] = static_cast<std::uint32_t>(offsets_.size() - 1);
  }
  std::size_t size() const { return at_.size(); }
  const LaneOffsets& operator[](std::size_t instruction) const {
    return offsets_[at_[instruction]];
  }

 private:
  std::vector<std::uint32_t> at_;            ///< by instruction, into offsets_
  std::vector<LaneOffsets> offsets_ = {{}};  ///< the first one: not known
};

/// Filled for instructions with an address in memory (the first, if there are two). An abstract
/// interpretation of the whole function: a register is a base common to the warp, of which some
/// bits are known, plus an offset in each lane; or it is not known. Joins of control flow keep what
/// is the same on all ways; where lanes that a branch has parted meet again, nothing is kept of
/// what they have written meanwhile. Two things are taken for granted: warps are 32 threads in a
/// row in x (a function that reads SR_TID.Y or .Z has blocks of another shape, and its SR_TID.X is
/// not known), and a sum in an address does not wrap round 2^32 between two lanes.
LaneTable infer_lane_offsets(const Function& function);

/// Whether warps may be taken for 32 threads in a row in x: nobody asks for another dimension.
bool warps_are_rows(const Function& function);

}  // namespace smsim::program
