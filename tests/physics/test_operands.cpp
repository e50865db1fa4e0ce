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
  // Both times bank 0 is read four times; what differs is the slots of the second instruction.
  const auto issue_of_last = [](const std::vector<int>& second) {
    std::vector<StaticInst> code{reads({21, 22, 24}), reads(second)};
    code.resize(12, plain());
    return issue_cycles(straight(code)).back();
  };
  CHECK(issue_of_last({kNone, 32, 34}) == issue_of_last({30, kNone, 34}) + 1);
}

namespace {

/// Reads of bank 0 in one pass over the code; the flagged operands that were found cost none.
std::uint64_t even_reads(std::vector<StaticInst> code) {
  for (int i = 0; i < 12; ++i) code.push_back(plain());
  return run_loop(straight(std::move(code)), small_arch(), {1, 1, true}).bank_reads[0];
}

StaticInst writes(int reg, int stall, std::uint8_t unit = 0) {
  StaticInst inst = plain(stall);
  inst.write_first = static_cast<std::uint8_t>(reg);
  inst.write_count = 1;
  inst.write_banks[0] = static_cast<std::uint8_t>(reg % 2);
  inst.result_unit = unit;
  return inst;
}

StaticInst on_own_latches(StaticInst inst) {
  inst.own_latches = true;
  return inst;
}

StaticInst yielding(StaticInst inst) {
  inst.yield = true;
  return inst;
}

}  // namespace

TEST_CASE("a flagged operand is found by the next use of its bank and slot, and by none behind") {
  CHECK(even_reads({reads({20}, 1), reads({20}), reads({20})}) == 2);
  CHECK(even_reads({reads({20}, 1), reads({20}, 1), reads({20})}) == 1);
}

TEST_CASE("a hit needs the slot and the register") {
  CHECK(even_reads({reads({20}, 1), reads({kNone, 20})}) == 2);
  CHECK(even_reads({reads({20}, 1), reads({22})}) == 2);
  CHECK(even_reads({reads({20}, 1), reads({22}), reads({20})}) == 3);
}

TEST_CASE("the same slot of the other bank leaves an entry in place, but not on FP64's latches") {
  CHECK(even_reads({reads({20}, 1), reads({21}), reads({20})}) == 1);
  CHECK(even_reads({on_own_latches(reads({20}, 1)), on_own_latches(reads({21})),
                    on_own_latches(reads({20}))}) == 2);
}

TEST_CASE("FP64 and the others keep their entries apart") {
  CHECK(even_reads({reads({20}, 1), on_own_latches(reads({20}))}) == 2);
  CHECK(even_reads({reads({20}, 1), on_own_latches(reads({22})), reads({20})}) == 2);
}

TEST_CASE("a taken branch or a request to yield ends all entries, a wait does not") {
  StaticInst branch = plain();
  branch.taken_branch = true;
  CHECK(even_reads({reads({20}, 1), branch, reads({20})}) == 2);
  CHECK(even_reads({reads({20}, 1), yielding(plain()), reads({20})}) == 2);
  CHECK(even_reads({reads({20}, 1), plain(40), reads({20})}) == 1);
}

TEST_CASE("a register that was rewritten is still found: nothing in the hardware looks") {
  for (const int distance : {4, 5, 9})
    CHECK(even_reads({reads({20}, 1), writes(20, distance), reads({20})}) == 1);
}

TEST_CASE("a value from the bypass goes past the latch, so the flag keeps nothing") {
  // sooner it is the bank's old value, later it comes from the bank: both stay in the latch
  for (const int distance : {3, 4, 5, 6})
    CHECK(even_reads({writes(20, distance), reads({20}, 1), reads({20})}) ==
          (distance == 4 || distance == 5 ? 2 : 1));
  // from another unit the bypass comes a cycle later
  for (const int distance : {4, 5, 6})
    CHECK(even_reads({writes(20, distance, 1), reads({20}, 1), reads({20})}) ==
          (distance == 5 ? 2 : 1));
}

TEST_CASE("a flagged value from the bypass spoils what the next instruction leaves in its latch") {
  const StaticInst fresh = writes(20, 4);
  CHECK(even_reads({fresh, reads({20}, 1), reads({22}, 1), reads({22})}) == 3);
  CHECK(even_reads({fresh, reads({20}), reads({22}, 1), reads({22})}) == 2);
  CHECK(even_reads({fresh, reads({20}, 1, 2), reads({22}, 1), reads({22})}) == 2);
  CHECK(even_reads({fresh, reads({20}, 1), reads({kNone, 22}, 2), reads({kNone, 22})}) == 2);
}

TEST_CASE(
    "of two fresh results of a bank the younger comes from the bypass and the other waits for the "
    "bank, unless the younger one is not there yet") {
  const auto last_issue = [](std::uint8_t unit) {
    return issue_cycles(straight({writes(20, 1), writes(22, 4, unit), reads({20, 22}), plain(),
                                  plain(), plain(), plain(), plain(), plain(), plain()}))
        .back();
  };
  const Cycle plain_rows = 1 + 4 + 7;
  CHECK(last_issue(0) == plain_rows + 3);  // R20 is 5 cycles old and is waited for until 8
  CHECK(last_issue(1) == plain_rows + 1);  // R22's old value is read in the second cycle
}

TEST_CASE(
    "a result is forwarded to the last read stage until 5 cycles after it left, and can be read "
    "from its bank at 6") {
  RecentResults results(1);
  const StaticInst writer = writes(7, 1);
  const auto id = results.issue(0, writer, 3);
  CHECK(results.writer(0, 7) == id);
  CHECK(results.age(id, 8) < 0);
  results.leaves(id, 8, 0);
  CHECK(results.age(id, 13) == 5);
  CHECK(results.age(id, 14) == 6);
  StaticInst reader;
  CHECK(results.forwarded_from(id, reader) == 4);
  reader.reader_unit = 1;
  CHECK(results.forwarded_from(id, reader) == 5);
}

TEST_CASE("with no usable slots the reuse flag does nothing") {
  Arch arch = small_arch();
  arch.reuse_cache.slots = 0;
  const std::vector<StaticInst> row(64, reads({20, 22, 24}, 0b111));
  const auto at = issue_cycles(straight(row), arch);
  CHECK(at[40] - at[20] == 60);
}
