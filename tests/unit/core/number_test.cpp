// SPDX-License-Identifier: MIT
// A text that is a number and nothing else.
#include "core/number.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using namespace smsim;

TEST_CASE("a text is a number only as a whole") {
  CHECK(parse_number<int>("12") == 12);
  CHECK(parse_number<int>("-3") == -3);
  CHECK(parse_number<std::uint64_t>("1f", 16) == 0x1fU);
  for (const char* text : {"", "12abc", " 12", "12 ", "+12", "0x1f"}) {
    CAPTURE(text);
    CHECK(!parse_number<int>(text));
  }
}

TEST_CASE("a number that the type cannot hold is none") {
  CHECK(parse_number<std::uint8_t>("255") == 255);
  CHECK(!parse_number<std::uint8_t>("256"));
  CHECK(!parse_number<unsigned>("-1"));
}
