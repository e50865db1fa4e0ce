// SPDX-License-Identifier: MIT
// Interference: which webs may not share a register, since both are needed, or one of them is still
// being written or read by an instruction under way.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <map>
#include <vector>

#include "isa/control_word.hpp"
#include "optimize/liveness.hpp"
#include "smsim/arch.hpp"

namespace smsim::optimize {

/// Configs say when a value may be read at the earliest; whoever takes over a register stays away
/// from it for some cycles more, as configs differ in how sure their latencies are.
inline constexpr int kLatencyMargin = 4;

/// Cycles to the warp's next instruction at least, whatever the device: a long stall count without
/// a yield request may mean less than it says. held_cycles() is what the config says of it, which
/// lint judges by; names are not to rest on that.
inline int least_cycles(const ControlWord& control) {
  return control.stall > isa::kLongestPlainStall && !control.yield ? 1 : control.stall;
}

/// What may issue less than `cycles` behind an instruction, and how soon.
std::map<std::size_t, int> issued_within(const Function& function, const Liveness& live,
                                         std::size_t from, int cycles);

/// A vertex a web.
using InterferenceGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

/// Control codes were made for the old names, so a name is taken for longer than its value is
/// needed: a result of fixed latency until that is over, counted in stall counts; a result or a
/// source of variable latency until somebody waits for its barrier, or for good if nobody can.
/// All webs of a zero run are taken from its first instruction on. Webs that are under way at a
/// call or a return are pinned in `live`.
InterferenceGraph find_interference(const Function& function, const Arch& arch, Liveness& live);

}  // namespace smsim::optimize
