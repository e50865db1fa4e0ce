// SPDX-License-Identifier: MIT
// Finds the loops of a function: natural loops that end with a backward branch.
#include <algorithm>
#include <map>

#include "program/code_facts.hpp"
#include "program/flow.hpp"
#include "smsim/program.hpp"

namespace smsim {

std::vector<Loop> find_loops(const Function& function) {
  return program::code_facts(function)->loops();
}

std::vector<Loop> program::loops_of(const Function& function, const Flow& flow) {
  // Several branches back to one start (continue) are one loop, which ends with the last.
  std::map<std::size_t, std::size_t> end_of;
  for (const program::BackEdge& edge : program::find_back_edges(flow)) {
    std::size_t& end = end_of[edge.to];
    end = std::max(end, edge.from);
  }
  std::vector<Loop> loops;
  // The earliest end of those that start later: whether one of them lies inside.
  std::size_t earliest = program::kNowhere;
  for (auto one = end_of.rbegin(); one != end_of.rend(); ++one) {
    const auto [start, end] = *one;
    Loop loop;
    loop.start = function.instructions[start].address;
    loop.end = function.instructions[end].address;
    loop.instructions = end - start + 1;
    loop.innermost = earliest > end;
    earliest = std::min(earliest, end);
    loops.push_back(loop);
  }
  std::reverse(loops.begin(), loops.end());
  return loops;
}

}  // namespace smsim
