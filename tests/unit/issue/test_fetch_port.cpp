// SPDX-License-Identifier: MIT
// Fetch port: when the code lines come that the warps of a block ask for.
#include <doctest/doctest.h>

#include "issue/fetch_port.hpp"

using namespace smsim;

namespace {

Arch h200() {
  Arch arch;
  arch.scheduler.taken_branch_cycles = 10;
  arch.instruction_cache.fetch_request_cycles = 7;
  arch.instruction_cache.line_request_cycles = 4;
  arch.instruction_cache.fetch_at_once_cycles = 3;
  arch.instruction_cache.fetch_waited_cycles = 2;
  arch.instruction_cache.fetch_retry_cycles = 3;
  return arch;
}

StaticInst branch() {
  StaticInst inst;
  inst.taken_branch = true;
  return inst;
}

/// The last instruction of its line.
StaticInst branch_at_line_end() {
  StaticInst inst = branch();
  inst.line_last = true;
  return inst;
}

StaticInst first_of_line() {
  StaticInst inst;
  inst.line_first = true;
  return inst;
}

StaticInst last_of_line() {
  StaticInst inst;
  inst.line_last = true;
  return inst;
}

/// The first cycle from `now` on in which warp `w` has its next instruction.
Cycle comes_at(FetchPort& port, std::size_t w, const StaticInst& inst, Cycle now) {
  for (; now < 1000; ++now) {
    port.step(now);
    if (port.here_at(w, inst) <= now) return now;
  }
  return kNever;
}

}  // namespace

TEST_CASE("a warp alone does not use the port, and neither do devices whose config has none") {
  CHECK_FALSE(FetchPort(h200(), 1).in_use());
  CHECK(FetchPort(h200(), 2).in_use());
  CHECK_FALSE(FetchPort(Arch{}, 2).in_use());
}

TEST_CASE("a target comes ten cycles behind its branch, the line behind it three later") {
  FetchPort port(h200(), 2);
  port.issued(0, branch(), 100);
  CHECK(comes_at(port, 0, StaticInst{}, 101) == 110);
  CHECK(comes_at(port, 0, first_of_line(), 110) == 113);
  CHECK(port.here_at(1, StaticInst{}) == 0);  // the other warp is not concerned
}

TEST_CASE("of two branches whose fetches meet the younger warp's comes first") {
  FetchPort port(h200(), 2);
  port.issued(0, branch(), 100);
  port.issued(1, branch(), 100);
  FetchPort same = port;
  CHECK(comes_at(port, 1, StaticInst{}, 101) == 110);
  CHECK(comes_at(same, 0, StaticInst{}, 101) == 115);  // behind its target, 3, and its line, 2
}

TEST_CASE("a second branch is late by what it meets of the first one's three fetches") {
  // the first's target in cycles 7 to 9, its lines from 10 and 12 on; the second asks at 7 + apart
  const auto second_comes = [](Cycle apart) {
    FetchPort port(h200(), 2);
    port.issued(0, branch(), 0);
    Cycle now = 0;
    for (; now < apart; ++now) port.step(now);
    port.issued(1, branch(), apart);
    return comes_at(port, 1, StaticInst{}, now) - apart;
  };
  CHECK(second_comes(1) == 14);
  CHECK(second_comes(2) == 13);
  CHECK(second_comes(3) == 14);  // in the cycle in which a line begins: it has to ask again
  CHECK(second_comes(4) == 10);  // between two lines
  CHECK(second_comes(5) == 13);
  CHECK(second_comes(6) == 10);
  CHECK(second_comes(7) == 10);
}

TEST_CASE("a branch that asks as a line is fetched at once takes three cycles longer") {
  FetchPort port(h200(), 2);
  port.issued(1, branch(), 100);
  port.issued(0, last_of_line(), 103);
  CHECK(comes_at(port, 1, StaticInst{}, 101) == 113);
}

TEST_CASE("a fetch that was waiting makes way a cycle sooner") {
  FetchPort port(h200(), 2);
  port.issued(0, branch(), 0);
  port.issued(1, branch(), 2);
  // the second's target in cycles 12 and 13, the first's second line in 14 and 15, then its own
  CHECK(comes_at(port, 1, StaticInst{}, 3) == 15);
  CHECK(comes_at(port, 1, first_of_line(), 15) == 19);
}

TEST_CASE(
    "a branch that ends a line asks for one more, which its own target may have to wait for") {
  const auto second_comes = [](const StaticInst& inst, Cycle apart) {
    FetchPort port(h200(), 2);
    port.issued(0, branch(), 0);
    Cycle now = 0;
    for (; now < apart; ++now) port.step(now);
    port.issued(1, inst, apart);
    return comes_at(port, 1, StaticInst{}, now) - apart;
  };
  // asked for in cycle 11, behind the first one's lines from 14 on, when the target is asked for
  CHECK(second_comes(branch_at_line_end(), 7) == 13);
  CHECK(second_comes(branch(), 7) == 10);
  CHECK(second_comes(branch_at_line_end(), 20) == 10);
}

TEST_CASE("a line keeps the port for two cycles, also if it did not wait") {
  FetchPort port(h200(), 3);
  for (Cycle now = 0; now < 100; ++now) port.step(now);
  port.issued(0, last_of_line(), 100);  // asks in cycle 104
  port.issued(1, last_of_line(), 101);
  port.issued(2, branch(), 100);  // in cycle 107, when the second line has begun in 106
  CHECK(comes_at(port, 2, StaticInst{}, 102) == 110);
}

TEST_CASE("what a warp asked for ahead is given up when its target has been turned away") {
  FetchPort port(h200(), 3);
  port.issued(0, branch(), 0);  // target in 7 to 9, its lines from 10 on
  for (Cycle now = 0; now < 4; ++now) port.step(now);
  port.issued(2, last_of_line(), 4);  // in 12 and 13
  port.step(4);
  port.issued(1, branch_at_line_end(), 5);  // asks in 9, its target in 12; the first's line in 14
  CHECK(comes_at(port, 1, StaticInst{}, 5) == 19);
}

TEST_CASE("the line after the next is asked for when a line ends, so straight code does not wait") {
  FetchPort port(h200(), 2);
  for (Cycle now = 0; now < 200; ++now) {  // warp 0 issues in each cycle
    port.step(now);
    const StaticInst inst = now % 8 == 7              ? last_of_line()
                            : now % 8 == 0 && now > 0 ? first_of_line()
                                                      : StaticInst{};
    REQUIRE(port.here_at(0, inst) <= now);
    port.issued(0, inst, now);
  }
}

TEST_CASE("while nobody asks, no next event comes from the port") {
  FetchPort port(h200(), 2);
  CHECK(port.next_event(0) == kNever);
  port.issued(0, branch(), 0);
  CHECK(port.next_event(0) == 1);
}
