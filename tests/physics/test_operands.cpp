// SPDX-License-Identifier: MIT
// Physics of operand read: banks, read window, reuse.
#include <doctest/doctest.h>

#include "support/small_machine.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

/// Cycles an instruction takes in a long row of equals.
double cost(const StaticInst& inst) {
  const std::vector<StaticInst> row(64, inst);
  const auto at = issue_cycles(straight(row));
  return static_cast<double>(at.back() - at[at.size() / 2]) /
         static_cast<double>(at.size() - 1 - at.size() / 2);
}

}  // namespace

TEST_CASE("n reads of one bank cost n cycles in a row of equals") {
  CHECK(cost(reads({20, 21})) == doctest::Approx(1));
  CHECK(cost(reads({20, 22, 21})) == doctest::Approx(2));
  CHECK(cost(reads({20, 22, 24})) == doctest::Approx(3));
  CHECK(cost(reads({21, 23, 25})) == doctest::Approx(3));
}

TEST_CASE("a register that an instruction names twice is read once") {
  CHECK(cost(reads({20, 20, 22})) == doctest::Approx(2));
  CHECK(cost(reads({20, 20, 20})) == doctest::Approx(1));
}

TEST_CASE(
    "a register named three times, once from the reuse cache, is read once for the other two") {
  std::vector<StaticInst> code{reads({20}, 0b001), reads({20, 20, 20})};
  code.resize(10, plain());
  const auto out = run_loop(straight(code), small_arch(), {1, 1, true});
  CHECK(out.bank_reads[0] == 2);
}

TEST_CASE("neighbours that use the other bank overlap") {
  const auto even = reads({20, 22, 24});
  const auto odd = reads({21, 23, 25});
  std::vector<StaticInst> mixed;
  for (int i = 0; i < 32; ++i) {
    mixed.push_back(even);
    mixed.push_back(odd);
  }
  const auto at = issue_cycles(straight(mixed));
  CHECK(at[60] - at[30] == 45);  // three cycles a pair
}

TEST_CASE("a reused operand reads no bank") {
  CHECK(cost(reads({20, 22, 24}, 0b001)) == doctest::Approx(2));
  CHECK(cost(reads({20, 22, 24}, 0b011)) == doctest::Approx(1));
}

TEST_CASE("a read waits while an older instruction owns the latch of its bank and slot") {
  // the second instruction's only read goes through the slot that the first still fills with its
  // last read
  const auto same_slot = straight(
      {reads({20, 22, 24}), reads({kNone, kNone, 26}), plain(), plain(), plain(), plain()});
  const auto other_slot =
      straight({reads({20, 22, 24}), reads({26}), plain(), plain(), plain(), plain()});
  CHECK(issue_cycles(same_slot).back() >= issue_cycles(other_slot).back());
}

TEST_CASE("a hit needs the bank, the slot, the register and the warp") {
  const RecentResults none(4);
  ReuseCache cache(3, 2);
  CHECK_FALSE(cache.access(0, 0, 0, 20, true, none, 100));
  CHECK(cache.access(0, 0, 0, 20, true, none, 101));
  CHECK_FALSE(cache.access(0, 0, 1, 20, false, none, 102));
  CHECK_FALSE(cache.access(0, 1, 0, 20, false, none, 103));
  CHECK(cache.access(0, 0, 0, 20, true, none, 104));
  CHECK_FALSE(cache.access(1, 0, 0, 20, false, none, 105));
}

TEST_CASE("any use of a bank and slot without the flag ends the entry, hit or miss") {
  const RecentResults none(1);
  ReuseCache cache(3, 2);
  cache.access(0, 0, 2, 8, true, none, 1);
  CHECK(cache.access(0, 0, 2, 8, false, none, 2));
  CHECK_FALSE(cache.access(0, 0, 2, 8, true, none, 3));
  CHECK_FALSE(cache.access(0, 0, 2, 10, false, none, 4));
  CHECK_FALSE(cache.access(0, 0, 2, 8, false, none, 5));
}

TEST_CASE(
    "a value that is still being forwarded is not kept: its writer issued 4 cycles before, but 5 "
    "are enough") {
  for (const Cycle age : {4, 5}) {
    RecentResults results(1);
    StaticInst writer;
    writer.write_first = 20;
    writer.write_count = 1;
    results.issue(0, writer, 10);
    ReuseCache cache(3, 2);
    cache.access(0, 0, 0, 20, true, results, 10 + age);
    CHECK(cache.access(0, 0, 0, 20, false, results, 11 + age) == (age == 5));
  }
}

TEST_CASE(
    "a result is forwarded to the last read stage for 5 cycles after it left, and can be read from "
    "its bank at 6") {
  RecentResults results(1);
  StaticInst writer;
  writer.write_first = 7;
  writer.write_count = 1;
  const auto id = results.issue(0, writer, 3);
  CHECK(results.writer(0, 7) == id);
  CHECK(results.age(id, 8) < 0);
  results.leave(id, 8);
  CHECK(results.age(id, 13) == 5);
  CHECK(results.age(id, 14) == 6);
  CHECK(results.issue_age(id, 9) == 6);
}

TEST_CASE("with no usable slots the reuse flag does nothing") {
  Arch arch = small_arch();
  arch.reuse_cache.slots = 0;
  const std::vector<StaticInst> row(64, reads({20, 22, 24}, 0b111));
  const auto at = issue_cycles(straight(row), arch);
  CHECK(at[40] - at[20] == 60);
}
