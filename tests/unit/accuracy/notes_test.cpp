// SPDX-License-Identifier: MIT
// Notes about loops: which one applies, and what is said of a wrong file.
#include "accuracy/notes.hpp"

#include <doctest/doctest.h>

using namespace smsim;
using namespace smsim::accuracy;

namespace {

std::string errors(const char* text) {
  const auto notes = parse_notes(text, "notes.yaml");
  return notes ? std::string() : to_string(notes.error());
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the first note whose pattern is found in the id applies") {
  const auto notes = parse_notes("\"^a\\\\.x\": first\n\"^a\": {known: second}\n", "notes.yaml");
  REQUIRE(notes.has_value());
  REQUIRE(notes->find("a.x.w4") != nullptr);
  CHECK(notes->find("a.x.w4")->known == "first");
  CHECK(notes->find("a.y.w4")->known == "second");
  CHECK(notes->find("a.y.w4")->counted);
  CHECK(notes->find("b.a") == nullptr);
}

TEST_CASE("a wrong note is named with its place") {
  CHECK(
      contains(errors("\"(\": text\n"), "notes.yaml:1:1: error: '(' is not a regular expression"));
  CHECK(contains(errors("a: {known: x, count: false}\n"), "unknown key 'count'"));
  CHECK(contains(errors("a: {known: x, counted: no}\n"), "'counted' is true or false"));
  CHECK(contains(errors("a: {counted: false}\n"), "the note says nothing"));
  CHECK(contains(errors("a: x\na: y\n"), "notes.yaml:2:1: error: duplicate key 'a'"));
}
