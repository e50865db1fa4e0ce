// SPDX-License-Identifier: MIT
// Physics of ports that several units share: the feed of memory and special functions, and the way
// of their results to the banks.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "execute/load_write_back.hpp"
#include "execute/special_functions.hpp"
#include "operand/bank_ports.hpp"
#include "operand/register_feed.hpp"
#include "support/small_machine.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

StaticInst shuffle(int barrier, int stall) {
  StaticInst inst = plain(stall);
  inst.pipe = 3;
  inst.route = Route::memory;
  inst.reads_apart = true;
  inst.memory.data_count = 1;
  inst.memory.wavefronts = 1;
  inst.memory.passes = 1;
  inst.memory.returns = true;
  inst.write_count = 1;
  inst.write_barrier = static_cast<std::uint8_t>(barrier);
  return inst;
}

/// A special function that reads an even register.
StaticInst special(int stall) {
  StaticInst inst = on_pipe(2, 8, stall);
  inst.route = Route::special;
  inst.reads_apart = true;
  inst.read_count = 1;
  return inst;
}

StaticInst load_to_bank_0() {
  StaticInst load = shuffle(2, 1);
  load.write_banks[0] = 0;
  return load;
}

/// From the last load or shuffle to what waits for it.
Cycle end_to_end(const std::vector<StaticInst>& code) {
  const auto at = issue_cycles(straight(code));
  return at.back() - at[at.size() - 2];
}

}  // namespace

TEST_CASE("a load that finds its port taken sixteen times stops the pipeline for three cycles") {
  const StaticInst load = load_to_bank_0();
  LoadWriteBack writes;
  BankPorts fixed;
  const BankPorts none;
  ReleaseQueue releases;
  NoEvents sink;
  writes.add({&load, 0, 0, 20});
  int stops = 0;
  for (Cycle now = 18; now < 80; ++now) {
    if (writes.stops(now))
      ++stops;
    else
      fixed.take(0, now);  // each instruction that is not stopped takes the port
    writes.tick(now, fixed, none, releases, sink);
  }
  CHECK(stops == 3);
  CHECK(releases.next() == 20 + 15 + 3 + 3 + 1);
}

TEST_CASE("a load waits for a special function's result in any bank, and for what that put off") {
  const auto released = [](Cycle mark, Cycle other) {
    const StaticInst load = load_to_bank_0();
    LoadWriteBack writes;
    BankPorts fixed;
    BankPorts specials;
    ReleaseQueue releases;
    NoEvents sink;
    specials.take(1, mark);
    fixed.take(1, other);
    writes.add({&load, 0, 0, 20});
    for (Cycle now = 18; now < 30; ++now) writes.tick(now, fixed, specials, releases, sink);
    return releases.next() - 3;
  };
  CHECK(released(21, 10) == 21);
  CHECK(released(22, 10) == 20);
  CHECK(released(20, 10) == 20);
  CHECK(released(20, 19) == 21);  // the result of bank 1 that met it goes a cycle later
}

TEST_CASE("data that comes as the feed ends another read waits a cycle, and later data does not") {
  const Cycle alone = end_to_end({shuffle(0, 2), waits_for(0)});
  for (const int distance : {2, 3, 4})
    CHECK(end_to_end({shuffle(1, distance), shuffle(0, 2), waits_for(0)}) ==
          alone + (distance == 2 ? 1 : 0));
  // the third of three finds the second still waiting, and follows it at once
  CHECK(end_to_end({shuffle(1, 2), shuffle(2, 2), shuffle(0, 2), waits_for(0)}) == alone + 1);
  CHECK(end_to_end({special(2), shuffle(0, 2), waits_for(0)}) == alone + 1);
}

TEST_CASE("a special function that waits for its pipe does not keep the feed from others") {
  const Cycle alone = end_to_end({shuffle(0, 2), waits_for(0)});
  std::vector<Cycle> late;
  for (int distance = 2; distance < 11; ++distance)
    late.push_back(end_to_end({special(1), special(distance), shuffle(0, 2), waits_for(0)}) -
                   alone);
  CHECK(std::all_of(late.begin(), late.end(), [](Cycle c) { return c <= 2; }));
  CHECK(std::count(late.begin(), late.end(), 0) >= 5);
}

TEST_CASE("a bypass that the feed's read of its bank keeps busy is there in the next cycle") {
  const auto last_issue = [](int bank_of_special) {
    StaticInst writer = plain(2);
    writer.write_first = 20;
    writer.write_count = 1;
    StaticInst other = special(2);
    other.reads[0].reg = static_cast<std::uint8_t>(bank_of_special);
    other.reads[0].bank = static_cast<std::uint8_t>(bank_of_special);
    std::vector<StaticInst> code{writer, other, reads({20})};
    code.insert(code.end(), 9, plain());
    return issue_cycles(straight(code)).back();
  };
  CHECK(last_issue(0) == last_issue(1) + 1);
}

TEST_CASE("a special function begins a cycle later if what leaves then meets another's result") {
  const auto released = [](bool leaves, std::size_t bank) {
    StaticInst inst = special(1);
    inst.latency = 20;
    inst.write_barrier = 0;
    StaticInst leaving = plain();
    leaving.write_count = 1;
    leaving.write_banks[0] = 1;
    SpecialFunctions unit(2);
    RegisterFeed feed(small_arch());
    ReleaseQueue releases;
    BankPorts writes;
    NoEvents sink;
    writes.take(bank, 11);
    unit.reserve();
    unit.enter(inst, 0, 10);
    for (Cycle now = 10; now < 14; ++now) {
      unit.tick(now, 0, false, feed, sink);
      unit.begin(now, 0, leaves && now == 10 ? &leaving : nullptr, releases, writes, sink);
    }
    return releases.next();
  };
  CHECK(released(true, 1) == released(true, 0) + 1);
  CHECK(released(false, 1) == released(true, 0));  // what lacks an operand does not leave
}
