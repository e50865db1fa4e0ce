// SPDX-License-Identifier: MIT
// smsim explain as a user runs it.
#include <doctest/doctest.h>

#include "support/run_program.hpp"

using namespace smsim::test;

TEST_CASE("explain without a word lists the words, and each sub-command is one of them") {
  const Outcome list = run_smsim({"explain"});
  CHECK(list.exit_code == 0);
  const auto commands = sub_commands();
  REQUIRE(commands.size() >= 20);
  for (const std::string& command : commands) {
    CAPTURE(command);
    CHECK(contains(list.out, command));
    CHECK(run_smsim({"explain", command}).exit_code == 0);
  }
}

TEST_CASE("explain takes a field of several words, and says what to do about a mistyped one") {
  const Outcome field = run_smsim({"explain", "wait", "mask"});
  CHECK(field.exit_code == 0);
  CHECK(field.out.find("Kepler") != std::string::npos);
  const Outcome wrong = run_smsim({"explain", "yeld"});
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("did you mean 'yield'?") != std::string::npos);
}
