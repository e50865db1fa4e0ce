// SPDX-License-Identifier: MIT
// Liveness: the webs of a function, that is which uses of a register name belong to one value, and
// where each value is still needed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "program/flow.hpp"
#include "smsim/program.hpp"

namespace smsim::optimize {

/// What keeps one name: all definitions of a register that reach a common use, and all their uses.
struct Web {
  std::uint8_t reg = 0;
  bool pinned = false;  ///< somebody else knows it by this name
};

/// An operand's registers, a web for each. Consecutive registers stay consecutive.
struct WebAccess {
  std::uint8_t operand = 0;  ///< index into Instruction::operands
  bool write = false;
  std::vector<int> webs;
};

/// Instructions first to last set all of these webs to zero. Which one sets which does not matter,
/// as long as it has its result by the time that somebody needs it.
struct ZeroRun {
  std::size_t first = 0;
  std::size_t last = 0;
  int latency = 0;               ///< cycles
  std::map<int, int> first_use;  ///< by web: the least cycles behind the last issue; or the latency
  std::map<int, int> age;        ///< by register: cycles from its instruction's issue to the last
};

/// All lists of the outer level are by instruction of the function.
struct Liveness {
  std::vector<Web> webs;
  std::vector<std::vector<WebAccess>> accesses;
  std::vector<std::vector<int>> live_out;            ///< webs that are needed behind it
  std::vector<std::vector<std::size_t>> successors;  ///< within the function
  std::vector<bool> opaque;  ///< code that we do not see runs behind it: calls, returns
  std::vector<int> run_of;   ///< which zero run it belongs to; -1: none
  std::vector<ZeroRun> zero_runs;
  std::string obstacle;  ///< why every web is pinned; empty: they are not
  int registers = 0;     ///< one more than the highest number that is named
};

/// Per thread, as registers are: a guarded write leaves the old value possible. Pinned is what is
/// needed at the function's entry, at calls, returns and where the listing ends, and the stack
/// pointer; and everything, where a jump goes nobody knows where, or the opcode table does not
/// promise to know all registers of an instruction.
/// Zero runs are left empty: see remap_zeros.hpp.
Liveness find_webs(const Function& function);

}  // namespace smsim::optimize
