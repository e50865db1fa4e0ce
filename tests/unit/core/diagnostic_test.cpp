// SPDX-License-Identifier: MIT
// How findings are printed, and which exit code they ask for.
#include "smsim/diagnostic.hpp"

#include <doctest/doctest.h>

using namespace smsim;

namespace {

Diagnostic sample() {
  Diagnostic one;
  one.message = "unknown opcode 'FFMB'";
  one.where = {"loop.sass", 3, 9};
  one.excerpt = "\t/*00*/ FFMB R0 ;";
  one.hint = "did you mean FFMA?";
  return one;
}

Diagnostic of_kind(ErrorKind kind) {
  Diagnostic one;
  one.kind = kind;
  return one;
}

}  // namespace

TEST_CASE("a diagnostic prints place, message, excerpt with a caret, and hint") {
  CHECK(to_string(sample()) ==
        "loop.sass:3:9: error: unknown opcode 'FFMB'\n"
        "\t/*00*/ FFMB R0 ;\n"
        "\t       ^\n"
        "hint: did you mean FFMA?\n");
}

TEST_CASE("without a column there is no caret, without a line no line number") {
  Diagnostic one = sample();
  one.where.column = 0;
  CHECK(to_string(one).starts_with("loop.sass:3: error: unknown"));
  CHECK(to_string(one).find('^') == std::string::npos);
  one.where.line = 0;
  CHECK(to_string(one).starts_with("loop.sass: error: unknown"));
}

TEST_CASE("a caret never stands further right than one behind the excerpt") {
  Diagnostic one = sample();
  one.excerpt = "FFMB";
  one.where.column = 400;
  CHECK(to_string(one).find("\nFFMB\n    ^\n") != std::string::npos);
}

TEST_CASE("severity and the missing file are named") {
  Diagnostic one;
  one.severity = Severity::warning;
  one.message = "odd";
  CHECK(to_string(one) == "smsim: warning: odd\n");
}

TEST_CASE("each kind of error has its own exit code") {
  CHECK(exit_code({of_kind(ErrorKind::usage)}) == 2);
  CHECK(exit_code({of_kind(ErrorKind::bad_input)}) == 65);
  CHECK(exit_code({of_kind(ErrorKind::no_file)}) == 66);
  CHECK(exit_code({of_kind(ErrorKind::internal)}) == 70);
  CHECK(exit_code({of_kind(ErrorKind::bad_config)}) == 78);
}

TEST_CASE("several findings end with the exit code of the worst") {
  CHECK(exit_code({of_kind(ErrorKind::usage), of_kind(ErrorKind::bad_input)}) == 65);
  CHECK(exit_code({of_kind(ErrorKind::internal), of_kind(ErrorKind::bad_config)}) == 70);
}

TEST_CASE("warnings alone do not fail") {
  Diagnostic one = of_kind(ErrorKind::bad_input);
  one.severity = Severity::warning;
  CHECK(exit_code({one}) == 0);
  CHECK(exit_code({}) == 0);
}

TEST_CASE("fail makes a failed Expected that holds the one diagnostic") {
  const Expected<int> failed = fail(ErrorKind::no_file, "cannot open 'x'", {"x", 0, 0}, "a hint");
  REQUIRE_FALSE(failed.has_value());
  REQUIRE(failed.error().size() == 1);
  CHECK(failed.error().front().kind == ErrorKind::no_file);
  CHECK(failed.error().front().hint == "a hint");
}
