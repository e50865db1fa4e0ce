// SPDX-License-Identifier: MIT
// Basic blocks of a function, and where lanes that a branch has parted come together again.
#include "program/lane_blocks.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "isa/accesses.hpp"
#include "isa/opcode.hpp"

namespace smsim::program {
namespace {

using isa::OpClass;

OpClass class_of(const Instruction& in) {
  const isa::OpcodeRow* row = isa::find_opcode(in.opcode);
  return row == nullptr ? OpClass::nop : row->op_class;
}

/// Where each convergence barrier lets lanes go on together.
using Convergences = std::map<int, std::set<std::size_t>>;

int barrier_of(const Instruction& in) {
  return in.operands.empty() ? -1 : static_cast<int>(in.operands.front().index);
}

Convergences find_convergences(const Function& function) {
  Convergences all;
  for (const Instruction& in : function.instructions) {
    if (class_of(in) != OpClass::bssy) continue;
    for (const Operand& op : in.operands) {
      if (op.kind != OperandKind::label && op.kind != OperandKind::immediate) continue;
      const std::size_t to = index_at(function, static_cast<std::uint64_t>(op.value));
      if (to != kNowhere) all[barrier_of(in)].insert(to);
    }
  }
  return all;
}

class Builder {
 public:
  explicit Builder(const Function& function)
      : function_(function),
        flow_(build_flow(function)),
        convergences_(find_convergences(function)) {}

  BlockGraph build() {
    cut();
    for (std::size_t b = 0; b < graph_.blocks.size(); ++b) connect(b);
    for (std::size_t b = 0; b < graph_.blocks.size(); ++b) add_call(b);
    find_postdominators();
    return std::move(graph_);
  }

 private:
  std::vector<std::size_t> successors_of(std::size_t at) const {
    const FlowNode& node = flow_[at];
    std::vector<std::size_t> all;
    const bool goes_on = node.conditional || node.transfer == Transfer::next ||
                         node.transfer == Transfer::call || node.transfer == Transfer::indirect;
    if (goes_on && node.next != kNowhere) all.push_back(node.next);
    if (node.transfer == Transfer::branch && !node.never && node.target != kNowhere)
      all.push_back(node.target);
    const Instruction& in = function_.instructions[at];
    if (class_of(in) == OpClass::bsync && !in.target) synchronise(at, all);
    return all;
  }

  /// BSYNC goes to where the BSSY of its barrier said, as a rule to what is behind it.
  void synchronise(std::size_t at, std::vector<std::size_t>& all) const {
    const auto found = convergences_.find(barrier_of(function_.instructions[at]));
    if (found == convergences_.end() || found->second.contains(at + 1)) return;
    all.insert(all.end(), found->second.begin(), found->second.end());
  }

  void cut() {
    const std::size_t n = flow_.size();
    std::vector<bool> leads(n + 1, false);
    next_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      next_[i] = successors_of(i);
      if (flow_[i].target != kNowhere) leads[flow_[i].target] = true;
      const bool straight =
          flow_[i].transfer == Transfer::next && next_[i].size() == 1 && next_[i].front() == i + 1;
      if (!straight) leads[i + 1] = true;
      for (const std::size_t to : next_[i])
        if (to != i + 1) leads[to] = true;
    }
    block_of_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == 0 || leads[i]) graph_.blocks.emplace_back().first = i;
      block_of_[i] = graph_.blocks.size() - 1;
      graph_.blocks.back().last = i;
      graph_.blocks.back().writes.add(function_.instructions[i]);
    }
  }

  void connect(std::size_t b) {
    Block& block = graph_.blocks[b];
    for (const std::size_t to : next_[block.last]) {
      const std::size_t other = block_of_[to];
      block.successors.push_back(other);
      graph_.blocks[other].predecessors.push_back(b);
    }
    if (flow_[block.last].transfer == Transfer::indirect &&
        class_of(function_.instructions[block.last]) != OpClass::call)
      graph_.complete = false;
  }

  void add_call(std::size_t b) {
    Block& block = graph_.blocks[b];
    if (class_of(function_.instructions[block.last]) != OpClass::call) return;
    const std::size_t target = flow_[block.last].target;
    if (target == kNowhere) {
      block.called.add_all();
    } else {
      const auto [known, is_new] = written_by_.try_emplace(target);
      if (is_new) known->second = written_from(block_of_[target]);
      block.called = known->second;
    }
    block.writes |= block.called;
  }

  /// What is written from a block on, in what that calls as well.
  WriteSet written_from(std::size_t first) const {
    WriteSet written;
    std::vector<bool> seen(graph_.blocks.size(), false);
    std::vector<std::size_t> open = {first};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (seen[at]) continue;
      seen[at] = true;
      const Block& callee = graph_.blocks[at];
      written |= callee.writes;
      open.insert(open.end(), callee.successors.begin(), callee.successors.end());
      const FlowNode& end = flow_[callee.last];
      if (end.transfer == Transfer::call) open.push_back(block_of_[end.target]);
      if (end.transfer == Transfer::indirect) written.add_all();
    }
    return written;
  }

  /// The iteration of Cooper, Harvey and Kennedy on the reversed graph. A node behind the last
  /// stands for the function's end.
  void find_postdominators() {
    const std::size_t end = graph_.blocks.size();
    order_blocks();
    std::vector<std::size_t> parent(end + 1, kNowhere);
    parent[end] = end;
    const auto meet = [&](std::size_t left, std::size_t right) {
      while (left != right) {
        while (position_[left] > position_[right]) left = parent[left];
        while (position_[right] > position_[left]) right = parent[right];
      }
      return left;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::size_t b : order_) {
        std::size_t best = leaves(b) ? end : kNowhere;
        for (const std::size_t to : graph_.blocks[b].successors) {
          if (parent[to] == kNowhere) continue;
          best = best == kNowhere ? to : meet(best, to);
        }
        changed = changed || best != parent[b];
        parent[b] = best;
      }
    }
    parent.pop_back();
    std::replace(parent.begin(), parent.end(), end, kNowhere);
    graph_.parent = std::move(parent);
  }

  /// A conditional EXIT is no way out: the lanes that take it meet nobody.
  bool leaves(std::size_t b) const { return graph_.blocks[b].successors.empty(); }

  /// Reverse postorder from the function's end, against the arrows.
  void order_blocks() {
    const std::size_t n = graph_.blocks.size();
    std::vector<bool> visited(n, false);
    for (std::size_t b = 0; b < n; ++b)
      if (leaves(b)) visit(b, visited);
    std::reverse(order_.begin(), order_.end());
    position_.assign(n + 1, kNowhere);
    position_[n] = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i + 1;
  }

  void visit(std::size_t from, std::vector<bool>& visited) {
    if (visited[from]) return;
    visited[from] = true;
    std::vector<std::pair<std::size_t, std::size_t>> stack = {{from, 0}};
    while (!stack.empty()) {
      auto& [block, next] = stack.back();
      const auto& before = graph_.blocks[block].predecessors;
      if (next == before.size()) {
        order_.push_back(block);
        stack.pop_back();
        continue;
      }
      const std::size_t to = before[next++];
      if (visited[to]) continue;
      visited[to] = true;
      stack.emplace_back(to, 0);
    }
  }

  const Function& function_;
  Flow flow_;
  Convergences convergences_;
  std::map<std::size_t, WriteSet> written_by_;  ///< by the first instruction of what is called
  BlockGraph graph_;
  std::vector<std::vector<std::size_t>> next_;
  std::vector<std::size_t> block_of_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> position_;
};

/// The blocks from one on, up to but without `stop`: as a rule few of a function's.
std::unordered_set<std::size_t> reach(const BlockGraph& graph, std::size_t from, std::size_t stop) {
  std::unordered_set<std::size_t> seen;
  std::vector<std::size_t> open = {from};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at == stop || !seen.insert(at).second) continue;
    const auto& next = graph.blocks[at].successors;
    open.insert(open.end(), next.begin(), next.end());
  }
  return seen;
}

}  // namespace

WriteSet& WriteSet::operator|=(const WriteSet& other) {
  registers |= other.registers;
  predicates = static_cast<std::uint8_t>(predicates | other.predicates);
  return *this;
}

void WriteSet::add_all() {
  registers.set();
  predicates = 0x7f;
}

void WriteSet::add(const Instruction& instruction) {
  const isa::OpcodeRow* row = isa::find_opcode(instruction.opcode);
  if (row == nullptr) return add_all();
  const isa::Accesses all = isa::accesses(row, instruction);
  for (const isa::RegisterAccess& access : all.writes)
    for (std::size_t r = 0; r < access.count; ++r) registers.set(access.first + r);
  predicates = static_cast<std::uint8_t>(predicates | all.predicate_writes);
}

BlockGraph build_blocks(const Function& function) { return Builder(function).build(); }

std::vector<Meeting> meetings_of(const BlockGraph& graph, std::size_t parted) {
  const std::size_t end = graph.parent[parted];
  const auto& ways = graph.blocks[parted].successors;
  std::map<std::size_t, int> reached;  // in the order of the code
  WriteSet written;
  for (const std::size_t way : ways)
    for (const std::size_t b : reach(graph, way, end))
      if (reached[b]++ == 0) written |= graph.blocks[b].writes;
  std::vector<Meeting> meetings;
  if (end != kNowhere) meetings.push_back({end, written});
  for (const auto& [b, count] : reached) {
    const bool joins = graph.blocks[b].predecessors.size() > 1 ||
                       std::find(ways.begin(), ways.end(), b) != ways.end();
    if (count > 1 && joins) meetings.push_back({b, written});
  }
  return meetings;
}

}  // namespace smsim::program
