// SPDX-License-Identifier: MIT
// Bank mappings: what a formula over R means, and what is no mapping.
#include "config/formula.hpp"

#include <doctest/doctest.h>

#include <array>

namespace {

using smsim::config::bank_mapping;
using smsim::config::evaluate;

std::int64_t value_of(std::string_view formula, std::int64_t r) {
  const auto value = evaluate(formula, {r, 4});
  REQUIRE_MESSAGE(value, formula);
  return *value;
}

std::string error_of(std::string_view mapping, int banks = 2) {
  const auto mapped = bank_mapping(mapping, banks);
  return mapped ? "" : mapped.error().message;
}

}  // namespace

TEST_CASE("a formula follows C's precedence, and mod is the remainder") {
  CHECK(value_of("R mod 2", 7) == 1);
  CHECK(value_of("R % 4", 7) == 3);
  CHECK(value_of("R mod banks", 6) == 2);
  CHECK(value_of("1 + 2 * 3", 0) == 7);
  CHECK(value_of("(1 + 2) * 3", 0) == 9);
  CHECK(value_of("10 - 4 - 3", 0) == 3);
  CHECK(value_of("R >> 1 & 1", 6) == 1);
  CHECK(value_of("R ^ R >> 2 & 3", 13) == (13 ^ ((13 >> 2) & 3)));
  CHECK(value_of("1 | 4", 0) == 5);
  CHECK(value_of("1 << 3", 0) == 8);
  CHECK(value_of("-3 + R / 2", 9) == 1);
  CHECK(value_of("0x1f & R", 255) == 31);
}

TEST_CASE(
    "Kepler's formula gives the published table of its first eight registers, again and again") {
  const std::array<int, 8> published = {0, 1, 0, 1, 2, 3, 2, 3};
  const auto banks = bank_mapping("2*((R>>2)&1) + (R&1)", 4);
  REQUIRE(banks);
  for (std::size_t r = 0; r < banks->size(); ++r) CHECK((*banks)[r] == published[r % 8]);
}

TEST_CASE("a list of banks repeats over the registers and equals the formula that it stands for") {
  const auto listed = bank_mapping("[0, 1, 0, 1, 2, 3, 2, 3]", 4);
  const auto formula = bank_mapping("2*((R>>2)&1) + (R&1)", 4);
  REQUIRE(listed);
  REQUIRE(formula);
  CHECK(*listed == *formula);
}

TEST_CASE("a mapping into a bank that does not exist names the first such register") {
  CHECK(error_of("R mod 3") == "puts R2 into bank 2; the banks are 0 to 1");
  CHECK(error_of("[0, 1, 5]") == "puts R2 into bank 5; the banks are 0 to 1");
  CHECK(error_of("R - 1") == "puts R0 into bank -1; the banks are 0 to 1");
}

TEST_CASE("what is no formula is refused with its reason") {
  CHECK(error_of("") == "something is missing at the end");
  CHECK(error_of("R mod") == "something is missing at the end");
  CHECK(error_of("(R") == "'(' without ')'");
  CHECK(error_of("R)") == "unexpected ')'");
  CHECK(error_of("R 2") == "unexpected '2'");
  CHECK(error_of("S mod 2") == "unknown name 'S'; R is the register");
  CHECK(error_of("R / 0") == "division by zero");
  CHECK(error_of("1 mod R") == "division by zero");
  CHECK(error_of("R << 99") == "shift by 99; it must be from 0 to 31");
  CHECK(error_of("R << -1") == "shift by -1; it must be from 0 to 31");
  CHECK(error_of("99999999999") == "not a number that fits");
  CHECK(error_of("2147483647*2147483647*2147483647") == "the result is too large");
  CHECK(error_of("[]") == "a list of banks has 1 to 256 entries");
  CHECK(error_of("[0, x]") == "unknown name 'x'; R is the register");
  CHECK(error_of("[0") == "'[' without ']' at the end");
  CHECK(error_of(std::string(5000, '(')) == "nested too deeply");
  CHECK(error_of(std::string(5000, '-')) == "nested too deeply");
}

TEST_CASE("the position of a formula's error is that of the character") {
  const auto value = evaluate("R mod (2 * x)", {0, 2});
  REQUIRE_FALSE(value);
  CHECK(value.error().position == 11);
}
