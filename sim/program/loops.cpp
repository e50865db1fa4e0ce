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
  for (const auto& [start, end] : end_of) {
    Loop loop;
    loop.start = function.instructions[start].address;
    loop.end = function.instructions[end].address;
    loop.instructions = end - start + 1;
    loop.innermost =
        std::none_of(end_of.begin(), end_of.end(), [first = start, last = end](const auto& other) {
          return other.first != first && other.first >= first && other.second <= last;
        });
    loops.push_back(loop);
  }
  return loops;
}

}  // namespace smsim
