// SPDX-License-Identifier: MIT
// smsim validate as a user runs it: its keys, its filters, and rows that fail.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/snippets.hpp"
#include "support/run_program.hpp"

using namespace smsim::test;
using nlohmann::json;

namespace {

std::string row(const std::string& id, int warps, double lo, double hi,
                const std::string& code = kSnippet) {
  const json document = {{"id", id}, {"arch", "sm_90"}, {"warps", warps}, {"cycles", (lo + hi) / 2},
                         {"lo", lo}, {"hi", hi},        {"sass", code}};
  return document.dump() + "\n";
}

const std::string kCharacterise = source_file("traces/suites/h200/characterise.jsonl.gz");
const std::string kKernels = source_file("traces/suites/h200/kernels.jsonl.gz");

}  // namespace

TEST_CASE("the summary agrees with its rows") {
  const Outcome outcome =
      run_smsim({"validate", kCharacterise, "--filter", "^(bank|stall)\\.", "--format", "json"});
  REQUIRE(outcome.exit_code == 0);
  const json document = json::parse(outcome.out);
  double sum = 0;
  double largest = 0;
  for (const json& one : document["rows"]) {
    sum += one["error_percent"].get<double>();
    largest = std::max(largest, one["error_percent"].get<double>());
  }
  CHECK(document["loops"] == document["rows"].size());
  CHECK(document["loops"] > 100);
  CHECK(document["exact_of"] > 50);
  CHECK(document["inside"] >= document["exact"]);
  CHECK(document["mean_error_percent"].get<double>() ==
        doctest::Approx(sum / static_cast<double>(document["rows"].size())));
  CHECK(document["max_error_percent"].get<double>() == doctest::Approx(largest));
}

TEST_CASE("a kernel measured with several numbers of warps gives a row for each") {
  const Outcome outcome = run_smsim(
      {"validate", kKernels, "--filter", "saxpy_chain", "--max-warps", "4", "--format", "json"});
  REQUIRE(outcome.exit_code == 0);
  const json rows = json::parse(outcome.out)["rows"];
  REQUIRE(rows.size() == 3);
  CHECK(rows[0]["id"] == "kernel.saxpy_chain.w1");
  CHECK(rows[2]["id"] == "kernel.saxpy_chain.w4");
  CHECK(rows[2]["warps"] == 4);
}

TEST_CASE("the output does not depend on the number of threads") {
  const std::vector<std::string> words = {"validate", kCharacterise, "--filter", "^chain",
                                          "--jobs"};
  auto one = words;
  one.push_back("1");
  auto five = words;
  five.push_back("5");
  CHECK(run_smsim(one).out == run_smsim(five).out);
}

TEST_CASE("a row that cannot be simulated is shown, counted, and makes the exit code 65") {
  std::string broken = kSnippet;
  broken.replace(broken.find("FFMA"), 4, "FROB");
  const std::string suite = row("good.a", 4, 10, 90) + row("bad.a", 4, 10, 10, broken);
  const Outcome as_json = run_smsim({"validate", "-", "--format", "json"}, suite);
  CHECK(as_json.exit_code == 65);
  const json document = json::parse(as_json.out);
  CHECK(document["loops"] == 2);
  CHECK(document["failed"] == 1);
  CHECK(document["exact_of"] == 1);
  CHECK(document["rows"][0]["predicted"].is_number());
  CHECK(document["rows"][1]["predicted"].is_null());
  CHECK(contains(document["rows"][1]["error"].get<std::string>(), "FROB"));
  const Outcome as_text = run_smsim({"validate", "-"}, suite);
  CHECK(as_text.exit_code == 65);
  CHECK(contains(as_text.out, "failed: "));
}

TEST_CASE("time stamps are compared beside the cycles, and shown with the record that is nearest") {
  const std::string stamps = source_file("traces/suites/h200/stamps.jsonl.gz");
  const Outcome as_json =
      run_smsim({"validate", stamps, "--filter", "cs2r.s5.y1.w(4|8)$", "--format", "json"});
  REQUIRE(as_json.exit_code == 0);
  const json document = json::parse(as_json.out);
  CHECK(document["stamps"]["loops"] == 2);
  CHECK(document["stamps"]["stamps"] == 12 + 24);
  CHECK(document["stamps"]["by_warps"]["4"]["exact"] == 1);
  const json row = document["rows"][0]["stamps"];
  CHECK(row["within_one"] == 12);
  CHECK(row["predicted"] == row["measured"]);
  CHECK(row["predicted"][0][11] == 55);
  CHECK(
      contains(run_smsim({"validate", stamps, "--filter", "cs2r.s5.y1.w4$"}).out, "stamps exact"));
  const Outcome without =
      run_smsim({"validate", kCharacterise, "--filter", "^chain", "--format", "json"});
  CHECK_FALSE(json::parse(without.out).contains("stamps"));
}

TEST_CASE("stamps that do not fit their loop make the row fail") {
  std::string wrong = row("a", 4, 10, 90);
  wrong.insert(wrong.rfind('}'), R"(,"stamps":[{"block0":[[0,4]]}])");
  const Outcome outcome = run_smsim({"validate", "-"}, wrong);
  CHECK(outcome.exit_code == 65);
  CHECK(contains(outcome.out, "0 CS2R of the loop read the clock"));
}

TEST_CASE("filters select by id and by warps") {
  const std::string suite = row("a.x", 1, 10, 90) + row("a.y", 4, 10, 90) + row("b.x", 8, 10, 90);
  const auto loops = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"validate", "-", "--format", "json"});
    return json::parse(run_smsim(words, suite).out)["loops"].get<int>();
  };
  CHECK(loops({}) == 3);
  CHECK(loops({"--filter", "^a\\."}) == 2);
  CHECK(loops({"--filter", "x$"}) == 2);
  CHECK(loops({"--max-warps", "4"}) == 2);
  CHECK(loops({"--min-warps", "4"}) == 2);
}

TEST_CASE("a filter that is no regular expression and one that selects nothing are usage errors") {
  const std::string suite = row("a", 4, 10, 90);
  for (const char* filter : {"(", "nothing-like-it", "[z-a]"}) {
    const Outcome outcome = run_smsim({"validate", "-", "--filter", filter}, suite);
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "error: "));
  }
}

TEST_CASE("a line that is no JSON is named with its line and column") {
  const Outcome outcome = run_smsim({"validate", "-"}, row("a", 4, 10, 90) + "{\"id\": oops}\n");
  CHECK(outcome.exit_code == 65);
  CHECK(contains(outcome.err, "<stdin>:2:8: error: "));
}

TEST_CASE("an architecture that no config is for is an error when no row can be run") {
  std::string suite = row("a", 4, 10, 90);
  suite.replace(suite.find("sm_90"), 5, "sm_99");
  CHECK(run_smsim({"validate", "-"}, suite).exit_code == 2);
}
