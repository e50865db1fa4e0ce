// SPDX-License-Identifier: MIT
// The record of what was reached: a round trip, and which changes it lets pass.
#include "accuracy/reached.hpp"

#include <doctest/doctest.h>

#include "sample.hpp"

using namespace smsim::accuracy;
using smsim::test::row;
using smsim::test::stamped;
using smsim::test::suite;
using smsim::validate::Row;

namespace {

/// What is said of `now` by a record of `then`.
Comparison compared(const std::vector<Row>& then, const std::vector<Row>& now) {
  const auto recorded = parse_reached(reached_yaml({suite(then)}), "r.yaml");
  REQUIRE(recorded.has_value());
  return compare({suite(now)}, *recorded);
}

const std::vector<Row> kRows = {row("a.x", 4, 3, 3, 3), row("a.y", 4, 300, 310, 313),
                                row("a.z", 8, 70, 70, 77)};

std::vector<Row> with_prediction(std::size_t which, double predicted) {
  std::vector<Row> rows = kRows;
  rows[which].predicted = predicted;
  return rows;
}

}  // namespace

TEST_CASE("what was recorded is as recorded, whatever its digits") {
  const Comparison same = compared(kRows, kRows);
  CHECK(same.worse.empty());
  CHECK(same.better.empty());
}

TEST_CASE("a loop that is no longer exact is worse, and one more that is exact is better") {
  const Comparison worse = compared(kRows, with_prediction(0, 3.6));
  REQUIRE_FALSE(worse.worse.empty());
  CHECK(worse.worse[0] == "gpu/suite, 1 to 4 warps: exact 0, recorded 1");
  const Comparison better = compared(kRows, with_prediction(2, 70));
  CHECK(better.worse.empty());
  REQUIRE_FALSE(better.better.empty());
  CHECK(better.better[0] == "gpu/suite, 5 to 16 warps: exact 1, recorded 0");
}

TEST_CASE("a distance that grows by more than the rounding is worse") {
  CHECK(compared(kRows, with_prediction(2, 77.0005)).worse.empty());
  const Comparison worse = compared(kRows, with_prediction(2, 77.01));
  REQUIRE(worse.worse.size() == 2);
  CHECK(worse.worse[0] == "gpu/suite, 5 to 16 warps: mean distance 10.014 %, recorded 10.000 %");
}

TEST_CASE("time stamps are recorded for each number of warps, and may not fall") {
  const auto rows = [](std::size_t exact, std::size_t near) {
    return std::vector<Row>{stamped(row("a.x", 4, 3, 3, 3), 10, 10),
                            stamped(row("a.y", 8, 3, 3, 3), exact, near)};
  };
  CHECK(compared(rows(9, 10), rows(9, 10)).worse.empty());
  CHECK(compared(rows(9, 10), rows(9, 10)).better.empty());
  CHECK(compared(rows(10, 10), rows(9, 10)).worse ==
        std::vector<std::string>{"gpu/suite, time stamps, 8 warps: exact 0, recorded 1"});
  CHECK(compared(rows(8, 9), rows(8, 8)).worse ==
        std::vector<std::string>{
            "gpu/suite, time stamps, 8 warps: stamps within one cycle 8, recorded 9"});
  CHECK(compared(rows(8, 8), rows(9, 10)).better.size() == 2);
  CHECK_FALSE(compared(kRows, {stamped(kRows[0], 10, 10), kRows[1], kRows[2]}).worse.empty());
}

TEST_CASE("a loop that can no longer be simulated is worse") {
  std::vector<Row> rows = kRows;
  rows[1].predicted.reset();
  CHECK_FALSE(compared(kRows, rows).worse.empty());
}

TEST_CASE("a suite or class that the record does not hold is worse, not passed over") {
  CHECK(compare({suite(kRows)}, {}).worse ==
        std::vector<std::string>{"gpu/suite: nothing is recorded"});
  CHECK(compared({kRows[0], kRows[1]}, kRows).worse ==
        std::vector<std::string>{"gpu/suite, 5 to 16 warps: nothing is recorded"});
  CHECK_FALSE(compared({kRows[0], kRows[2]}, kRows).worse.empty());
}

TEST_CASE("a record that is not one is refused with its place") {
  const auto text = [](const char* yaml) {
    const auto recorded = parse_reached(yaml, "r.yaml");
    return recorded ? std::string() : smsim::to_string(recorded.error());
  };
  CHECK(text("s:\n  c:\n    exact: many\n").find("r.yaml:3:12: error: 'many'") == 0);
  CHECK(text("s:\n  c:\n    exakt: 3\n").find("r.yaml:3:5: error: unknown key 'exakt'") == 0);
  CHECK_FALSE(text("s: 3\n").empty());
}
