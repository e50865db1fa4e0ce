// SPDX-License-Identifier: MIT
// A function as hazards see it: what each instruction reads and writes, and where control goes.
#include "optimize/hazards_code.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "program/flow.hpp"

namespace smsim::optimize {
namespace {

using isa::Purpose;
using isa::RegisterAccess;

Use use_of(Purpose purpose) {
  if (purpose == Purpose::address) return Use::address;
  return purpose == Purpose::store_data ? Use::store_data : Use::operand;
}

void add_reads(Space space, const std::vector<RegisterAccess>& list, Node& node) {
  for (const RegisterAccess& access : list) {
    for (int r = 0; r < access.count; ++r) {
      const auto index = static_cast<std::uint8_t>(access.first + r);
      node.reads.push_back(
          {{space, index}, use_of(access.purpose), access.slot, static_cast<std::uint8_t>(r)});
    }
  }
}

void add_writes(Space space, const std::vector<RegisterAccess>& list, Node& node) {
  for (const RegisterAccess& access : list) {
    for (int r = 0; r < access.count; ++r)
      node.writes.push_back(
          {{space, static_cast<std::uint8_t>(access.first + r)}, static_cast<std::uint8_t>(r)});
  }
}

bool names(std::uint8_t mask, int bit) { return ((mask >> bit) & 1) != 0; }

/// A branch asks its predicates when its guard is asked.
void add_predicates(Space space, std::uint8_t reads, std::uint8_t writes, Node& node) {
  const Guard& guard = node.in->guard;
  const bool branches = isa::is_branch(node.op_class) || isa::is_indirect_branch(node.op_class);
  for (int p = 0; p < kPT; ++p) {
    const Place place = {space, static_cast<std::uint8_t>(p)};
    const bool guards = guard.index == p && guard.uniform == (space == Space::uniform_predicate);
    if (names(reads, p))
      node.reads.push_back(
          {place, guards || branches ? Use::guard : Use::predicate, SourceSlot::none, 0});
    if (names(writes, p)) node.writes.push_back({place, 0});
  }
}

Node make_node(const Instruction& in) {
  Node node;
  node.in = &in;
  node.row = isa::find_opcode(in.opcode, in.control.format);
  if (node.row != nullptr) node.op_class = isa::class_of(*node.row, in);
  const isa::Accesses all = isa::accesses(node.row, in);
  add_reads(Space::reg, all.reads, node);
  add_reads(Space::uniform_reg, all.uniform_reads, node);
  add_writes(Space::reg, all.writes, node);
  add_writes(Space::uniform_reg, all.uniform_writes, node);
  add_predicates(Space::predicate, all.predicate_reads, all.predicate_writes, node);
  add_predicates(Space::uniform_predicate, all.uniform_predicate_reads,
                 all.uniform_predicate_writes, node);
  if (all.reads_carry) node.reads.push_back({{Space::carry, 0}, Use::operand, SourceSlot::none, 0});
  if (all.writes_carry) node.writes.push_back({{Space::carry, 0}, 0});
  return node;
}

/// Where a function that is called goes back to: behind every call, as nobody knows which.
void add_returns(const program::Flow& flow, Node& node) {
  for (const program::FlowNode& one : flow) {
    if (one.transfer == program::Transfer::call && one.next != program::kNowhere)
      node.next.push_back({one.next, true});
  }
}

}  // namespace

std::string to_string(Place place) {
  constexpr const char* kPrefix[] = {"R", "UR", "P", "UP"};
  if (place.space == Space::carry) return "CC";
  return fmt::format("{}{}", kPrefix[static_cast<std::size_t>(place.space)], place.index);
}

bool Node::reads_place(Place place) const {
  return std::any_of(reads.begin(), reads.end(),
                     [&](const PlaceRead& read) { return read.place == place; });
}

bool Node::writes_place(Place place) const {
  return std::any_of(writes.begin(), writes.end(),
                     [&](const PlaceWrite& write) { return write.place == place; });
}

Code build_code(const Function& function) {
  using program::Transfer;
  const program::Flow flow = program::build_flow(function);
  Code code;
  code.reserve(flow.size());
  for (std::size_t i = 0; i < flow.size(); ++i) {
    Node node = make_node(function.instructions[i]);
    const program::FlowNode& way = flow[i];
    const bool goes_on = way.conditional || way.transfer == Transfer::next;
    if (goes_on && way.next != program::kNowhere) node.next.push_back({way.next, false});
    const bool jumps = way.transfer == Transfer::branch || way.transfer == Transfer::call;
    if (jumps && !way.never && way.target != program::kNowhere)
      node.next.push_back({way.target, true});
    if (way.is_return) add_returns(flow, node);
    code.push_back(std::move(node));
  }
  return code;
}

bool exclusive(const Guard& one, const Guard& other) {
  return one.index == other.index && one.uniform == other.uniform && one.negated != other.negated;
}

bool covers(const Guard& first, const Guard& second) {
  if (first.index == kPT && !first.negated) return true;
  return first.index == second.index && first.uniform == second.uniform &&
         first.negated == second.negated;
}

}  // namespace smsim::optimize
