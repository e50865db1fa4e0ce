// SPDX-License-Identifier: MIT
// Which dependences a loop has, how long they hold, and which cycle is critical.
#include "unit/analysis/sample.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

DependencyGraph graph_of(const std::string& body, const GraphOptions& options = {}) {
  auto graph = dependency_graph(looped(body), hopper(), listing(), options);
  REQUIRE_MESSAGE(graph.has_value(), (graph ? "" : to_string(graph.error())));
  return *graph;
}

const DependenceEdge* edge(const DependencyGraph& graph, std::size_t from, std::size_t to,
                           int distance) {
  for (const DependenceEdge& e : graph.edges)
    if (e.from == from && e.to == to && e.distance == distance) return &e;
  return nullptr;
}

}  // namespace

TEST_CASE("an accumulator is a dependence on the iteration before") {
  const auto graph = graph_of("[B------:R-:W-:-:S04] FADD R1, R1, R2 ;");
  REQUIRE(edge(graph, 0, 0, 1) != nullptr);
  CHECK(edge(graph, 0, 0, 1)->what == "R1");
  CHECK(edge(graph, 0, 0, 1)->cycles == 4);
  CHECK(edge(graph, 0, 0, 1)->critical);
  CHECK(graph.cycles_per_iteration == doctest::Approx(4));
}

TEST_CASE("a chain through two instructions adds up their latencies") {
  const auto graph = graph_of(
      "[B------:R-:W-:-:S04] FADD R1, R3, R2 ;\n"
      "[B------:R-:W-:-:S05] IMAD.WIDE R2, R1, R4, R6 ;\n"
      "[B------:R-:W-:-:S04] FADD R3, R2, R2 ;");
  CHECK(edge(graph, 0, 1, 0) != nullptr);
  CHECK(edge(graph, 2, 0, 1) != nullptr);
  CHECK(graph.critical_iterations == 1);
  CHECK(graph.critical_cycles == 4 + 5 + 4);
}

TEST_CASE("a value that is written anew in each iteration is carried nowhere") {
  const auto graph = graph_of(
      "[B------:R-:W-:-:S04] MOV R1, R9 ;\n"
      "[B------:R-:W-:-:S04] FADD R2, R1, R1 ;");
  CHECK(edge(graph, 0, 1, 0) != nullptr);
  CHECK(graph.critical_iterations == 0);
  CHECK(graph.cycles_per_iteration == 0);
}

TEST_CASE("behind a guarded write the older value may still be read") {
  const auto graph = graph_of(
      "[B------:R-:W-:-:S04] MOV R1, R9 ;\n"
      "[B------:R-:W-:-:S04] @P1 MOV R1, R8 ;\n"
      "[B------:R-:W-:-:S04] FADD R2, R1, R1 ;");
  CHECK(edge(graph, 0, 2, 0) != nullptr);
  CHECK(edge(graph, 1, 2, 0) != nullptr);
}

TEST_CASE("predicates and uniform registers are dependences, too") {
  const auto graph = graph_of(
      "[B------:R-:W-:Y:S13] ISETP.GE.AND P0, PT, R1, R2, PT ;\n"
      "[B------:R-:W-:-:S06] UIADD3 UR4, UR4, 0x1, URZ ;");
  REQUIRE(edge(graph, 0, 2, 0) != nullptr);
  CHECK(edge(graph, 0, 2, 0)->kind == EdgeKind::predicate);
  CHECK(edge(graph, 0, 2, 0)->cycles == 13);
  REQUIRE(edge(graph, 1, 1, 1) != nullptr);
  CHECK(edge(graph, 1, 1, 1)->kind == EdgeKind::uniform_register);
}

TEST_CASE("a load takes the time in which its barrier goes down on an idle machine") {
  const auto graph = graph_of(
      "[B------:R-:W0:-:S02] LDS R4, [R6] ;\n"
      "[B0-----:R-:W-:-:S04] FADD R6, R4, R4 ;");
  REQUIRE(edge(graph, 0, 1, 0) != nullptr);
  CHECK(edge(graph, 0, 1, 0)->cycles == 23);
  CHECK(edge(graph, 0, 1, 0)->what == "R4 B0");
  CHECK(graph.critical_cycles == 23 + 4);
}

TEST_CASE("a stall count that is too short for a latency shows, and lowers the bound") {
  const auto graph = graph_of(
      "[B------:R-:W-:-:S01] FADD R1, R2, R3 ;\n"
      "[B------:R-:W-:-:S04] FADD R2, R1, R1 ;");
  REQUIRE(edge(graph, 0, 1, 0) != nullptr);
  CHECK(edge(graph, 0, 1, 0)->latency == 4);
  CHECK(edge(graph, 0, 1, 0)->cycles == 1);
}

TEST_CASE("with the issue order the critical cycle is that of a whole warp") {
  const auto graph = graph_of(
      "[B------:R-:W-:-:S07] FADD R1, R2, R3 ;\n"
      "[B------:R-:W-:-:S08] FADD R2, R4, R5 ;",
      {.issue_order = true});
  CHECK(graph.critical_cycles == 7 + 8 + 10);  // and the taken branch
}

TEST_CASE("a function without a loop has a longest path") {
  auto program = read_program(source_file("traces/hopper/saxpy.sass"));
  REQUIRE(program.has_value());
  SimulateOptions options;
  options.loop = "all";
  const auto graph = dependency_graph(*program, hopper(), options);
  REQUIRE(graph.has_value());
  CHECK_FALSE(graph->is_loop);
  CHECK(graph->critical_iterations == 0);
  CHECK(graph->cycles_per_iteration > 31);  // its global load alone
}
