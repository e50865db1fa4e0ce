// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

using namespace smsim::test;

namespace {

std::string predicted(const std::string& file, const std::string& warps) {
  return run_smsim({"predict", source_file(file), "--warps", warps, "--format", "json"}).out;
}

const std::string kSlow = "traces/volta/sgemm_8x8_compiler.sass";
const std::string kFast = "traces/volta/sgemm_8x8_remapped.sass";

/// The two loops under one name, since they are versions of one.
std::string renamed(std::string text) {
  for (const std::string name : {"sgemm_8x8_compiler", "sgemm_8x8_remapped"})
    if (const auto at = text.find(name); at != std::string::npos)
      text.replace(at, name.size(), "sgemm");
  return text;
}

}  // namespace

TEST_CASE("a loop that got slower than allowed ends a build with code 1, and the table says why") {
  const TempFolder folder;
  const auto fast = folder.write("fast.json", renamed(predicted(kFast, "4")));
  const auto slow = folder.write("slow.json", renamed(predicted(kSlow, "4")));
  const auto worse = run_smsim({"diff", fast, slow, "--max-regression", "2%"});
  CHECK(worse.exit_code == 1);
  CHECK(worse.out.find("265") != std::string::npos);
  CHECK(worse.out.find("304") != std::string::npos);
  CHECK(worse.out.find("bank_conflict") != std::string::npos);
  CHECK(run_smsim({"diff", slow, fast, "--max-regression", "2%"}).exit_code == 0);
  CHECK(run_smsim({"diff", fast, slow, "--max-regression", "15%"}).exit_code == 0);
}

TEST_CASE("blocks without a warp are no reason why a loop got slower") {
  const TempFolder folder;
  const std::string loop =
      ".text.k:\nL:\n[B------:R-:W-:-:S0{}] FFMA R0, R0, R1, R2 ;\n"
      "[B------:R-:W-:-:S05] BRA `(L) ;\n";
  const auto saved = [&](const char* stall) {
    std::string text = loop;
    text.replace(text.find("{}"), 2, stall);
    const auto file = folder.write("k.sass", text);
    return run_smsim({"predict", file, "--arch", "volta-v100", "--warps", "1", "--format", "json"})
        .out;
  };
  const auto before = folder.write("before.json", saved("4"));
  const auto after = folder.write("after.json", saved("9"));
  const auto worse = run_smsim({"diff", before, after});
  CHECK(worse.out.find("stall_count +5") != std::string::npos);
  CHECK(worse.out.find("no_warp") == std::string::npos);
}

TEST_CASE("the same predictions differ in nothing, to the last digit that is allowed") {
  const TempFolder folder;
  const auto one = folder.write("one.json", predicted(kFast, "4"));
  const auto same = run_smsim({"diff", one, one});
  CHECK(same.exit_code == 0);
  CHECK(same.out.find("0 of 1 loop slower") != std::string::npos);
}

TEST_CASE("a file may hold several reports, and loops that came or went are no regression") {
  const TempFolder folder;
  const auto both = folder.write("both.json", predicted(kFast, "4") + predicted(kFast, "8"));
  const auto one = folder.write("one.json", "[" + predicted(kFast, "8") + "]");
  const auto fewer = run_smsim({"diff", both, one, "--format", "json"});
  CHECK(fewer.exit_code == 0);
  const auto document = nlohmann::json::parse(fewer.out);
  REQUIRE(document["loops"].size() == 2);
  CHECK(document["loops"][0]["after"].is_null());
  CHECK(document["loops"][1]["change"] == 0.0);
  CHECK(document["regressions"] == 0);
}

TEST_CASE(
    "one loop in each file is compared whatever it is called; files without a loop in common are "
    "refused") {
  const TempFolder folder;
  const auto fast = folder.write("fast.json", predicted(kFast, "4"));
  const auto slow = folder.write("slow.json", predicted(kSlow, "4"));
  const auto worse = run_smsim({"diff", fast, slow});
  CHECK(worse.exit_code == 1);
  CHECK(worse.out.find("sgemm_8x8_remapped volta-v100 4 warps -> sgemm_8x8_compiler") !=
        std::string::npos);
  const auto two = folder.write("two.json", predicted(kSlow, "4") + predicted(kSlow, "8"));
  const auto strangers = run_smsim({"diff", fast, two});
  CHECK(strangers.exit_code == 65);
  CHECK(strangers.err.find("no loop stands in both files") != std::string::npos);
}

TEST_CASE("what is no report is refused with the file's name, and a bad percentage with a hint") {
  const TempFolder folder;
  const auto good = folder.write("good.json", predicted(kFast, "4"));
  for (const std::string text : {"", "{", "[1]", "{\"function\": 1}", "hello"}) {
    const auto bad = folder.write("bad.json", text);
    const auto outcome = run_smsim({"diff", good, bad});
    CHECK(outcome.exit_code == 65);
    CHECK(outcome.err.find("bad.json") != std::string::npos);
  }
  CHECK(run_smsim({"diff", good, "/nonexistent.json"}).exit_code == 66);
  CHECK(run_smsim({"diff", good, good, "--max-regression", "much"}).exit_code == 2);
  CHECK(run_smsim({"diff", good, good, "--max-regression", "-1%"}).exit_code == 2);
}
