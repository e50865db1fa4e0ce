// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include "block/booking_log.hpp"

using namespace smsim;

namespace {

constexpr std::size_t kSelected = static_cast<std::size_t>(StallReason::selected);
constexpr std::size_t kYield = static_cast<std::size_t>(StallReason::yield);

std::vector<Slots> all(const BookingLog& log, std::uint64_t times = 1) {
  std::vector<Slots> sum(log.rows());
  log.add_all(sum, times);
  return sum;
}

}  // namespace

TEST_CASE("what was booked since a moment is what was booked behind it") {
  BookingLog log(2);
  log.add(0, StallReason::yield, 3, true);
  const auto moment = log.end();
  log.add(1, StallReason::yield, 5, true);
  log.add(1, StallReason::selected, 0, true);
  std::vector<Slots> sum(2);
  log.add_since(moment, sum, 10);
  CHECK(sum[0] == Slots{});
  CHECK(sum[1][kYield] == 50);
  CHECK(sum[1][kSelected] == 20);
  CHECK(all(log)[0][kYield] == 3);
  CHECK(all(log)[0][kSelected] == 1);
}

TEST_CASE("a log that has grown long still tells all, but not what came since a moment long ago") {
  BookingLog log(1);
  const auto begin = log.end();
  constexpr std::uint64_t kMany = 20'000;
  for (std::uint64_t i = 0; i < kMany; ++i) log.add(0, StallReason::yield, 2, true);
  CHECK(!log.reaches(begin));
  CHECK(log.reaches(log.end()));
  CHECK(all(log, 3)[0][kYield] == 3 * 2 * kMany);
  CHECK(all(log)[0][kSelected] == kMany);
}

TEST_CASE("more slots than an entry holds are booked all the same") {
  BookingLog log(1);
  constexpr Cycle kLong = 100'000'000;
  log.add(0, StallReason::yield, kLong, true);
  CHECK(all(log)[0][kYield] == static_cast<std::uint64_t>(kLong));
  CHECK(all(log)[0][kSelected] == 1);
}

TEST_CASE("a cleared log has nothing, and reaches no moment before it") {
  BookingLog log(1);
  const auto begin = log.end();
  log.add(0, StallReason::yield, 1, true);
  log.clear();
  CHECK(all(log)[0] == Slots{});
  CHECK(!log.reaches(begin));
}
