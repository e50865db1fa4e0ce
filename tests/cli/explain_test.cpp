// SPDX-License-Identifier: MIT
// smsim explain as a user runs it.
#include <doctest/doctest.h>

#include <sstream>

#include "support/run_program.hpp"

using namespace smsim::test;

TEST_CASE("explain without a word lists the words, and each sub-command is one of them") {
  const Outcome list = run_smsim({"explain"});
  CHECK(list.exit_code == 0);
  std::istringstream help(run_smsim({"--help"}).out);
  bool inside = false;
  std::size_t commands = 0;
  for (std::string line; std::getline(help, line);) {
    if (inside && line.empty()) break;
    if (inside) {
      const std::string command = line.substr(2, line.find(' ', 2) - 2);
      CAPTURE(command);
      CHECK(list.out.find(command) != std::string::npos);
      CHECK(run_smsim({"explain", command}).exit_code == 0);
      ++commands;
    }
    if (line.find("ubcommands:") != std::string::npos) inside = true;
  }
  CHECK(commands > 5);
}

TEST_CASE("explain takes a field of several words, and says what to do about a mistyped one") {
  const Outcome field = run_smsim({"explain", "wait", "mask"});
  CHECK(field.exit_code == 0);
  CHECK(field.out.find("Kepler") != std::string::npos);
  const Outcome wrong = run_smsim({"explain", "yeld"});
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("did you mean 'yield'?") != std::string::npos);
}
