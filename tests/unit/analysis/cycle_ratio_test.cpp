// SPDX-License-Identifier: MIT
// The maximum cycle ratio against an independent way to it.
#include "analysis/cycle_ratio.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace smsim::analysis;

namespace {

/// Whether a cycle exists whose cycles exceed `over / under` an iteration (Bellman-Ford on
/// cycles x under - over x distance).
bool exceeds(std::size_t nodes, const std::vector<RatioEdge>& edges, long over, long under) {
  std::vector<long> at(nodes, 0);
  for (std::size_t round = 0; round <= nodes; ++round) {
    bool moved = false;
    for (const RatioEdge& e : edges) {
      const long next = at[e.from] + e.cycles * under - over * e.distance;
      if (next <= at[e.to]) continue;
      at[e.to] = next;
      moved = true;
    }
    if (!moved) return false;
  }
  return true;
}

/// Edges forward within an iteration, and back to the next one.
std::vector<RatioEdge> random_edges(std::mt19937& random, std::size_t nodes, std::size_t count) {
  std::vector<RatioEdge> edges;
  for (std::size_t i = 0; i < count; ++i) {
    RatioEdge e{random() % nodes, random() % nodes, static_cast<int>(random() % 30), 0};
    e.distance = e.to > e.from ? static_cast<int>(random() % 2) : 1;
    edges.push_back(e);
  }
  return edges;
}

}  // namespace

TEST_CASE("of two cycles the one with more cycles an iteration is critical") {
  // 0 -> 1 -> 0 takes 9 in one iteration, 0 -> 2 -> 0 takes 16 in two
  const std::vector<RatioEdge> edges{{0, 1, 4, 0}, {1, 0, 5, 1}, {0, 2, 8, 1}, {2, 0, 8, 1}};
  const auto critical = maximum_cycle_ratio(3, edges);
  REQUIRE(critical.has_value());
  CHECK(critical->cycles == 9);
  CHECK(critical->iterations == 1);
  CHECK(critical->edges.size() == 2);
}

TEST_CASE("edges that lead nowhere back have no critical cycle") {
  CHECK_FALSE(maximum_cycle_ratio(3, {{0, 1, 4, 0}, {1, 2, 4, 0}}).has_value());
  CHECK_FALSE(maximum_cycle_ratio(2, {}).has_value());
}

TEST_CASE("no cycle of a random graph exceeds the critical one") {
  std::mt19937 random(1);
  int cyclic = 0;
  for (int i = 0; i < 300; ++i) {
    const std::size_t nodes = 1 + random() % 20;
    const auto edges = random_edges(random, nodes, 1 + random() % 50);
    const auto critical = maximum_cycle_ratio(nodes, edges);
    if (!critical) {
      CHECK_FALSE(exceeds(nodes, edges, -1, 1));
      continue;
    }
    ++cyclic;
    CHECK_FALSE(exceeds(nodes, edges, critical->cycles, critical->iterations));
    // and the critical one is a cycle: it leaves each node as often as it comes to it
    std::vector<int> balance(nodes, 0);
    for (const std::size_t e : critical->edges) {
      --balance[edges[e].from];
      ++balance[edges[e].to];
    }
    for (const int b : balance) CHECK(b == 0);
  }
  CHECK(cyclic > 100);
}

TEST_CASE("the longest path of a pass ignores what leads to another iteration") {
  const auto path =
      longest_path(4, {{0, 1, 4, 0}, {1, 3, 2, 0}, {0, 2, 5, 0}, {2, 3, 3, 0}, {3, 0, 99, 1}});
  CHECK(path.cycles == 8);
  CHECK(path.edges.size() == 2);
}
