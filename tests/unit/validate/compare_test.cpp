// SPDX-License-Identifier: MIT
// Prediction against measurement: exact, inside, and the distance to the nearer bound.
#include "validate/compare.hpp"

#include <doctest/doctest.h>

using namespace smsim::validate;

namespace {

Row row(double lo, double hi, double predicted, bool has_interval = true) {
  Row result;
  result.id = "r";
  result.measured = {4, (lo + hi) / 2, lo, hi, has_interval};
  result.predicted = predicted;
  return result;
}

}  // namespace

TEST_CASE("exact means at most half a cycle from a figure on which the runs agreed") {
  CHECK(row(75, 75, 75).is_exact());
  CHECK(row(75, 75, 75.5).is_exact());
  CHECK(row(75, 75, 74.5).is_exact());
  CHECK_FALSE(row(75, 75, 75.51).is_exact());
  CHECK(row(74.9, 75.1, 75.5).is_exact());  // start and end of the runs differ by some cycles
  CHECK_FALSE(row(74.9, 75.1, 75.55).is_exact());
  CHECK_FALSE(row(75, 76, 75.5).is_exact());
  CHECK_FALSE(row(75, 75, 75, false).is_exact());
}

TEST_CASE("a prediction can be exact where the runs are at most half a cycle apart") {
  CHECK(row(75, 75, 0).can_be_exact());
  CHECK(row(75, 75.5, 0).can_be_exact());
  CHECK_FALSE(row(75, 75.51, 0).can_be_exact());
  CHECK_FALSE(row(75, 75, 0, false).can_be_exact());
}

TEST_CASE("inside has half a cycle of tolerance, so that what is exact is inside") {
  CHECK(row(75, 80, 74.5).is_inside());
  CHECK(row(75, 80, 80.5).is_inside());
  CHECK_FALSE(row(75, 80, 74.4).is_inside());
  CHECK_FALSE(row(75, 80, 80.6).is_inside());
  CHECK(row(75, 75, 75.5).is_inside());
}

TEST_CASE("the error is the distance to the nearer bound in percent of it, signed") {
  CHECK(row(50, 80, 60).error_percent() == 0);
  CHECK(row(50, 80, 45).error_percent() == doctest::Approx(-10));
  CHECK(row(50, 80, 88).error_percent() == doctest::Approx(10));
}

TEST_CASE("a summary counts each row where it belongs, and a failed one as neither") {
  Row failed = row(10, 10, 0);
  failed.predicted.reset();
  failed.error = "unknown opcode";
  Row far = row(100, 100, 120);
  far.id = "far";
  const std::vector<Row> rows = {row(75, 75, 75), row(70, 80, 75), far, failed,
                                 row(1000, 1000, 990, false)};
  const Summary summary = summarise(rows);
  CHECK(summary.loops == 5);
  CHECK(summary.failed == 1);
  CHECK(summary.exact == 1);
  CHECK(summary.exact_of == 3);
  CHECK(summary.inside == 2);
  CHECK(summary.inside_of == 4);
  CHECK(summary.mean_error_percent == doctest::Approx((20.0 + 1.0) / 4));
  CHECK(summary.max_error_percent == doctest::Approx(20));
  CHECK(summary.worst == "far");
}

TEST_CASE("a summary of failures only has no mean, and no division by zero") {
  Row failed = row(10, 10, 0);
  failed.predicted.reset();
  const Summary summary = summarise({failed});
  CHECK(summary.mean_error_percent == 0);
  CHECK(summary.loops == 1);
}

TEST_CASE("a family is what stands before the first dot or dash of an id") {
  CHECK(family_of("bank.ffma.eee.w1") == "bank");
  CHECK(family_of("amp86-reuse-r8") == "amp86");
  CHECK(family_of("alone") == "alone");
}
