// SPDX-License-Identifier: MIT
// What Huerta et al. published of Ampere's cores (MICRO 2025), as far as code can show it.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "block/issue_times.hpp"
#include "smsim/read.hpp"
#include "support/run_program.hpp"

using namespace smsim;
using namespace smsim::test;
using nlohmann::json;

namespace {

Program program_of(const std::string& code) {
  auto program = read_program_text(code, "listing");
  REQUIRE(program.has_value());
  return std::move(*program);
}

/// Register reads of an example of Listing 4, both banks together.
int bank_reads(const std::string& first, const std::string& second, const std::string& third) {
  std::string code;
  for (const auto& text : {first, second, third})
    code += "    [B------:R-:W-:-:S04] " + text + " ;\n";
  code +=
      "    [B------:R-:W-:-:S10] NOP ;\n    [B------:R-:W-:-:S01] NOP ;\n";  // all is read by then
  SimulateOptions options;
  options.loop = "all";
  options.warps = 1;
  const auto result = simulate(program_of(code), *load_arch("ampere-ga102", {}), options);
  REQUIRE(result.has_value());
  double reads = 0;
  for (const BankUse& bank : result->banks) reads += bank.reads_per_iteration;
  return static_cast<int>(reads);
}

/// Warps in the order in which they issue, as runs: "3x2 2x2". Four warps of one processing block
/// start together with 32 NOPs each, of which the second has this control word.
std::string issue_order(const std::string& second) {
  std::string code;
  for (int i = 0; i < 32; ++i)
    code += "    [" + (i == 1 ? second : std::string("B------:R-:W-:-:S01")) + "] NOP ;\n";
  Arch arch = *load_arch("ampere-ga102", {});
  arch.processing_blocks = 1;
  arch.scheduler.start_skew_cycles = 0;
  SimulateOptions options;
  options.loop = "all";
  const Program program = program_of(code);
  const auto times = issue_times(program, arch, options, 1);
  REQUIRE(times.has_value());
  std::vector<std::pair<Cycle, int>> issues;
  for (const WarpIssueTimes& warp : times->warps)
    for (const Cycle at : warp.issue) issues.emplace_back(at, warp.warp);
  std::sort(issues.begin(), issues.end());
  std::string order;
  for (std::size_t i = 0; i < issues.size();) {
    std::size_t end = i;
    while (end < issues.size() && issues[end].second == issues[i].second) ++end;
    order += (order.empty() ? "" : " ") + std::to_string(issues[i].second) + "x" +
             std::to_string(end - i);
    i = end;
  }
  return order;
}

}  // namespace

TEST_CASE("Huerta: listings 1 and 2, tables 1 and 2, the rates and control codes are all exact") {
  const Outcome outcome = run_smsim(
      {"validate", source_file("traces/suites/huerta/ampere.jsonl.gz"), "--format", "json"});
  REQUIRE(outcome.exit_code == 0);
  const json document = json::parse(outcome.out);
  CHECK(document["loops"] == 206);
  CHECK(document["inside"] == document["inside_of"]);
  CHECK(document["exact"] == document["exact_of"]);
  CHECK(document["exact"] == 202);  // four rows are published as "one or two cycles"
  for (const json& row : document["rows"]) {
    CAPTURE(row["id"].get<std::string>());
    CHECK(row["error_percent"] == 0);
  }
}

TEST_CASE("Huerta, listing 4: a reused operand is read once, and any use of its slot ends it") {
  const std::string allocates = "IADD3 R1, R2.reuse, R3, R4";
  const std::string third = "IADD3 R10, R2, R12, R13";
  // Nine sources; each hit saves one read.
  CHECK(bank_reads(allocates, "FFMA R5, R2, R7, R8", third) == 8);
  CHECK(bank_reads(allocates, "FFMA R5, R2.reuse, R7, R8", third) == 7);
  CHECK(bank_reads(allocates, "FFMA R5, R7, R2, R8", third) == 8);
  CHECK(bank_reads(allocates, "FFMA R5, R4, R7, R8", third) == 9);
}

TEST_CASE("Huerta, figure 4b: a stall count lets the next younger warp in, greedily to its end") {
  CHECK(issue_order("B------:R-:W-:-:S04") == "3x2 2x2 1x2 3x30 2x30 1x30 0x32");
}

TEST_CASE("Huerta, figure 4c: a yield switches to the youngest of the other warps") {
  CHECK(issue_order("B------:R-:W-:Y:S01") == "3x2 2x2 3x30 2x30 1x2 0x2 1x30 0x30");
}

TEST_CASE("Huerta: a stall count that means something else is named in the report") {
  const auto loop = [](const std::string& control) {
    return ".L_loop:\n    [B------:R-:W-:" + control +
           "] NOP ;\n    [B------:R-:W-:-:S05] @P0 BRA `(.L_loop) ;\n";
  };
  const auto text = [&](const std::string& control) {
    return run_smsim({"predict", "-", "--arch", "sm_86"}, loop(control)).out;
  };
  CHECK(text("-:S13").find("costs one or two cycles") != std::string::npos);
  CHECK(text("Y:S13").find("costs one or two cycles") == std::string::npos);
  CHECK(text("-:S11").find("costs one or two cycles") == std::string::npos);
}
