// SPDX-License-Identifier: MIT
// Reading a suite: both shapes of a row, and a place for everything that is wrong.
#include "validate/suite.hpp"

#include <doctest/doctest.h>

using namespace smsim;
using namespace smsim::validate;

namespace {

constexpr const char* kLoop =
    R"({"id":"a.b.w4","arch":"sm_90","warps":4,"cycles":75.5,"lo":75,"hi":76,)"
    R"("lane_stride_bytes":{"R6":0,"R12":4},"sass":"NOP ;"})";

constexpr const char* kKernel =
    R"({"id":"kernel.k","arch":"sm_90","loop_start":"0x220","loop_end":"0x2f0",)"
    R"("runs":{"16":{"cycles":65.9,"lo":65.8,"hi":66.1},"2":{"cycles":63,"lo":63,"hi":63}},"sass":"NOP ;"})";

std::string first_error(std::string_view text) {
  const auto suite = parse_suite(text, "suite.jsonl");
  REQUIRE_FALSE(suite.has_value());
  const Diagnostic& diagnostic = suite.error().front();
  CHECK(diagnostic.where.file == "suite.jsonl");
  return std::to_string(diagnostic.where.line) + ":" + std::to_string(diagnostic.where.column) +
         ": " + diagnostic.message;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a row of a loop has one run, with its interval and lane strides") {
  const auto suite = parse_suite(kLoop, "s");
  REQUIRE(suite.has_value());
  const SuiteLoop& loop = suite->at(0);
  CHECK(loop.id == "a.b.w4");
  CHECK(loop.arch == "sm_90");
  CHECK(loop.loop.empty());
  CHECK_FALSE(loop.is_bare_body);
  CHECK(loop.lane_stride_bytes == std::map<int, int>{{6, 0}, {12, 4}});
  REQUIRE(loop.runs.size() == 1);
  CHECK(loop.runs[0].warps == 4);
  CHECK(loop.runs[0].cycles == 75.5);
  CHECK(loop.runs[0].lo == 75);
  CHECK(loop.runs[0].hi == 76);
}

TEST_CASE("a row of a kernel has a run for each number of warps, in the order of the numbers") {
  const auto suite = parse_suite(kKernel, "s");
  REQUIRE(suite.has_value());
  CHECK(suite->at(0).loop == "0x220-0x2f0");
  CHECK(suite->at(0).has_many_runs);
  REQUIRE(suite->at(0).runs.size() == 2);
  CHECK(suite->at(0).runs[0].warps == 2);
  CHECK(suite->at(0).runs[1].warps == 16);
  CHECK(suite->at(0).runs[1].hi == 66.1);
}

TEST_CASE("a timed part names its instructions, and its block if that is not the first") {
  const auto suite = parse_suite(
      R"({"id":"t","warps":4,"cycles":9,"timed":{"from":1,"to":5,"block":3},"sass":"NOP ;"})"
      "\n"
      R"({"id":"u","warps":4,"cycles":9,"timed":{"from":0,"to":2},"sass":"NOP ;"})",
      "s");
  REQUIRE(suite.has_value());
  REQUIRE(suite->at(0).timed.has_value());
  CHECK(suite->at(0).timed->from == 1);
  CHECK(suite->at(0).timed->to == 5);
  CHECK(suite->at(0).timed->block == 3);
  CHECK(suite->at(1).timed->block == 0);
  for (const char* wrong : {"3", "{}", R"({"from":0})", R"({"from":-1,"to":2})"}) {
    const std::string row = R"({"id":"t","warps":4,"cycles":9,"sass":"x","timed":)";
    CHECK(contains(first_error(row + wrong + "}"), "'timed' has no"));
  }
}

TEST_CASE("time stamps are kept by run and block") {
  const auto suite = parse_suite(
      R"({"id":"t","warps":8,"cycles":9,"stamps":[{"block0":[[0,4],[7,11]]},{"block3":[[1,5],[0,4]]}],)"
      R"("sass":"NOP ;"})",
      "s");
  REQUIRE(suite.has_value());
  const auto& stamps = suite->at(0).stamps;
  REQUIRE(stamps.size() == 2);
  CHECK(stamps[0].run == 0);
  CHECK(stamps[0].block == 0);
  CHECK(stamps[0].stamps == Stamps{{0, 4}, {7, 11}});
  CHECK(stamps[1].run == 1);
  CHECK(stamps[1].block == 3);
}

TEST_CASE("time stamps of another form are an error") {
  const auto error_of = [](const std::string& stamps) {
    return first_error(R"({"id":"t","warps":8,"cycles":9,"sass":"NOP ;","stamps":)" + stamps + "}");
  };
  for (const char* wrong : {"3", "[3]", R"([{"block":[[0]]}])", R"([{"lane0":[[0]]}])",
                            R"([{"block0":[0]}])", R"([{"block0":[["0"]]}])", R"([{"block0":[]}])",
                            R"([{"block0":[[-1]]}])", R"([{"block0":[[]]}])"})
    CHECK(contains(error_of(wrong), "'stamps' is a list of runs"));
  CHECK(contains(first_error(R"({"id":"t","runs":{"4":{"cycles":1}},"sass":"x","stamps":[]})"),
                 "do not go together"));
}

TEST_CASE("a published figure without an interval is its own interval") {
  const auto suite = parse_suite(
      R"({"id":"p","warps":48,"cycles":5376.77,"whole_listing_is_the_loop":true,"sass":"NOP ;"})",
      "s");
  REQUIRE(suite.has_value());
  CHECK(suite->at(0).is_bare_body);
  CHECK_FALSE(suite->at(0).in_published_kernel);
  CHECK(suite->at(0).runs[0].lo == 5376.77);
  CHECK(suite->at(0).runs[0].hi == 5376.77);
  CHECK_FALSE(suite->at(0).runs[0].has_interval);
}

TEST_CASE("a published figure names the kernel that it was measured in by its source") {
  const auto suite = parse_suite(
      R"({"id":"p","warps":48,"cycles":5376.77,"whole_listing_is_the_loop":true,"sass":"NOP ;",)"
      R"("source":"YKTian-x2b/AmpereArchViaMicroBenchMark regBank/res/res_2Bank.txt"})",
      "s");
  REQUIRE(suite.has_value());
  CHECK(suite->at(0).in_published_kernel);
}

TEST_CASE("blank lines and Windows line ends are no rows, but count as lines") {
  const auto suite = parse_suite("\r\n" + std::string(kLoop) + "\r\n\n" + kKernel, "s");
  REQUIRE(suite.has_value());
  REQUIRE(suite->size() == 2);
  CHECK(suite->at(0).line == 2);
  CHECK(suite->at(1).line == 4);
}

TEST_CASE("a line that is no JSON is named with line and column") {
  CHECK(contains(first_error(std::string(kLoop) + "\n{\"id\": }"), "2:8: not JSON from here on"));
  CHECK(contains(first_error("{\"id\": \"a"), "1:10: "));
  CHECK(contains(first_error("\x7f\x45LF"), "1:1: "));
}

TEST_CASE("a row that lacks a field or has a wrong one says which") {
  CHECK(contains(first_error(R"({"warps":4,"cycles":1,"sass":"x"})"), "1:1: the row has no 'id'"));
  CHECK(contains(first_error(R"({"id":"a","warps":4,"cycles":1})"), "the row has no 'sass'"));
  CHECK(
      contains(first_error(R"({"id":7,"warps":4,"cycles":1,"sass":"x"})"), "'id' is not a string"));
  CHECK(contains(first_error(R"({"id":"a","cycles":1,"sass":"x"})"), "'warps' is not"));
  CHECK(contains(first_error(R"({"id":"a","warps":-3,"cycles":1,"sass":"x"})"), "'warps' is not"));
  CHECK(
      contains(first_error(R"({"id":"a","warps":4,"cycles":"1","sass":"x"})"), "'cycles' is not"));
  CHECK(contains(first_error(R"({"id":"a","warps":4,"cycles":1,"lo":2,"hi":1,"sass":"x"})"),
                 "interval"));
  CHECK(contains(first_error(R"({"id":"a","runs":[],"sass":"x"})"), "'runs' is not"));
  CHECK(contains(first_error(R"({"id":"a","runs":{"x":{"cycles":1}},"sass":"x"})"),
                 "'warps' is not"));
  CHECK(contains(first_error(R"({"id":"a","warps":4,"cycles":1,"loop_start":"0x0","sass":"x"})"),
                 "together"));
  CHECK(contains(
      first_error(R"({"id":"a","warps":4,"cycles":1,"lane_stride_bytes":{"Q1":4},"sass":"x"})"),
      "Q1"));
  CHECK(contains(first_error("[1]"), "not a JSON object"));
  const std::string row = R"({"id":"a","warps":4,"cycles":1,"sass":"x",)";
  CHECK(contains(first_error(row + R"("lane_stride_bytes":5})"), "not an object"));
  CHECK(contains(first_error(row + R"("lane_stride_bytes":{"R1":1048577}})"), "at most 1048576"));
  CHECK(contains(first_error(row + R"("whole_listing_is_the_loop":"yes"})"), "neither true nor"));
  CHECK(contains(first_error(row + R"("lo":1})"), "both left out"));
  CHECK(contains(first_error(row + R"("lo":"1","hi":"2"})"), "both left out"));
  CHECK(contains(
      first_error(R"({"id":")" + std::string(1001, 'a') + R"(","warps":4,"cycles":1,"sass":"x"})"),
      "longer than 1000"));
  CHECK(contains(first_error(R"({"id":"a","warps":4,"cycles":1e999,"sass":"x"})"), "out of range"));
}

TEST_CASE("every wrong row is reported, up to twenty") {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "nonsense\n";
  const auto suite = parse_suite(text, "s");
  REQUIRE_FALSE(suite.has_value());
  CHECK(suite.error().size() == 20);
}

TEST_CASE("an empty suite is an error") {
  CHECK(contains(first_error(""), "no loop"));
  CHECK(contains(first_error("\n\n"), "no loop"));
}

TEST_CASE("a message about a line stays short, however long the line is") {
  CHECK(first_error("\"" + std::string(100000, 'x')).size() < 300);
}
