// SPDX-License-Identifier: MIT
// Where control goes from an instruction: the flow graph that loops and paths are found in.
#include "program/flow.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "isa/code_layout.hpp"
#include "isa/opcode.hpp"

namespace smsim::program {
namespace {

using isa::OpClass;

Transfer transfer_of(OpClass op_class) {
  switch (op_class) {
    case OpClass::bra:
    case OpClass::jmp:
      return Transfer::branch;
    case OpClass::call:
      return Transfer::call;
    case OpClass::ret:
    case OpClass::exit:
      return Transfer::leave;
    case OpClass::brx:
    case OpClass::jmx:
      return Transfer::indirect;
    default:
      return Transfer::next;
  }
}

bool is_predicate(OperandKind kind) {
  return kind == OperandKind::predicate || kind == OperandKind::uniform_predicate;
}

/// A guard, or a predicate among the operands that is asked too: BRA !P1, 0x80; BRA.DIV ~URZ, 0x80;
/// EXIT P2.
bool is_conditional(const Instruction& instruction, Transfer transfer) {
  if (instruction.guard.index != kPT || instruction.guard.negated) return true;
  const std::size_t asked = transfer == Transfer::branch ? 2 : 1;
  const bool asks = transfer == Transfer::branch || transfer == Transfer::leave;
  if (!asks || instruction.operands.size() < asked) return false;
  const Operand& first = instruction.operands.front();
  if (transfer == Transfer::leave && !is_predicate(first.kind)) return false;
  return !is_predicate(first.kind) || first.index != kPT || first.negated;
}

FlowNode make_node(const Function& function, std::size_t index) {
  const Instruction& instruction = function.instructions[index];
  const isa::OpcodeRow* row = isa::find_opcode(instruction.opcode);
  FlowNode node;
  if (row != nullptr) {
    node.transfer = transfer_of(row->op_class);
    node.is_return = row->op_class == OpClass::ret;
  }
  node.conditional = is_conditional(instruction, node.transfer);
  // Whatever else has a target goes there: SYNC and BRK, and Kepler's FFMA.S.
  if (instruction.target && node.transfer == Transfer::next) node.transfer = Transfer::branch;
  node.never = instruction.guard.index == kPT && instruction.guard.negated;
  const std::size_t next = index + 1;
  const isa::CodeLayout layout = isa::code_layout(function.sm);
  if (next < function.instructions.size() &&
      layout.follows(instruction.address, function.instructions[next].address)) {
    node.next = next;
  }
  if (instruction.target) node.target = index_at(function, *instruction.target);
  if (node.transfer == Transfer::call && node.target == kNowhere)
    node.transfer = Transfer::indirect;
  return node;
}

/// At most two nodes. Long texts have millions of them, so they lie in the list itself.
struct Successors {
  std::array<std::size_t, 2> nodes{};
  std::size_t count = 0;

  void add(std::size_t node) { nodes[count++] = node; }
  const std::size_t* begin() const { return nodes.data(); }
  const std::size_t* end() const { return nodes.data() + count; }
};

/// Successors within the function; a call comes back.
Successors successors(const FlowNode& node) {
  Successors all;
  const bool goes_on = node.conditional || node.transfer == Transfer::next ||
                       node.transfer == Transfer::call || node.transfer == Transfer::indirect;
  if (goes_on && node.next != kNowhere) all.add(node.next);
  if (node.transfer == Transfer::branch && !node.never && node.target != kNowhere) {
    all.add(node.target);
  }
  return all;
}

/// Immediate dominators by the iteration of Cooper, Harvey and Kennedy, on instructions. A node
/// behind the last one stands in front of every entry: the first instruction, what is called, and
/// what nothing else leads to.
class Dominators {
 public:
  explicit Dominators(const Flow& flow) : flow_(flow), root_(flow.size()) {
    successors_.reserve(flow.size());
    for (const FlowNode& node : flow) successors_.push_back(successors(node));
    find_predecessors();
    order_all();
    solve();
  }

  bool dominates(std::size_t above, std::size_t below) const {
    while (position_[below] > position_[above]) below = parent_[below];
    return below == above;
  }

 private:
  void find_predecessors() {
    first_predecessor_.assign(flow_.size() + 1, 0);
    for (const Successors& all : successors_)
      for (const std::size_t to : all) ++first_predecessor_[to];
    std::partial_sum(first_predecessor_.begin(), first_predecessor_.end(),
                     first_predecessor_.begin());
    predecessors_.resize(first_predecessor_.back());
    // Backwards, so that each list ascends and its end becomes its begin.
    for (std::size_t i = flow_.size(); i-- > 0;)
      for (const std::size_t to : successors_[i]) predecessors_[--first_predecessor_[to]] = i;
  }

  /// Reverse postorder from every entry; the root comes first.
  void order_all() {
    position_.assign(flow_.size() + 1, kNowhere);
    visited_.assign(flow_.size(), false);
    if (!flow_.empty()) visit(0);
    for (const FlowNode& node : flow_) {
      if (node.transfer == Transfer::call) visit(node.target);
    }
    for (std::size_t i = 0; i < flow_.size(); ++i) visit(i);
    order_.push_back(root_);
    std::reverse(order_.begin(), order_.end());
    for (std::size_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
  }

  void visit(std::size_t entry) {
    if (visited_[entry]) return;
    entries_.push_back(entry);
    visited_[entry] = true;
    std::vector<std::pair<std::size_t, std::size_t>> stack = {{entry, 0}};
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next < successors_[node].count) {
        const std::size_t to = successors_[node].nodes[next++];
        if (!visited_[to]) {
          visited_[to] = true;
          stack.emplace_back(to, 0);
        }
      } else {
        order_.push_back(node);
        stack.pop_back();
      }
    }
  }

  void solve() {
    parent_.assign(flow_.size() + 1, kNowhere);
    parent_[root_] = root_;
    for (const std::size_t entry : entries_) parent_[entry] = root_;
    std::vector<bool> is_entry(flow_.size(), false);
    for (const std::size_t entry : entries_) is_entry[entry] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::size_t node : order_) {
        if (node == root_ || is_entry[node]) continue;
        const std::size_t parent = common_parent(node);
        changed = changed || parent != parent_[node];
        parent_[node] = parent;
      }
    }
  }

  std::size_t common_parent(std::size_t node) const {
    std::size_t parent = kNowhere;
    for (std::size_t p = first_predecessor_[node]; p < first_predecessor_[node + 1]; ++p) {
      const std::size_t from = predecessors_[p];
      if (parent_[from] == kNowhere) continue;
      parent = parent == kNowhere ? from : meet(parent, from);
    }
    return parent;
  }

  std::size_t meet(std::size_t left, std::size_t right) const {
    while (left != right) {
      while (position_[left] > position_[right]) left = parent_[left];
      while (position_[right] > position_[left]) right = parent_[right];
    }
    return left;
  }

  const Flow& flow_;
  std::size_t root_;
  std::vector<Successors> successors_;
  std::vector<std::size_t> predecessors_;       ///< of all nodes, in the order of nodes
  std::vector<std::size_t> first_predecessor_;  ///< by node, and behind the last one the end
  std::vector<std::size_t> entries_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> position_;
  std::vector<std::size_t> parent_;
  std::vector<bool> visited_;
};

}  // namespace

std::size_t index_at(const Function& function, std::uint64_t address) {
  const auto found = std::lower_bound(
      function.instructions.begin(), function.instructions.end(), address,
      [](const Instruction& one, std::uint64_t wanted) { return one.address < wanted; });
  if (found == function.instructions.end() || found->address != address) return kNowhere;
  return static_cast<std::size_t>(found - function.instructions.begin());
}

Flow build_flow(const Function& function) {
  Flow flow;
  flow.reserve(function.instructions.size());
  for (std::size_t i = 0; i < function.instructions.size(); ++i) {
    flow.push_back(make_node(function, i));
  }
  return flow;
}

std::vector<BackEdge> find_back_edges(const Flow& flow) {
  const Dominators dominators(flow);
  std::vector<BackEdge> edges;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    const FlowNode& node = flow[i];
    if (node.transfer != Transfer::branch || node.never || node.target == kNowhere) continue;
    // A branch to itself that nothing lets out is the padding behind EXIT.
    const bool padding = node.target == i && !node.conditional;
    if (node.target > i || padding) continue;
    if (dominators.dominates(node.target, i)) edges.push_back({i, node.target});
  }
  return edges;
}

}  // namespace smsim::program
