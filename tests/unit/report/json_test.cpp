// SPDX-License-Identifier: MIT
// The JSON output: the promised keys, and values that say the same as the result.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "support/run_program.hpp"
#include "unit/report/sample.hpp"

using namespace smsim;
using nlohmann::json;
using smsim::test::sample_result;

namespace {

std::string json_text(const Result& result) {
  std::ostringstream out;
  write_json(out, result);
  return out.str();
}

json json_of(const Result& result) { return json::parse(json_text(result)); }

}  // namespace

TEST_CASE("the summary of the JSON is the result's") {
  const json document = json_of(sample_result());
  CHECK(document["schema_version"] == 1);
  CHECK(document["tool"] == "smsim");
  CHECK(document["arch"] == "hopper-gh100");
  CHECK(document["function"] == "saxpy");
  CHECK(document["loop"] == json{{"start", "0x40"}, {"end", "0x60"}, {"instructions", 3}});
  CHECK(document["other_loops"][0]["start"] == "0x100");
  CHECK(document["warps"] == 2);
  CHECK(document["cycles_per_iteration"].get<double>() == doctest::Approx(43.0 / 3));
  CHECK(document["warp_instructions_per_cycle"].get<double>() == doctest::Approx(18.0 / 43));
  CHECK(document["steady_state"]["periodic"] == true);
  CHECK(document["steady_state"]["period_iterations"] == 3);
  CHECK(document["steady_state"]["period_cycles"] == 43);
  CHECK(document["steady_state"]["iterations_simulated"] == 12);
  CHECK(document["assumptions"] == json{"every load hits the first-level cache"});
}

TEST_CASE("slots list the reasons that have some, and selected always") {
  const json document = json_of(sample_result());
  CHECK(document["slots"] ==
        json{{"selected", 18}, {"wait/stall_count", 62}, {"long_scoreboard", 6}});
  Result idle = sample_result();
  idle.slots = {};
  CHECK(json_of(idle)["slots"] == json{{"selected", 0}});
}

TEST_CASE("a control word has integers, a boolean, and null for a barrier that is none") {
  const json rows = json_of(sample_result())["instructions"];
  REQUIRE(rows.size() == 3);
  CHECK(rows[0]["control"] == json{{"stall", 2},
                                   {"yield", true},
                                   {"write_barrier", 0},
                                   {"read_barrier", nullptr},
                                   {"wait_mask", 0},
                                   {"reuse", 0}});
  CHECK(rows[1]["control"]["wait_mask"] == 33);
  CHECK(rows[1]["control"]["reuse"] == 1);
  CHECK(rows[1]["address"] == "0x50");
  CHECK(rows[1]["slots"]["wait/stall_count"] == 12);
}

TEST_CASE(
    "a control word before Volta says whether it asks for dual issue, Kepler's not much else") {
  Result result = sample_result();
  result.instructions[0].control.format = ControlFormat::maxwell;
  result.instructions[0].control.stall = 0;
  result.instructions[1].control.format = ControlFormat::kepler;
  result.instructions[1].control.stall = 9;
  result.instructions[1].control.code = 0x28;
  const json rows = json_of(result)["instructions"];
  CHECK(rows[0]["control"]["dual_issue"] == true);
  CHECK(rows[0]["control"]["yield"] == true);
  CHECK(rows[1]["control"] == json{{"stall", 9}, {"dual_issue", false}, {"code", 40}});
  CHECK_FALSE(rows[2]["control"].contains("dual_issue"));
}

TEST_CASE("the same result gives the same bytes") {
  CHECK(json_text(sample_result()) == json_text(sample_result()));
}

TEST_CASE("text that is not UTF-8 still gives JSON") {
  Result result = sample_result();
  result.function = "k\xff\xfe";
  CHECK(json_of(result)["function"].get<std::string>().substr(0, 1) == "k");
}

TEST_CASE("the schema knows exactly the stall reasons that there are") {
  const json schema = json::parse(test::read_text(test::source_file("docs/predict.schema.json")));
  std::set<std::string> in_schema = schema["$defs"]["slots"]["propertyNames"]["enum"];
  std::set<std::string> in_code;
  for (const StallReasonInfo& reason : kStallReasons) in_code.emplace(reason.name);
  CHECK(in_schema == in_code);
}
