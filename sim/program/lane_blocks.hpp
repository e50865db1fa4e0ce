// SPDX-License-Identifier: MIT
// Basic blocks of a function, and where lanes that a branch has parted come together again.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/flow.hpp"
#include "smsim/program.hpp"

namespace smsim::program {

/// Registers and predicates that code writes.
struct WriteSet {
  std::bitset<256> registers;
  std::uint8_t predicates = 0;

  WriteSet& operator|=(const WriteSet& other);
  void add(const Instruction& instruction);
  void add_all();
  bool any() const { return registers.any() || predicates != 0; }
};

/// Straight-line code: control enters at the first instruction and leaves behind the last.
struct Block {
  std::size_t first = 0;
  std::size_t last = 0;  ///< inclusive
  std::vector<std::size_t> successors;
  std::vector<std::size_t> predecessors;
  WriteSet writes;  ///< of a call at its end as well
  WriteSet called;  ///< what that call may write
};

struct BlockGraph {
  std::vector<Block> blocks;        ///< by address; the first is the function's entry
  std::vector<std::size_t> parent;  ///< immediate postdominators; kNowhere: the function's end
  bool complete = true;             ///< false: a branch to an address in a register
};

BlockGraph build_blocks(const Function& function);

/// Lanes that part at the end of a block may have run different code, or the same code unequally
/// often, when they meet again: what has been written in between is not one thing for the warp.
struct Meeting {
  std::size_t block = 0;
  WriteSet written;
};
std::vector<Meeting> meetings_of(const BlockGraph& graph, std::size_t parted_at_end_of);

}  // namespace smsim::program
