// SPDX-License-Identifier: MIT
// The instructions of one iteration, in the order in which a warp issues them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/flow.hpp"
#include "program/lane_addresses.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"

namespace smsim {

/// What to follow.
struct LoopRequest {
  enum class Kind : std::uint8_t {
    automatic,  ///< the innermost loop with most instructions; without loops the whole function
    number,     ///< as find_loops lists them, from 0
    address,    ///< the innermost loop that begins there
    range,      ///< addresses of the first and the last instruction, both inclusive
    all         ///< the whole function, one pass
  };
  Kind kind = Kind::automatic;
  std::size_t number = 0;
  std::uint64_t start = 0;  ///< of a range, or the address
  std::uint64_t end = 0;
  /// range: the listing is a loop's body; from its last instruction it goes on with the first,
  /// without a branch.
  bool wraps = false;
  /// Address of a branch, call or exit -> whether it is taken. A call that is not taken is skipped.
  std::map<std::uint64_t, bool> branches;

  bool operator==(const LoopRequest&) const = default;
};

/// Reads "", "2", "0x80", "0x80-0x120" or "all". Error: usage.
Expected<LoopRequest> parse_loop_request(std::string_view text);

/// The loop of a request by number or by address. Error: usage.
Expected<Loop> named_loop(const Function& function, const LoopRequest& request);

struct PathStep {
  std::size_t index = 0;        ///< into Function::instructions
  bool taken = false;           ///< control does not go on to the instruction behind it
  bool predicated_off = false;  ///< its guard is never true (@!PT): issues and does nothing
  std::uint32_t lanes = 0;      ///< 1 + index into Path::traced_lanes; 0: as of the instruction
};

struct Path {
  std::vector<PathStep> steps;
  bool is_loop = false;
  Loop loop;                             ///< what is repeated; else the whole function
  std::vector<Loop> other_loops;         ///< the loops of the function that were not chosen
  std::vector<std::string> assumptions;  ///< branches that nobody has decided, by address
  std::shared_ptr<const program::LaneTable> lanes;  ///< of the function; null: not inferred
  std::vector<program::LaneOffsets> traced_lanes;   ///< that a trace gives
};

/// Follows one iteration or one pass. By default conditional branches forward fall through (unless
/// only their target leads back to the start), loops inside run once, predicated EXIT and RET do
/// not leave, calls are followed; each such choice is an assumption. Errors: usage (no such loop,
/// a choice for what is no branch), bad_input (the path cannot be followed, or never comes back).
/// The program gives errors their file and excerpt; the function need not be in it.
Expected<Path> build_path(const Program& program, const Function& function,
                          const LoopRequest& request);
Expected<Path> build_path(const Function& function, const LoopRequest& request);

/// The same, for who has the function's flow and loops.
Expected<Path> find_path(const Program& program, const Function& function,
                         const program::Flow& flow, const std::vector<Loop>& loops,
                         const LoopRequest& request);

}  // namespace smsim
