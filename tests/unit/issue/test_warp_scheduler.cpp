// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "issue/front_end_clock.hpp"
#include "issue/warp_scheduler.hpp"

using namespace smsim;

namespace {

/// The warps whose bit is set are eligible.
struct Warps {
  std::uint32_t mask = 0;
  int asked = 0;
  std::uint32_t at_barrier = 0;  ///< wait for one
  std::uint32_t at_queue = 0;    ///< wait for room in one

  bool awake(int /*w*/) const { return true; }
  bool eligible(int w) {
    ++asked;
    return ((mask >> w) & 1U) != 0;
  }
  bool can_issue(int w) { return eligible(w); }
  bool waits_for_barrier(int w) const { return ((at_barrier >> w) & 1U) != 0; }
  bool waits_for_queue(int w) const { return ((at_queue >> w) & 1U) != 0; }
};

template <typename Policy>
int pick(Policy& policy, std::uint32_t mask, Cycle now = 0) {
  Warps warps{mask};
  return policy.pick(now, warps);
}

SchedulerSpec by_policy(const char* name) {
  SchedulerSpec spec;
  spec.policy = name;
  return spec;
}

/// Lets `warp` alone issue `times` times, from `now` on, two cycles apart; the cycle behind.
Cycle issue(GreedyThenLeastIssued& policy, int warp, int times, Cycle now, bool yielded = false) {
  for (int i = 0; i < times; ++i, now += 2) {
    CHECK(pick(policy, 1U << warp, now) == warp);
    policy.issued(now, yielded);
  }
  return now;
}

}  // namespace

TEST_CASE("greedy then youngest stays on a warp while it is eligible, then takes the highest id") {
  ByAge policy(by_policy("greedy_then_youngest"), 4);
  CHECK(pick(policy, 0b0111) == 2);
  CHECK(pick(policy, 0b1111) == 2);
  CHECK(pick(policy, 0b1011) == 3);
  CHECK(pick(policy, 0b0001) == 0);
  CHECK(pick(policy, 0b0000) == -1);
  CHECK(pick(policy, 0b1111) == 0);  // the last stays the last over a cycle without an issue
}

TEST_CASE("greedy then oldest stays on a warp while it is eligible, then takes the lowest id") {
  ByAge policy(by_policy("greedy_then_oldest"), 4);
  CHECK(pick(policy, 0b1110) == 1);
  CHECK(pick(policy, 0b1111) == 1);
  CHECK(pick(policy, 0b1101) == 0);
}

TEST_CASE("loose round robin takes the next eligible warp and wraps") {
  ByAge policy(by_policy("loose_round_robin"), 4);
  CHECK(pick(policy, 0b1011) == 0);
  CHECK(pick(policy, 0b1011) == 1);
  CHECK(pick(policy, 0b1011) == 3);
  CHECK(pick(policy, 0b1011) == 0);
  CHECK(pick(policy, 0b0000) == -1);
}

TEST_CASE("a greedy policy does not ask the others while its warp is eligible") {
  ByAge policy(by_policy("greedy_then_youngest"), 4);
  Warps warps{0b1111};
  policy.pick(0, warps);
  policy.pick(0, warps);
  CHECK(warps.asked == 2);
}

TEST_CASE("greedy then least issued stays on a warp, also over cycles in which nobody issues") {
  GreedyThenLeastIssued policy(SchedulerSpec{}, 4);
  CHECK(pick(policy, 0b1111, 0) == 3);
  policy.issued(0, false);
  CHECK(pick(policy, 0b0000, 2) == -1);
  CHECK(pick(policy, 0b1111, 4) == 3);
}

TEST_CASE("of the other warps the one that issued least goes first, of equals the youngest") {
  GreedyThenLeastIssued policy(SchedulerSpec{}, 4);
  Cycle now = issue(policy, 3, 2, 0);
  now = issue(policy, 0, 1, now);
  now = issue(policy, 1, 1, now);
  now = issue(policy, 2, 1, now + 5);
  CHECK(pick(policy, 0b1011, now) == 1);  // 3 issued twice, 0 and 1 once
}

TEST_CASE("an issue counts from the fifth cycle behind it on") {
  for (const Cycle behind : {4U, 5U}) {
    GreedyThenLeastIssued policy(SchedulerSpec{}, 3);
    issue(policy, 2, 1, 0);
    issue(policy, 0, 1, 1);
    CHECK(pick(policy, 0b110, behind) == (behind < 5 ? 2 : 1));
  }
}

TEST_CASE("a count that would pass its limit halves the counts of all warps") {
  GreedyThenLeastIssued policy(SchedulerSpec{}, 3);
  Cycle now = issue(policy, 1, 14, 0);
  now = issue(policy, 2, 15, now);
  now = issue(policy, 0, 1, now);
  CHECK(pick(policy, 0b110, now + 5) == 1);  // 14 against 15
  now = issue(policy, 2, 1, now + 6);        // 2 would pass 15: 14 and 15 both become 7
  now = issue(policy, 0, 1, now);
  CHECK(pick(policy, 0b110, now + 5) == 2);
}

TEST_CASE("a warp whose instruction yields is not stayed on, and waits for fewer than it issued") {
  GreedyThenLeastIssued policy(SchedulerSpec{}, 3);
  const Cycle now = issue(policy, 2, 1, 0, true) + 5;
  CHECK(pick(policy, 0b110, now) == 1);  // 2 was last, but it issued more often
}

TEST_CASE(
    "a warp whose last instruction yielded goes behind all others, however often they issued") {
  // H200: behind FADD with a yield request, in cycle 60, a warp that issued six times of late goes
  // before one that did twice (straight prefixes of fp.000, 2 warps a block).
  GreedyThenLeastIssued policy(SchedulerSpec{}, 2);
  Cycle now = issue(policy, 0, 6, 0);
  now = issue(policy, 1, 1, now, true) + 5;
  CHECK(pick(policy, 0b11, now) == 0);
  policy.issued(now, false);
  CHECK(pick(policy, 0b10, now + 1) == 1);
}

TEST_CASE("a warp that waits for a barrier or for room in a queue is not stayed on") {
  for (const bool queue : {false, true}) {
    CAPTURE(queue);
    GreedyThenLeastIssued policy(SchedulerSpec{}, 2);
    Cycle now = issue(policy, 1, 3, 0) + 5;
    Warps warps;
    (queue ? warps.at_queue : warps.at_barrier) = 0b10;
    CHECK(policy.pick(now, warps) == -1);
    CHECK(pick(policy, 0b11, now + 1) == 0);  // it issued less
  }
}

TEST_CASE("a warp that waits for room in a queue has no longer yielded, one at a barrier has") {
  for (const bool queue : {false, true}) {
    CAPTURE(queue);
    GreedyThenLeastIssued policy(SchedulerSpec{}, 2);
    Cycle now = issue(policy, 0, 3, 0);
    now = issue(policy, 1, 1, now, true) + 5;
    Warps warps;
    (queue ? warps.at_queue : warps.at_barrier) = 0b10;
    CHECK(policy.pick(now, warps) == -1);
    CHECK(pick(policy, 0b11, now + 1) == (queue ? 1 : 0));
  }
}

TEST_CASE(
    "of warps that issued alike the one whose last instruction yielded waits, until its next") {
  // H200, three warps of straight CS2R with stall count 2 and a yield request behind one without:
  // in cycle 24 B and C are ready and have issued alike, C last. B issues, in all of twelve runs.
  GreedyThenLeastIssued policy(SchedulerSpec{}, 3);
  issue(policy, 2, 1, 14);
  issue(policy, 1, 1, 16);
  issue(policy, 2, 1, 22, true);
  CHECK(pick(policy, 0b110, 24) == 1);
  policy.issued(24, true);
  CHECK(pick(policy, 0b110, 26) == 2);  // both have yielded: the youngest
  policy.issued(26, false);
  CHECK(pick(policy, 0b111, 27) == 2);  // does not yield, so it is stayed on
}

namespace {

/// A stretch of straight CS2R code as an H200 issued it, one choice each two cycles: warps A, B,
/// ... of one processing block, their stall counts, how often each had issued at its begin, when
/// each issued last, and who issued then.
struct Measured {
  std::vector<int> stalls;
  std::vector<int> counts;
  std::vector<int> last;
  std::string order;
};

/// The policy left alone for as long, from the same begin.
std::string replay(const Measured& m) {
  const int warps = static_cast<int>(m.stalls.size());
  GreedyThenLeastIssued policy(SchedulerSpec{}, warps);
  Cycle now = 0;
  std::vector<Cycle> ready;
  for (int w = 0; w < warps; ++w)
    now = issue(policy, w, m.counts[static_cast<std::size_t>(w)], now);
  now += 20;
  for (int before = -4; before < 0; before += 2)  // these two are not counted yet at the begin
    for (int w = 0; w < warps; ++w)
      if (m.last[static_cast<std::size_t>(w)] == before)
        issue(policy, w, 1, static_cast<Cycle>(static_cast<int>(now) + before));
  for (int w = 0; w < warps; ++w) {
    const auto i = static_cast<std::size_t>(w);
    ready.push_back(static_cast<Cycle>(static_cast<int>(now) + m.last[i] + m.stalls[i]));
  }
  std::string order;
  for (; order.size() < m.order.size(); now += 2) {
    std::uint32_t mask = 0;
    for (int w = 0; w < warps; ++w)
      if (ready[static_cast<std::size_t>(w)] <= now) mask |= 1U << w;
    const int w = pick(policy, mask, now);
    if (w < 0) return order;
    policy.issued(now, false);
    ready[static_cast<std::size_t>(w)] =
        now + static_cast<Cycle>(m.stalls[static_cast<std::size_t>(w)]);
    order += static_cast<char>('A' + w);
  }
  return order;
}

}  // namespace

TEST_CASE("three warps of stall count 4 take turns as on an H200") {
  const Measured m{
      {4, 4, 4},
      {11, 11, 12},
      {-4, -14, -2},
      "BCBABABACACBCBABACACACBCBABABACACBCBCBCACACABABABCBCBCACACABCBCBCACACABABABCBCBCACAC"
      "BCBCBABACACACBCBABABACACBCBABACACACBCBABABACACBCBCBCACACABABABCBCBCACACABCBCBCACACABA"
      "BABCBCBCACACBCBCBABACACACBCBABABACACBCBABACA"};
  CHECK(replay(m) == m.order);
}

TEST_CASE("a warp of stall count 4 and two of 6 take turns as on an H200") {
  const Measured m{
      {4, 6, 6},
      {7, 8, 8},
      {-4, -2, -6},
      "ACABCABCABCABCABCABCABCABACABCABCABCABCABCABCABCABACABCABCABCABCABCABCABCABACABCABCA"
      "BCABCABCABCABCABACABCABCABCABCABCABCABCABACABCABCABCABCABCABCABCABACABCABCABCABCABCA"};
  CHECK(replay(m) == m.order);
}

TEST_CASE("four warps of stall count 6 take turns as on an H200") {
  const Measured m{
      {6, 6, 6, 6},
      {8, 8, 9, 8},
      {-8, -2, -6, -4},
      "ADCBADCBADCBADCBADCBADCBADCBDACDBADCBADCBADCBADCBADCBADCBADCBDACDBADCBADCBADCBADCBAD"
      "CBADCBADCBDACDBADCBADCBADCBADCBADCBADCBADCBDACDBADCBADCBADCBADCBADCBADCBADCBDACDBADC"};
  CHECK(replay(m) == m.order);
}

TEST_CASE("the front end's clock stands still in a frozen cycle and goes on behind it") {
  FrontEndClock clock;
  CHECK(clock.at(2) == 2);
  clock.freeze();
  CHECK(clock.at(3) == 2);
  CHECK(clock.real(2) == 3);
}
