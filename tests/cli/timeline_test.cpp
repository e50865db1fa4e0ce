// SPDX-License-Identifier: MIT
// smsim timeline as a user runs it.
#include <doctest/doctest.h>

#include "support/run_program.hpp"

using namespace smsim::test;

namespace {

const std::string kStencil = source_file("traces/hopper/stencil3.sass");

}  // namespace

TEST_CASE("timeline shows one iteration of the steady state unless it is told others") {
  const Outcome usual = run_smsim({"timeline", kStencil});
  CHECK(usual.exit_code == 0);
  CHECK(contains(usual.out, "(steady state)"));
  const Outcome first = run_smsim({"timeline", kStencil, "--iterations", "1..2"});
  CHECK(first.exit_code == 0);
  CHECK(contains(first.out, "iterations 1 to 2"));
  CHECK(contains(first.out, "warp 0, iteration 2"));
}

TEST_CASE("timeline refuses iterations and blocks that there are none of") {
  for (const char* word : {"0", "3..2", "a..b", "1..", "-1", "1..2..3"}) {
    CAPTURE(word);
    const Outcome outcome = run_smsim({"timeline", kStencil, std::string("--iterations=") + word});
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "--iterations"));
  }
  const Outcome outcome = run_smsim({"timeline", kStencil, "--warps", "2", "--block", "2"});
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, "0 to 1, or all"));
}
