// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support/small_machine.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

using Machine = Sm<ByAge, ReadPipeline, NoEvents>;

StaticInst barrier_sync() {
  StaticInst inst = plain();
  inst.route = Route::control;
  inst.effect = ControlEffect::barrier_sync;
  return inst;
}

StaticInst load() {
  StaticInst inst = plain();
  inst.route = Route::memory;
  inst.pipe = 3;
  inst.memory.address_count = 1;
  inst.memory.returns = true;
  return inst;
}

/// A machine of so many blocks, each with a warp that does `iterations`, run alone from cycle 0 on,
/// before `end`.
struct Alone {
  Alone(std::vector<StaticInst> code, int blocks, Cycle end, bool watched,
        std::uint64_t iterations = 1000)
      : loop(looped(std::move(code))),
        sm(loop, arch, std::vector<int>(static_cast<std::size_t>(blocks), 1), iterations, none) {
    sm.run_alone(0, end, watched);
  }

  const Warp& warp(std::size_t block = 0) const { return sm.blocks()[block].warps().front(); }

  CompiledLoop loop;
  Arch arch = small_arch();
  NoEvents none;
  Machine sm;
};

const std::vector<StaticInst> kFour{plain(), plain(), plain(), plain()};

}  // namespace

TEST_CASE("a block that runs alone does nothing in the cycle in which it has to end") {
  CHECK(Alone(kFour, 1, 3, false).warp().pc == 3);
  CHECK(Alone(kFour, 1, 2, false).warp().pc == 2);
}

TEST_CASE("the first block stops in front of an iteration's end that is watched, only there") {
  CHECK(Alone(kFour, 1, 10, true).warp().iterations == 0);
  CHECK(Alone(kFour, 1, 10, true).warp().pc == 3);
  CHECK(Alone(kFour, 1, 10, false).warp().iterations == 2);
}

TEST_CASE("no block passes the cycle in which the first one may next end an iteration") {
  const Alone two(kFour, 2, 10, true);
  CHECK(two.warp(0).pc == 3);
  CHECK(two.warp(1).pc == 3);
  CHECK(two.warp(1).iterations == 0);
}

TEST_CASE("a warp's last iteration ends where all see it") {
  CHECK(Alone(kFour, 1, 100, false, 2).warp().iterations == 1);
  CHECK(Alone(kFour, 1, 100, false, 2).warp().pc == 3);
}

TEST_CASE("a block stops in front of a BAR.SYNC") {
  CHECK(Alone({plain(), plain(), barrier_sync(), plain()}, 1, 100, false).warp().pc == 2);
}

TEST_CASE("a block that asks something of memory goes no further by itself") {
  std::vector<StaticInst> code{load()};
  code.insert(code.end(), 40, plain());
  const Alone one(code, 1, 1000, false);
  CHECK(one.warp().iterations == 0);
  CHECK(!one.sm.blocks().front().memory_idle());
  CHECK(one.warp().pc > 1);
}
