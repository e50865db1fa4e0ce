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
  arch.instruction_cache.fetch_target_cycles = 3;
  arch.instruction_cache.fetch_line_cycles = 2;
  return arch;
}

StaticInst branch() {
  StaticInst inst;
  inst.taken_branch = true;
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

TEST_CASE("a line in sequence goes before a branch's, which takes two cycles longer") {
  FetchPort port(h200(), 2);
  port.issued(1, branch(), 100);
  port.issued(0, last_of_line(), 103);
  CHECK(comes_at(port, 1, StaticInst{}, 101) == 112);
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
