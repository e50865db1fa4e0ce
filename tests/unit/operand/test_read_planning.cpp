// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include "operand/front_end_cycles.hpp"
#include "operand/read_calendar.hpp"
#include "operand/read_pipeline.hpp"
#include "support/small_machine.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

/// A pipeline that took the instruction in cycle 0 and looks, in cycle 1, at ports of bank 0 that
/// others take in these cycles.
ReadPipeline with_ports_taken(const std::vector<StaticInst>& code, std::vector<Cycle> taken) {
  const Arch arch = small_arch();
  ReadPipeline pipeline(arch, 1, code, ReadPipeline::plans_of(arch, code));
  pipeline.accept(0, code.front(), 0, 0);
  BankPorts ports;
  for (const Cycle at : taken) ports.take(0, at);
  pipeline.serve(1, 1, ports, NobodySees{});
  return pipeline;
}

}  // namespace

TEST_CASE("a read that finds its port taken later on comes in the next cycle of its stages") {
  const std::vector code{reads({2})};  // of bank 0
  const ReadPipeline pipeline = with_ports_taken(code, {3});
  CHECK(pipeline.next_turn() == 5);
  CHECK(pipeline.reads(4)[0] == 0);
  CHECK(pipeline.reads(5)[0] == 1);
  CHECK(!pipeline.blocked(5));
}

TEST_CASE("an instruction whose port is taken in all its read stages stays until it is free") {
  const std::vector code{reads({2})};  // of bank 0
  ReadPipeline pipeline = with_ports_taken(code, {3, 4, 5});
  CHECK(pipeline.blocked(5));
  CHECK(!pipeline.blocked(6));
  CHECK(pipeline.leaves_before(7) != nullptr);
  CHECK(pipeline.leaves_before(6) == nullptr);
  CHECK(pipeline.next_urgent_turn() == 5);
  pipeline.shift(6);
  CHECK(pipeline.empty());
}

TEST_CASE("a standstill from behind puts off an instruction's last stage by a cycle") {
  const std::vector code{reads({2})};  // of bank 0
  ReadPipeline pipeline = with_ports_taken(code, {});
  CHECK(pipeline.next_turn() == 5);
  CHECK(pipeline.next_urgent_turn() == kNever);  // it leaves, and nobody needs to see it
  pipeline.stop(2, 2, false);
  CHECK(pipeline.next_turn() == 6);
}

TEST_CASE("a bank is free again when what was planned from a cycle on is forgotten") {
  ReadCalendar calendar(1);
  calendar.take(1, 7);
  calendar.take(1, 8);
  CHECK(calendar.first_free(1, 7) == 9);
  CHECK(calendar.first_free(0, 7) == 7);
  CHECK(calendar.feed(0b10, 8));  // somebody was to read then
  calendar.clear_from(7);
  CHECK(calendar.first_free(1, 7) == 7);
  CHECK(calendar.first_free(1, 8) == 9);  // what others take stays
}

TEST_CASE("the front end's times begin one cycle apart, and later behind a standstill") {
  FrontEndCycles cycles;
  cycles.begin_at(10, 4);
  CHECK(cycles.start_of(6) == 12);
  cycles.end_at(14, 6);  // two cycles longer than one
  CHECK(cycles.start_of(7) == 15);
  CHECK(cycles.start_of(9) == 17);
  CHECK(cycles.start_of(3) == 10);  // what lies before is not told apart
}
