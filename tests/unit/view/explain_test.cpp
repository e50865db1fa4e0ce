// SPDX-License-Identifier: MIT
// Explanations: nothing that a report or control word shows is without one.
#include <doctest/doctest.h>

#include <sstream>

#include "report/breakdown.hpp"
#include "report/layout.hpp"
#include "smsim/read.hpp"
#include "smsim/report.hpp"
#include "view/topics.hpp"

using namespace smsim;

namespace {

std::string explained(std::string_view word, int width = 100) {
  std::ostringstream out;
  const auto done = write_explanation(out, word, {false, width});
  CAPTURE((done ? std::string() : to_string(done.error())));
  REQUIRE(done);
  return out.str();
}

/// Cycles in which the example's warp waits for a reason, or its front end stands still for it.
std::int64_t cycles_in_example(std::string_view word, StallReason reason) {
  const view::Topic* topic = view::find_topic(word);
  REQUIRE(topic != nullptr);
  const auto program = read_program_text(topic->code + "[B------:R-:W-:-:S01] EXIT ;\n", "test");
  const auto arch = load_arch("hopper-gh100");
  REQUIRE(program);
  REQUIRE(arch);
  SimulateOptions one_warp;
  one_warp.warps = 1;
  const auto recording = record(*program, *arch, one_warp);
  REQUIRE(recording);
  std::int64_t cycles = 0;
  for (const RecordedWait& wait : recording->waits)
    if (wait.reason == reason) cycles += wait.end - wait.begin;
  for (const RecordedStop& stop : recording->stops)
    if (stop.reason == reason) ++cycles;
  return cycles;
}

}  // namespace

TEST_CASE("every stall reason is explained, by its full name and by the part behind the slash") {
  for (std::size_t r = 0; r < kStallReasonCount; ++r) {
    const auto reason = static_cast<StallReason>(r);
    CAPTURE(name_of(reason));
    REQUIRE(view::find_topic(name_of(reason)) != nullptr);
    CHECK(view::find_topic(name_of(reason)) == view::find_topic(report::leaf_name(reason)));
  }
}

TEST_CASE("case, blanks and dashes of a word do not matter") {
  CHECK(view::find_topic("Wait mask") == view::find_topic("wait_mask"));
  CHECK(view::find_topic("BANK-CONFLICT") == view::find_topic("bank_conflict"));
}

TEST_CASE("every explanation fits its width, and what it refers to exists") {
  for (const view::Topic& topic : view::topics()) {
    CAPTURE(topic.name);
    CHECK(!topic.text.empty());
    for (const std::string& other : topic.see) {
      CAPTURE(other);
      CHECK(view::find_topic(other) != nullptr);
    }
    for (const int width : {80, 100}) {
      std::istringstream lines(explained(topic.name, width));
      for (std::string line; std::getline(lines, line);)
        CHECK_MESSAGE(report::columns(line) <= static_cast<std::size_t>(width), line);
    }
  }
}

TEST_CASE("an example of a reason waits for that reason") {
  CHECK(cycles_in_example("stall_count", StallReason::stall_count) > 0);
  CHECK(cycles_in_example("yield", StallReason::yield) > 0);
  CHECK(cycles_in_example("bank_conflict", StallReason::bank_conflict) > 0);
  CHECK(cycles_in_example("reuse", StallReason::bank_conflict) == 0);
  CHECK(cycles_in_example("math_pipe_throttle", StallReason::math_pipe_throttle) > 0);
  CHECK(cycles_in_example("short_scoreboard", StallReason::short_scoreboard) > 0);
  CHECK(cycles_in_example("long_scoreboard", StallReason::long_scoreboard) > 0);
}

TEST_CASE("a word that nothing is known about is a usage error that names a near one") {
  std::ostringstream out;
  const auto done = write_explanation(out, "long_scorebord");
  REQUIRE_FALSE(done);
  CHECK(exit_code(done.error()) == 2);
  CHECK(to_string(done.error()).find("long_scoreboard") != std::string::npos);
}
