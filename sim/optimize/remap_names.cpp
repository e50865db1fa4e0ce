// SPDX-License-Identifier: MIT
// Remap, the names: an assignment of registers to webs that can be changed without ever becoming
// wrong.
#include "optimize/remap_names.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace smsim::optimize {
namespace {

constexpr int kLargestBlock = 32;

std::size_t at(int web) { return static_cast<std::size_t>(web); }

/// By web, the smallest web of those that move together.
std::vector<std::size_t> together(const Liveness& live) {
  std::vector<std::size_t> parent(live.webs.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto find = [&](std::size_t x) {
    while (parent[x] != x) x = parent[x] = parent[parent[x]];
    return x;
  };
  for (std::size_t i = 0; i < live.accesses.size(); ++i)
    for (const WebAccess& access : live.accesses[i])
      for (const int web : access.webs)
        if (live.run_of[i] < 0) parent[find(at(web))] = find(at(access.webs.front()));
  for (std::size_t w = 0; w < parent.size(); ++w) parent[w] = find(w);
  return parent;
}

}  // namespace

Assignment::Assignment(const Liveness& live, const InterferenceGraph& graph, int limit)
    : graph_(graph), limit_(std::min(limit, kRZ)), group_of_(live.webs.size()) {
  const std::vector<std::size_t> root = together(live);
  std::vector<std::size_t> number(root.size(), root.size());
  for (std::size_t w = 0; w < root.size(); ++w) {
    names_.push_back(live.webs[w].reg);
    if (number[root[w]] == root.size()) {
      number[root[w]] = groups_.size();
      groups_.emplace_back();
    }
    group_of_[w] = number[root[w]];
    Group& group = groups_[group_of_[w]];
    group.webs.push_back(static_cast<int>(w));
    group.pinned = group.pinned || live.webs[w].pinned;
  }
  for (std::size_t i = 0; i < live.accesses.size(); ++i)
    for (const WebAccess& access : live.accesses[i]) {
      if (live.run_of[i] >= 0) continue;
      Group& group = groups_[group_of_[at(access.webs.front())]];
      group.align = std::max(group.align, static_cast<int>(std::bit_ceil(access.webs.size())));
    }
  run_of_web_.assign(live.webs.size(), nullptr);
  for (const ZeroRun& run : live.zero_runs)
    for (const auto& [web, use] : run.first_use) run_of_web_[at(web)] = &run;
  for (Group& group : groups_) group.pinned = group.pinned || block_size(group) == 0;
  in_chain_.assign(groups_.size(), false);
}

int Assignment::block_size(const Group& group) const {
  const auto less = [&](int a, int b) { return names_[at(a)] < names_[at(b)]; };
  const auto [low, high] = std::minmax_element(group.webs.begin(), group.webs.end(), less);
  for (int size = group.align; size <= kLargestBlock; size *= 2)
    if (names_[at(*low)] / size == names_[at(*high)] / size) return size;
  return 0;
}

std::size_t Assignment::places(std::size_t group) const {
  const int size = block_size(groups_[group]);
  return size == 0 ? 0 : static_cast<std::size_t>((limit_ + size - 1) / size);
}

/// Puts a group on the chain, if all of it lies in the two blocks and it may change between them.
bool Assignment::take(std::size_t group, int block, int from, int to) {
  const Group& one = groups_[group];
  if (one.pinned || ((to - from) * block) % one.align != 0) return false;
  for (const int web : one.webs) {
    const int reg = names_[at(web)];
    if (reg / block != from && reg / block != to) return false;
    if (!is_allowed(web, reg + (reg / block == from ? to - from : from - to) * block)) return false;
  }
  in_chain_[group] = true;
  chain_.push_back(group);
  return true;
}

bool Assignment::is_allowed(int web, int reg) const {
  if (reg >= limit_) return false;
  const ZeroRun* run = run_of_web_[at(web)];
  if (run == nullptr) return true;
  const auto age = run->age.find(reg);
  return age != run->age.end() && age->second + run->first_use.at(web) >= run->latency;
}

bool Assignment::gather(std::size_t first, int block, int from, int to) {
  if (!take(first, block, from, to)) return false;
  for (std::size_t next = 0; next < chain_.size(); ++next) {
    for (const int web : groups_[chain_[next]].webs) {
      const int reg = names_[at(web)];
      const int wanted =
          reg / block == from ? reg + (to - from) * block : reg + (from - to) * block;
      const auto [begin, end] = boost::adjacent_vertices(at(web), graph_);
      for (auto other = begin; other != end; ++other) {
        if (names_[*other] != wanted || in_chain_[group_of_[*other]]) continue;
        if (!take(group_of_[*other], block, from, to)) return false;
      }
    }
  }
  return true;
}

bool Assignment::move(std::size_t group, std::size_t place) {
  const int block = block_size(groups_[group]);
  if (block == 0 || groups_[group].pinned) return false;
  const int from = names_[at(groups_[group].webs.front())] / block;
  const int to = static_cast<int>(place);
  if (from == to) return false;
  chain_.clear();
  const bool works = gather(group, block, from, to);
  for (const std::size_t one : chain_) in_chain_[one] = false;
  if (!works) return false;
  undo_.clear();
  for (const std::size_t one : chain_)
    for (const int web : groups_[one].webs) {
      std::uint8_t& name = names_[at(web)];
      undo_.emplace_back(web, name);
      const int shift = (name / block == from ? to - from : from - to) * block;
      name = static_cast<std::uint8_t>(name + shift);
    }
  return true;
}

void Assignment::undo() {
  for (const auto& [web, name] : undo_) names_[at(web)] = name;
  undo_.clear();
}

}  // namespace smsim::optimize
