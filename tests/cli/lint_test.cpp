// SPDX-License-Identifier: MIT
// smsim lint: its lines, exit codes and formats.
#include "smsim/lint.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

using namespace smsim::test;
using nlohmann::json;

namespace {

const std::string kUnsafe = source_file("traces/lessons/unsafe.sass");
const std::string kCubin = source_file("traces/turing/kernels.sm_75.cubin.gz");

Outcome lint(std::vector<std::string> words, std::string_view input = {}) {
  words.insert(words.begin(), "lint");
  return run_smsim(words, input);
}

}  // namespace

TEST_CASE("an unsafe file is reported line by line and ends with exit code 1") {
  const Outcome outcome = lint({kUnsafe, "--arch", "sm_90"});
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "unsafe.sass:3:27: error: FADD waits for a barrier"));
  CHECK(contains(outcome.out, "[wait-too-soon]\n"));
  CHECK(contains(outcome.out, "[early-read]\n"));
  CHECK(contains(outcome.out, "[source-overwritten]\n"));
  CHECK(contains(outcome.out, "[overlong-stall]\n"));
  CHECK(contains(outcome.out, "raise the stall count of"));
}

TEST_CASE("a safe file ends with exit code 0, and a count of what was looked at") {
  const Outcome outcome = lint({kCubin});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "0 errors, 0 warnings"));
  CHECK(contains(outcome.out, "34 functions"));
}

TEST_CASE("lint's findings are the same bytes each time, also in a file") {
  const Outcome once = lint({kUnsafe, "--arch", "sm_90", "--format", "json"});
  const Outcome again = lint({kUnsafe, "--arch", "sm_90", "--format", "json"});
  CHECK(once.out == again.out);
  TempFolder folder;
  const std::string path = (folder.path() / "out.json").string();
  const Outcome written = lint({kUnsafe, "--arch", "sm_90", "--format", "json", "-o", path});
  CHECK(written.exit_code == 1);
  CHECK(read_text(path) == once.out);
}

TEST_CASE("the JSON says what the text says") {
  const Outcome outcome = lint({kUnsafe, "--arch", "sm_90", "--format", "json"});
  const json document = json::parse(outcome.out);
  CHECK(document["archs"] == json::array({"hopper-gh100"}));
  CHECK(document["errors"].get<std::size_t>() > 2);
  std::size_t errors = 0;
  for (const json& finding : document["findings"]) errors += finding["level"] == "error" ? 1 : 0;
  CHECK(errors == document["errors"]);
  CHECK(document["findings"][0]["place"]["line"] == 3);
  CHECK(document["findings"][0]["related"]["line"] == 2);
}

TEST_CASE("SARIF has what version 2.1.0 requires, and a rule for each result") {
  const Outcome outcome = lint({kUnsafe, "--arch", "sm_90", "--format", "sarif"});
  const json log = json::parse(outcome.out);
  CHECK(log["version"] == "2.1.0");
  REQUIRE(log["runs"].size() == 1);
  const json& run = log["runs"][0];
  const json& rules = run["tool"]["driver"]["rules"];
  CHECK(run["tool"]["driver"]["name"] == "smsim lint");
  CHECK(rules.size() == smsim::lint_rules().size());
  REQUIRE(!run["results"].empty());
  for (const json& result : run["results"]) {
    CHECK(rules[result["ruleIndex"].get<std::size_t>()]["id"] == result["ruleId"]);
    const std::string level = result["level"];
    CHECK((level == "error" || level == "warning" || level == "note"));
    CHECK(!result["message"]["text"].get<std::string>().empty());
    const json& place = result["locations"][0]["physicalLocation"];
    CHECK(contains(place["artifactLocation"]["uri"].get<std::string>(), "unsafe.sass"));
    CHECK(place["region"]["startLine"].get<int>() >= 1);
  }
}

TEST_CASE("SARIF names files as URI references, whatever stands in their paths") {
  const TempFolder folder;
  const std::string odd = (folder.path() / "a b#1%é.sass").string();
  std::filesystem::copy_file(kUnsafe, odd);
  const auto uri = [](const Outcome& outcome) {
    return json::parse(outcome.out)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
                                   ["artifactLocation"]["uri"]
                                       .get<std::string>();
  };
  CHECK(uri(lint({odd, "--arch", "sm_90", "--format", "sarif"}))
            .ends_with("/a%20b%231%25%C3%A9.sass"));
}

TEST_CASE("--rules lists every rule with its level, and docs/lint.md explains each") {
  const Outcome outcome = lint({"--rules"});
  CHECK(outcome.exit_code == 0);
  const std::string page = read_text(source_file("docs/lint.md"));
  for (const smsim::LintRule& rule : smsim::lint_rules()) {
    CAPTURE(rule.id);
    CHECK(contains(outcome.out, std::string(rule.id)));
    CHECK(contains(page, "| `" + std::string(rule.id) + "` |"));
  }
}

TEST_CASE("hints are for loops, for everything, or not shown") {
  const std::string text =
      "  [B------:R-:W-:-:S04] FADD R1, R2.reuse, R3 ;\n"
      "  [B------:R-:W-:-:S05] EXIT ;\n";
  const auto out = [&](const char* where) {
    return lint({"-", "--arch", "sm_90", "--hints", where}, text).out;
  };
  CHECK(contains(out("all"), "[reuse-never-hits]"));
  CHECK(!contains(out("loops"), "[reuse-never-hits]"));
  CHECK(!contains(out("none"), "[reuse-never-hits]"));
}

TEST_CASE("lint says what is missing: file, architecture, function, control words") {
  CHECK(lint({}).exit_code == 2);
  CHECK(lint({"/nowhere.sass"}).exit_code == 66);
  CHECK(lint({kUnsafe}).exit_code == 2);
  CHECK(contains(lint({kUnsafe}).err, "--arch"));
  const Outcome nobody = lint({kCubin, "--function", "saxpy_chian"});
  CHECK(nobody.exit_code == 2);
  CHECK(contains(nobody.err, "did you mean 'saxpy_chain'?"));
  const Outcome bare =
      lint({source_file("traces/hopper/kernels.sm_90.nvdisasm-nohex.sass.gz"), "--arch", "sm_90"});
  CHECK(bare.exit_code == 65);
  CHECK(contains(bare.err, "no control words"));
}

TEST_CASE("a stall count that slows a loop down is hinted at, with the one that is enough") {
  const Outcome outcome =
      lint({source_file("traces/lessons/stalls_too_long.sass"), "--arch", "sm_90"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out,
                 ":2:27: hint: a stall count of 8, where 4 is enough, costs a lone warp"));
  CHECK(contains(outcome.out, "[stall-too-long]"));
  const Outcome tight = lint({source_file("traces/lessons/stalls.sass"), "--arch", "sm_90"});
  CHECK(!contains(tight.out, "where 4 is enough"));
}

TEST_CASE("findings in a cubin name function and address, as it has no lines") {
  const std::string cubin = source_file("traces/hopper/kernels.sm_90.cubin.gz");
  const Outcome text = lint({cubin, "--function", "ray_sphere"});
  CHECK(text.exit_code == 0);
  CHECK(contains(text.out, "cubin.gz:ray_sphere+0x03e0: hint: "));
  const json document = json::parse(lint({cubin, "--format", "json"}).out);
  REQUIRE(!document["findings"].empty());
  for (const json& finding : document["findings"]) CHECK(finding["place"]["line"] == 0);
  const json log = json::parse(lint({cubin, "--format", "sarif"}).out);
  for (const json& result : log["runs"][0]["results"]) {
    const json& place = result["locations"][0];
    CHECK(!place["physicalLocation"].contains("region"));
    CHECK(contains(place["logicalLocations"][0]["fullyQualifiedName"].get<std::string>(), "+0x"));
  }
}

TEST_CASE("lint looks at one loop if it is named, by number, start or range") {
  const std::string cubin = source_file("traces/hopper/kernels.sm_90.cubin.gz");
  const auto found = [&](const char* loop) {
    return lint({cubin, "--function", "ray_sphere", "--loop", loop}).out;
  };
  CHECK(contains(found("1"), "[stall-too-long]"));
  CHECK(found("0x260") == found("1"));
  CHECK(found("0x260-0x490") == found("1"));
  CHECK(!contains(found("0"), "[stall-too-long]"));
  const Outcome none = lint({cubin, "--function", "ray_sphere", "--loop", "0x250"});
  CHECK(none.exit_code == 2);
  CHECK(contains(none.err, "no loop of function 'ray_sphere' begins at 0x0250"));
}
