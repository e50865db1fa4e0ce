// SPDX-License-Identifier: MIT
// Maximum cycle ratio: of all cycles of a dependency graph, the one that takes most time an
// iteration.
#include "analysis/cycle_ratio.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/howard_cycle_ratio.hpp>
#include <numeric>

namespace smsim::analysis {
namespace {

using EdgeIndex = boost::property<boost::edge_index_t, std::size_t>;
using Distance = boost::property<boost::edge_weight2_t, int, EdgeIndex>;
using Cycles = boost::property<boost::edge_weight_t, int, Distance>;
using Graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Cycles>;
using Edge = boost::graph_traits<Graph>::edge_descriptor;

/// Whether some cycle exists: without one the algorithm has nothing to compare.
bool is_cyclic(std::size_t nodes, const std::vector<RatioEdge>& edges) {
  std::vector<std::size_t> incoming(nodes, 0);
  std::vector<std::vector<std::size_t>> next(nodes);
  for (const RatioEdge& e : edges) {
    ++incoming[e.to];
    next[e.from].push_back(e.to);
  }
  std::vector<std::size_t> free;
  for (std::size_t n = 0; n < nodes; ++n)
    if (incoming[n] == 0) free.push_back(n);
  std::size_t done = 0;
  while (!free.empty()) {
    const std::size_t n = free.back();
    free.pop_back();
    ++done;
    for (const std::size_t to : next[n])
      if (--incoming[to] == 0) free.push_back(to);
  }
  return done < nodes;
}

}  // namespace

std::optional<CriticalCycle> maximum_cycle_ratio(std::size_t nodes,
                                                 const std::vector<RatioEdge>& edges) {
  if (!is_cyclic(nodes, edges)) return std::nullopt;
  Graph graph(nodes);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const RatioEdge& e = edges[i];
    boost::add_edge(e.from, e.to, Cycles(e.cycles, Distance(e.distance, EdgeIndex(i))), graph);
  }
  std::vector<Edge> critical;
  boost::maximum_cycle_ratio(graph, boost::get(boost::vertex_index, graph),
                             boost::get(boost::edge_weight, graph),
                             boost::get(boost::edge_weight2, graph), &critical);
  CriticalCycle cycle;
  cycle.iterations = 0;
  for (const Edge& e : critical) {
    const std::size_t i = boost::get(boost::edge_index, graph, e);
    cycle.edges.push_back(i);
    cycle.cycles += edges[i].cycles;
    cycle.iterations += edges[i].distance;
  }
  if (cycle.iterations == 0) return std::nullopt;
  return cycle;
}

CriticalCycle longest_path(std::size_t nodes, const std::vector<RatioEdge>& edges) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return edges[a].to < edges[b].to; });
  std::vector<long> at(nodes, 0);
  std::vector<std::size_t> by(nodes, kNone);
  for (const std::size_t i : order) {
    const RatioEdge& e = edges[i];
    if (e.distance != 0 || at[e.from] + e.cycles <= at[e.to]) continue;
    at[e.to] = at[e.from] + e.cycles;
    by[e.to] = i;
  }
  CriticalCycle path;
  if (nodes == 0) return path;
  auto node = static_cast<std::size_t>(std::max_element(at.begin(), at.end()) - at.begin());
  path.cycles = at[node];
  for (; by[node] != kNone; node = edges[by[node]].from) path.edges.push_back(by[node]);
  return path;
}

}  // namespace smsim::analysis
