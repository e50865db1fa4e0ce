// SPDX-License-Identifier: MIT
// Which name is near enough to be suggested.
#include "core/nearest.hpp"

#include <doctest/doctest.h>

using namespace smsim;

TEST_CASE("the edit distance counts insertions, deletions and replacements") {
  CHECK(edit_distance("FFMA", "FFMA") == 0);
  CHECK(edit_distance("FMA", "FFMA") == 1);
  CHECK(edit_distance("FFMAX", "FFMA") == 1);
  CHECK(edit_distance("FFMB", "FFMA") == 1);
  CHECK(edit_distance("", "FFMA") == 4);
}

TEST_CASE("the nearest name is the one with the fewest edits") {
  CHECK(nearest_name("latency_cycle", {"latency", "latency_cycles", "unit_cycles"}) ==
        "latency_cycles");
}

TEST_CASE("nothing is suggested for a word that is far from all names") {
  CHECK(nearest_name("zzzzzz", {"pipe", "latency"}).empty());
  CHECK(nearest_name("anything", {}).empty());
}

TEST_CASE("of two equally near names the first is suggested") {
  CHECK(nearest_name("iadd", {"ladd", "fadd"}) == "ladd");
}

TEST_CASE("a word too long for any name is not compared at all") {
  CHECK(nearest_name(std::string(100'000, 'a'), {"a"}).empty());
}

TEST_CASE("the hint under an unknown name is the near one, or what the caller has to say") {
  CHECK(did_you_mean("iad", {"iadd", "fadd"}, "there are two") == "did you mean 'iadd'?");
  CHECK(did_you_mean("transpose", {"iadd", "fadd"}, "there are two") == "there are two");
}
