// SPDX-License-Identifier: MIT
// The building blocks of the text report: numbers, wrapping, shortening and bars.
#include "report/layout.hpp"

#include <doctest/doctest.h>

#include "report/breakdown.hpp"

using namespace smsim;
using namespace smsim::report;

TEST_CASE("a fraction is an integer, an exact decimal, or both decimal and fraction") {
  CHECK(fraction(75, 1) == "75");
  CHECK(fraction(150, 2) == "75");
  CHECK(fraction(143, 2) == "71.5");
  CHECK(fraction(1, 4) == "0.25");
  CHECK(fraction(215, 3) == "71.67 (215/3)");
  CHECK(fraction(430, 6) == "71.67 (215/3)");
  CHECK(fraction(1, 8) == "0.12 (1/8)");
  CHECK(fraction(1000, 101) == "9.9");
  CHECK(fraction(0, 3) == "0");
  CHECK(fraction(7, 0) == "7");
}

TEST_CASE("short numbers have no trailing zeros") {
  CHECK(short_number(3) == "3");
  CHECK(short_number(0.5) == "0.5");
  CHECK(short_number(2.0 / 3) == "0.67");
  CHECK(short_number(100) == "100");
  CHECK(short_number(-0.001) == "0");
}

TEST_CASE("text is shortened by code points, never inside one") {
  CHECK(ellipsize("abcdef", 6) == "abcdef");
  CHECK(ellipsize("abcdefg", 6) == "abc...");
  CHECK(ellipsize("\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4", 5) == "\u00e4\u00f6...");
  CHECK(ellipsize("abcdef", 2) == "..");
}

TEST_CASE("what is printed is UTF-8 without control characters, whatever a name holds") {
  CHECK(report::printable("st\xffncil\x1b[2J\t\xc3\xa9") == "stncil?[2J \xc3\xa9");
  CHECK(report::escaped("a<\xff>") == "a&lt;&gt;");
}

TEST_CASE("text wraps at blanks, and cuts a word that is too long for a line") {
  CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("abcdefgh ij", 3) == std::vector<std::string>{"abc", "def", "gh", "ij"});
  CHECK(wrap("a bcdefg", 3) == std::vector<std::string>{"a", "bcd", "efg"});
  CHECK(wrap("abc", 3) == std::vector<std::string>{"abc"});
  CHECK(wrap("", 3) == std::vector<std::string>{""});
}

TEST_CASE("a bar has the length of its share, and a dot where something is too small to show") {
  CHECK(bar(1, 4) == "####");
  CHECK(bar(0.5, 4) == "##");
  CHECK(bar(0.01, 4) == ".");
  CHECK(bar(0, 4).empty());
  CHECK(bar(9, 4) == "####");
}

TEST_CASE("the control word's notation has each field at its place") {
  ControlWord control;
  CHECK(control_notation(control) == "B------:R-:W-:-:S01");
  control = {15, true, 3, 5, 0b111111, 0};
  CHECK(control_notation(control) == "B012345:R5:W3:Y:S15");
  control = {4, false, 0, kNoBarrier, 0b000100, 0};
  CHECK(control_notation(control) == "B--2---:R-:W0:-:S04");
}

TEST_CASE("Kepler's control word is shown as a delay or a pair, without what it has not") {
  ControlWord control;
  control.format = ControlFormat::kepler;
  control.stall = 9;
  control.code = 0x28;
  CHECK(control_notation(control) == "S09");
  control.stall = 0;
  control.code = 0x04;
  CHECK(control_notation(control) == "dual");
  control.stall = 3;
  control.code = 0xc2;
  CHECK(control_notation(control) == "T:G:S03");
}

TEST_CASE("Maxwell's control word has the same notation as Volta's") {
  ControlWord control;
  control.format = ControlFormat::maxwell;
  control.stall = 0;
  CHECK(control_notation(control) == "B------:R-:W-:-:S00");
}
