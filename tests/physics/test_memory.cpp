// SPDX-License-Identifier: MIT
// Physics of memory instructions: when their barriers are released, and what the shared unit adds.
#include <doctest/doctest.h>

#include <tuple>
#include <utility>
#include <vector>

#include "execute/load_store_unit.hpp"
#include "execute/load_write_back.hpp"
#include "execute/memory_queue.hpp"
#include "execute/register_buses.hpp"
#include "operand/bank_ports.hpp"
#include "operand/register_feed.hpp"
#include "scoreboard/release_queue.hpp"
#include "support/small_machine.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

StaticInst access(int data, int address, int wavefronts = 1, int passes = 1) {
  StaticInst inst = plain(2);
  inst.pipe = 3;
  inst.route = Route::memory;
  inst.reads_apart = true;
  inst.memory.data_count = static_cast<std::uint8_t>(data);
  inst.memory.address_count = static_cast<std::uint8_t>(address);
  inst.memory.wavefronts = static_cast<std::uint8_t>(wavefronts);
  inst.memory.passes = static_cast<std::uint8_t>(passes);
  inst.memory.returns = true;
  inst.write_first = 40;
  inst.write_count = 1;
  return inst;
}

struct RecordStarts {
  void started(Cycle now, int block, std::uint32_t, const StaticInst&) {
    at.emplace_back(now, block);
  }
  std::vector<std::pair<Cycle, int>> at;
};

struct RecordReads {
  void fed(Cycle now, int, std::uint32_t, const StaticInst&, std::size_t) { at.push_back(now); }
  std::vector<Cycle> at;
};

/// A memory queue with what it talks to, into which instructions come at these times.
struct QueueAlone {
  explicit QueueAlone(const std::vector<std::pair<StaticInst, Cycle>>& comes) : comes_(comes) {
    for (const auto& [inst, at] : comes_) {
      queue.reserve({});
      queue.enter(inst, 0, at);
    }
  }
  bool serve(Cycle now) { return queue.serve(now, 0, feed, unit, releases, reads); }

  Arch arch = small_arch();
  MemoryQueue queue{arch};
  RegisterFeed feed{arch};
  LoadStoreUnit unit{arch};
  ReleaseQueue releases;
  RecordReads reads;

 private:
  std::vector<std::pair<StaticInst, Cycle>> comes_;
};

/// Issue of a memory instruction to the issue of what waits for its write barrier (or its read
/// barrier).
Cycle distance(StaticInst inst, bool read_barrier) {
  (read_barrier ? inst.read_barrier : inst.write_barrier) = 0;
  const auto at = issue_cycles(straight({inst, waits_for(0)}));
  return at[1] - at[0];
}

}  // namespace

TEST_CASE(
    "a read barrier is released two cycles after the last register was read, one register in two "
    "cycles") {
  CHECK(distance(access(0, 1), true) == 6 + 2);      // LDS, LDS.128
  CHECK(distance(access(0, 2), true) == 6 + 2 + 2);  // LDG: two words of address
  CHECK(distance(access(1, 1), true) ==
        6 + 1 + 2 + 2);  // STS: data a cycle later, then the address
  CHECK(distance(access(4, 1), true) == 6 + 1 + 8 + 2);   // STS.128
  CHECK(distance(access(4, 2), true) == 6 + 1 + 10 + 2);  // STG.128
}

TEST_CASE("a load's latency is the sum of its stages") {
  for (const int registers : {1, 2}) {
    for (const int wavefronts : {1, 2, 4, 8}) {
      for (const int passes : {1, 2, 4}) {
        const Cycle to_unit = 6 + 2 * (registers - 1) + 4;
        const Cycle in_unit = 2 * (wavefronts - 1) + 1;
        const Cycle back = passes + 8 + 3;
        CHECK(distance(access(0, registers, wavefronts, passes), false) ==
              to_unit + in_unit + back);
      }
    }
  }
}

TEST_CASE("tags and the way through L1 add to a global load") {
  StaticInst load = access(0, 2);
  load.memory.global = true;
  const Cycle plain_load = distance(load, false);
  load.memory.return_extra = 6;
  CHECK(distance(load, false) == plain_load + 6);
  load.memory.tag_cycles = 4;
  CHECK(distance(load, false) == plain_load + 6 + 3);
}

TEST_CASE("one or two blocks get a wavefront in two cycles each, four share one a cycle") {
  const auto loop = straight(std::vector<StaticInst>(160, access(0, 1, 4, 1)));
  const Arch arch = small_arch();
  for (const auto& [blocks, cycles] : {std::pair{1UL, 8}, std::pair{2UL, 8}, std::pair{4UL, 16}}) {
    RecordIssues sink;
    Sm<GreedyThenLeastIssued, ReadPipeline, RecordIssues> sm(loop, arch,
                                                             std::vector<int>(blocks, 1), 1, sink);
    SteadyStateRunner runner(sm, true);
    runner.run_until(kNever);
    std::vector<Cycle> at;
    for (const IssueEvent& e : sink.events)
      if (e.block == 0) at.push_back(e.issue);
    CHECK(at[150] - at[100] == 50 * cycles);
  }
}

TEST_CASE("the unit starts what arrived first, and of equals the block served longest ago") {
  const StaticInst wide = access(0, 1, 4);
  const StaticInst narrow = access(0, 1, 1);
  LoadStoreUnit unit(small_arch());
  RecordStarts starts;
  unit.arrive(2, wide, 0, 10, false);
  unit.arrive(3, narrow, 0, 11, false);
  unit.arrive(1, narrow, 0, 13, false);  // finds a slot only when block 3's has ended
  unit.arrive(3, narrow, 0, 12, false);
  unit.arrive(0, narrow, 0, 13, false);
  for (Cycle now = 10; now < 30; ++now) unit.tick(now, starts);
  const std::vector<std::pair<Cycle, int>> expected{{10, 2}, {11, 3}, {13, 3}, {15, 0}, {17, 1}};
  CHECK(starts.at == expected);
}

TEST_CASE("a message of what has no address waits until no block's last register wants the bus") {
  RegisterBuses buses(small_arch());
  const BusRequest message{true, Bus::last, 5, false, true};
  const BusRequest address{true, Bus::last, 9, false, false};
  CHECK(buses.next(Bus::last, {message, address}, 9) == 1);
  CHECK(buses.next(Bus::last, {message, BusRequest{}}, 9) == 0);
}

TEST_CASE("an address that waits behind data is read a cycle after its grant, another in it") {
  for (const bool waits : {true, false}) {
    QueueAlone alone({{access(1, 1), 8}, {access(0, 1), waits ? 9 : 13}});
    for (const Cycle now : {8, 10, 13}) CHECK(alone.serve(now));
    CHECK(alone.reads.at == std::vector<Cycle>{9, 11, waits ? 14 : 13});
  }
}

TEST_CASE(
    "data that has been waiting asks in the last cycle of the read before, data that comes "
    "then in the next") {
  for (const Cycle comes : {Cycle{8}, Cycle{9}}) {
    QueueAlone alone({{access(0, 1), 8}, {access(1, 1), comes}});
    for (Cycle now = 8; now < 14; ++now)
      if (alone.queue.wants(now).asks) alone.serve(now);
    const Cycle first = comes == 8 ? 10 : 11;
    CHECK(alone.reads.at == std::vector<Cycle>{8, first, first + 2});
  }
}

TEST_CASE("the SM takes the last register of an instruction each so many cycles, going round") {
  const auto loop = straight(std::vector<StaticInst>(160, access(0, 1)));
  Arch arch = small_arch();
  arch.memory.last_register_interval_cycles = 2;
  for (const auto& [blocks, cycles] : {std::pair{1UL, 2}, std::pair{2UL, 4}, std::pair{4UL, 8}}) {
    RecordIssues sink;
    Sm<GreedyThenLeastIssued, ReadPipeline, RecordIssues> sm(loop, arch,
                                                             std::vector<int>(blocks, 1), 1, sink);
    SteadyStateRunner(sm, true).run_until(kNever);
    std::vector<Cycle> at;
    for (const IssueEvent& e : sink.events)
      if (e.block == 0) at.push_back(e.issue);
    CHECK(at[150] - at[100] == 50 * cycles);
  }
}

TEST_CASE("a loop with a memory instruction that reads no register has a steady state") {
  StaticInst branch = plain(5);
  branch.route = Route::control;
  branch.taken_branch = true;
  const auto out = run_loop(looped({access(0, 0), plain(), branch}), small_arch(), {4, 100, true});
  CHECK(out.steady.periodic);
}

TEST_CASE("the register feed reads one register in two cycles and keeps out of a taken bank port") {
  RegisterFeed feed(small_arch());
  CHECK(feed.read(0, 10) == 10);
  CHECK(feed.read(1, 10) == 12);
  CHECK(feed.read(1, 14) == 14);
  CHECK(feed.ports().taken(1, 12));
  CHECK_FALSE(feed.ports().taken(0, 12));
}

TEST_CASE(
    "a load waits a cycle for a write port that another result takes, and only for its own "
    "bank's") {
  for (const std::size_t bank : {0UL, 1UL}) {
    StaticInst load = access(0, 1);
    load.write_banks[0] = 0;
    load.write_barrier = 2;
    NoEvents none;
    LoadWriteBack writes;
    BankPorts fixed;
    const BankPorts special;
    ReleaseQueue releases;
    fixed.take(bank, 20);
    writes.add({&load, 0, 0, 20});
    for (Cycle now = 18; now < 24; ++now) writes.tick(now, fixed, special, releases, none);
    CHECK(releases.next() == (bank == 0 ? 21 + 3 : 20 + 3));
  }
}

TEST_CASE("a barrier set by a load is not seen at stall 1, and seen at stall 2") {
  StaticInst load = access(0, 1);
  load.write_barrier = 0;
  load.stall = 1;
  auto at = issue_cycles(straight({load, waits_for(0)}));
  CHECK(at[1] - at[0] == 1);
  load.stall = 2;
  at = issue_cycles(straight({load, waits_for(0)}));
  CHECK(at[1] - at[0] == 23);
}

TEST_CASE("a load's barrier is seen a cycle late by what comes to it then right behind an issue") {
  const auto distance_behind = [](const std::vector<StaticInst>& between) {
    StaticInst load = access(0, 1);
    load.write_barrier = 0;
    load.stall = 2;
    std::vector<StaticInst> code{load};
    code.insert(code.end(), between.begin(), between.end());
    code.push_back(waits_for(0));
    const auto at = issue_cycles(straight(code));
    return at.back() - at.front();
  };
  for (const auto& [others, cycles] : {std::pair{20, 23}, {21, 24}, {22, 24}})
    CHECK(distance_behind(std::vector<StaticInst>(static_cast<std::size_t>(others), plain())) ==
          cycles);
  CHECK(distance_behind({plain(10), plain(11)}) == 23);
}

TEST_CASE(
    "of an instruction's registers all but the last share one bus of the SM, the last ones "
    "another") {
  // with n registers on four blocks: n - 1 of each go over the first bus, one a cycle
  for (const auto& [data, address, cycles] :
       {std::tuple{0, 1, 4}, {0, 2, 4}, {1, 1, 4}, {2, 1, 8}, {1, 2, 8}, {2, 2, 12}, {4, 2, 20}}) {
    StaticInst store = access(data, address);
    store.memory.returns = false;
    const auto loop = straight(std::vector<StaticInst>(120, store));
    RecordIssues sink;
    const Arch arch = small_arch();
    Sm<GreedyThenLeastIssued, ReadPipeline, RecordIssues> sm(loop, arch, {1, 1, 1, 1}, 1, sink);
    SteadyStateRunner runner(sm, true);
    runner.run_until(kNever);
    std::vector<Cycle> at;
    for (const IssueEvent& e : sink.events)
      if (e.block == 0) at.push_back(e.issue);
    CHECK(at[100] - at[50] == 50 * cycles);
  }
}

namespace {

/// When each of two blocks sees the last of eight wide loads, with an instruction among them whose
/// result meets a load's first register at its write port on the first block, or with none.
std::vector<Cycle> wide_loads(bool meets) {
  StaticInst load = access(0, 1, 4, 4);
  load.write_count = 4;
  load.write_banks = {0, 1, 0, 1};
  load.write_barrier = 0;
  load.stall = 1;
  std::vector<StaticInst> code(8, load);
  code.push_back(plain(15));
  StaticInst other = plain(1);
  if (meets) {
    other.write_count = 1;
    other.write_banks[0] = 0;
  }
  code.push_back(other);
  code.push_back(waits_for(0));
  RecordIssues sink;
  const auto loop = straight(code);
  const Arch arch = small_arch();
  Sm<GreedyThenLeastIssued, ReadPipeline, RecordIssues> sm(loop, arch, {1, 1}, 1, sink);
  SteadyStateRunner runner(sm, true);
  runner.run_until(kNever);
  std::vector<Cycle> last(2);
  for (const IssueEvent& e : sink.events) last[e.block] = e.issue;
  return last;
}

}  // namespace

TEST_CASE("a write that finds its port taken makes loads of all blocks later on a full bus") {
  const auto without = wide_loads(false);
  const auto with = wide_loads(true);
  CHECK(with[0] - without[0] == 2);  // the next block's first register went ahead of its last
  CHECK(with[1] - without[1] == 1);  // nothing comes behind its last load
}

TEST_CASE("a load that misses L1 comes back so many cycles after its start, however it is shaped") {
  Arch arch = small_arch();
  arch.memory.miss_return_cycles = 200;
  for (const int wavefronts : {1, 4}) {
    StaticInst load = access(0, 2, wavefronts, 4);
    load.write_barrier = 0;
    load.memory.global = true;
    load.memory.touches = 1;
    CompiledLoop loop = straight({load, waits_for(0)});
    loop.touches = {{1}};
    const auto at = issue_cycles(loop, arch);
    CHECK(at[1] - at[0] == 6 + 2 + 4 + 200 + 4 + 8 + 3);
    loop.touches = {{0}};
    const auto hit = issue_cycles(loop, arch);
    CHECK(hit[1] - hit[0] == 6 + 2 + 4 + 2 * (wavefronts - 1) + 1 + 4 + 8 + 3);
  }
}

TEST_CASE("a global access does not wait for a shared one of the same block, nor the other way") {
  StaticInst wide = access(0, 1, 8, 1);
  StaticInst load = access(0, 1);
  load.write_barrier = 0;
  const auto behind = [&](bool global) {
    load.memory.global = global;
    const auto at = issue_cycles(straight({wide, load, waits_for(0)}));
    return at[2] - at[1];
  };
  CHECK(behind(false) == behind(true) + 2 * 8 - 2);
}
