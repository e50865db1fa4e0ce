// SPDX-License-Identifier: MIT
// Where control goes from an instruction: the flow graph that loops and paths are found in.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "isa/op_class.hpp"
#include "smsim/program.hpp"

namespace smsim::program {

inline constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

/// How an instruction passes control on.
enum class Transfer : std::uint8_t {
  next,      ///< to the instruction behind it
  branch,    ///< to its target, or on if it is conditional
  call,      ///< to its target, and back
  leave,     ///< EXIT, RET: out of the function; on if it is conditional
  indirect,  ///< to an address in a register
};

/// One instruction as a node; indices are into Function::instructions.
struct FlowNode {
  Transfer transfer = Transfer::next;
  bool is_return = false;    ///< leave: RET rather than EXIT
  bool conditional = false;  ///< may also go on to the next instruction
  bool never = false;        ///< guarded by a predicate that is never true
  std::size_t target = kNowhere;
  std::size_t next = kNowhere;  ///< the instruction behind it
};

/// One node an instruction.
using Flow = std::vector<FlowNode>;

Flow build_flow(const Function& function);

/// The index of the instruction at that address; kNowhere if there is none.
std::size_t index_at(const Function& function, std::uint64_t address);

/// A backward branch whose target dominates it: the end of a natural loop.
struct BackEdge {
  std::size_t from = 0;
  std::size_t to = 0;
};
std::vector<BackEdge> find_back_edges(const Flow& flow);

/// As find_loops(), for who has the flow.
std::vector<Loop> loops_of(const Function& function, const Flow& flow);

}  // namespace smsim::program
