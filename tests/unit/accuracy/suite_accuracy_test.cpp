// SPDX-License-Identifier: MIT
// A suite divided into classes of warps and families, and its worst loops.
#include <doctest/doctest.h>

#include "sample.hpp"

using namespace smsim::accuracy;
using smsim::test::row;
using smsim::test::suite;

namespace {

Notes notes(const char* text) {
  auto parsed = parse_notes(text, "notes.yaml");
  REQUIRE(parsed.has_value());
  return std::move(*parsed);
}

}  // namespace

TEST_CASE("a suite is named by its folder and file") {
  CHECK(suite_name("traces/suites/h200/random.jsonl.gz") == "h200/random");
  CHECK(suite_name("/x/suites/h200/own/windows.jsonl.gz") == "h200/own/windows");
  CHECK(suite_name("/a/b/c.jsonl") == "b/c");
  CHECK(suite_name("mine.jsonl.zst") == "mine");
  CHECK(suite_name("-") == "stdin");
}

TEST_CASE("only a number of warps at the end of an id is taken off") {
  CHECK(loop_of("kernel.nbody.w16") == "kernel.nbody");
  CHECK(loop_of("kernel.nbody.w") == "kernel.nbody.w");
  CHECK(loop_of("lat.ws") == "lat.ws");
  CHECK(loop_of("amp86-reuse-r8-r8-nn") == "amp86-reuse-r8-r8-nn");
}

TEST_CASE("four warps belong to the first class and five to the second") {
  const auto parts =
      by_warps({row("a.x", 4, 10, 10, 10), row("a.y", 5, 10, 10, 12), row("a.z", 16, 10, 10, 10)});
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].name == "1 to 4 warps");
  CHECK(parts[0].summary.loops == 1);
  CHECK(parts[0].summary.exact == 1);
  CHECK(parts[1].summary.loops == 2);
  CHECK(parts[1].summary.exact == 1);
  CHECK(parts[1].summary.max_error_percent == doctest::Approx(20));
}

TEST_CASE("families are the first part of the ids, or the first two if all share the first") {
  const auto several =
      by_family({row("b.x.w4", 4, 1, 1, 1), row("a.x.w4", 4, 1, 1, 1), row("a.y.w4", 4, 1, 1, 1)});
  REQUIRE(several.size() == 2);
  CHECK(several[0].name == "a");
  CHECK(several[0].summary.loops == 2);
  const auto one = by_family({row("k.x.w4", 4, 1, 1, 1), row("k.y.w4", 4, 1, 1, 1)});
  REQUIRE(one.size() == 2);
  CHECK(one[1].name == "k.y");
}

TEST_CASE("a note that does not count takes its rows out and says which loops they were") {
  const Notes aside = notes("\"^k\\\\.bad\\\\.\": {known: depends on data, counted: false}\n");
  const SuiteAccuracy divided = divide(
      "s", {row("k.bad.w1", 1, 1, 1, 9), row("k.bad.w2", 2, 1, 1, 9), row("k.good.w1", 1, 1, 1, 1)},
      aside);
  REQUIRE(divided.rows.size() == 1);
  CHECK(divided.rows[0].id == "k.good.w1");
  REQUIRE(divided.aside.size() == 1);
  CHECK(divided.aside[0].rows == 2);
  CHECK(divided.aside[0].loops == std::vector<std::string>{"k.bad"});
  CHECK(divided.aside[0].known == "depends on data");
}

TEST_CASE("the worst loops come with the largest distance first, each once, on either side") {
  const auto worst =
      furthest_off({suite({row("a.x.w4", 4, 100, 100, 110), row("a.x.w8", 8, 100, 100, 120),
                           row("a.y.w4", 4, 100, 100, 70), row("a.z.w4", 4, 100, 100, 100),
                           row("a.u.w4", 4, 100, 100, 101)})},
                   2);
  REQUIRE(worst.size() == 2);
  CHECK(worst[0].row.id == "a.y.w4");
  CHECK(worst[1].row.id == "a.x.w8");
}
