// SPDX-License-Identifier: MIT
// smsim accuracy as a user runs it: page, plot, record and check.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/snippets.hpp"
#include "support/run_program.hpp"

using namespace smsim::test;
using nlohmann::json;

namespace {

/// A suite of one loop that was measured like this.
std::string suite(double cycles) {
  const json row = {{"id", "a.loop"},   {"arch", "sm_90"}, {"device", "H200"}, {"warps", 4},
                    {"cycles", cycles}, {"lo", cycles},    {"hi", cycles},     {"sass", kSnippet}};
  return row.dump() + "\n";
}

/// What the model says of that loop.
double predicted() {
  const Outcome outcome =
      run_smsim({"predict", "-", "--arch", "sm_90", "--format", "json"}, kSnippet);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out)["cycles_per_iteration"].get<double>();
}

}  // namespace

TEST_CASE("without -o the accuracy page goes to standard output") {
  const Outcome outcome = run_smsim({"accuracy", "-"}, suite(predicted()));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.starts_with("# Accuracy\n"));
  CHECK(contains(outcome.out, "| stdin | H200 | 1 to 4 warps | 1 | 1 of 1 (100.0 %) |"));
  CHECK(contains(outcome.out, "Config: hopper-gh100."));
}

TEST_CASE("-o writes page and plot into a folder that it makes, the same bytes each time") {
  const TempFolder folder;
  const std::string file = folder.write("s/mine.jsonl", suite(20) + suite(30));
  const auto out = [&](const char* name) { return (folder.path() / name).string(); };
  CHECK(run_smsim({"accuracy", file, "-o", out("a")}).exit_code == 0);
  CHECK(run_smsim({"accuracy", file, "-o", out("c"), "--jobs", "1"}).exit_code == 0);
  const std::string page = read_text(out("a/accuracy.md"));
  const std::string plot = read_text(out("a/accuracy.svg"));
  CHECK(contains(page, "| s/mine |"));
  CHECK(contains(page, "(accuracy.svg)"));
  CHECK(plot.starts_with("<svg "));
  CHECK(page == read_text(out("c/accuracy.md")));
  CHECK(plot == read_text(out("c/accuracy.svg")));
}

TEST_CASE("what was recorded passes its check, and exit code 1 says that less is reached now") {
  const TempFolder folder;
  const double cycles = predicted();
  const std::string good = folder.write("s/mine.jsonl", suite(cycles));
  const std::string record = (folder.path() / "record.yaml").string();
  CHECK(run_smsim({"accuracy", good, "--record", record}).out.empty());
  const Outcome same = run_smsim({"accuracy", good, "--check", record});
  CHECK(same.exit_code == 0);
  CHECK(same.out == "as recorded\n");
  folder.write("s/mine.jsonl", suite(cycles + 1));
  const Outcome less = run_smsim({"accuracy", good, "--check", record});
  CHECK(less.exit_code == 1);
  CHECK(contains(less.out, "worse   s/mine, 1 to 4 warps: exact 0, recorded 1"));
}

TEST_CASE("a note takes loops out of the count") {
  const TempFolder folder;
  const std::string notes =
      folder.write("notes.yaml", "\"^b\": {known: depends on data, counted: false}\n");
  std::string other = suite(1000);
  other.replace(other.find("a.loop"), 1, "b");
  const Outcome outcome =
      run_smsim({"accuracy", "-", "--notes", notes}, suite(predicted()) + other);
  CHECK(contains(outcome.out, "| stdin | H200 | 1 to 4 warps | 1 |"));
  CHECK(contains(outcome.out, "Not counted (stdin): b.loop. depends on data"));
}

TEST_CASE("wrong files of smsim accuracy end in a diagnostic and its exit code") {
  const TempFolder folder;
  const std::string good = folder.write("s/mine.jsonl", suite(20));
  const std::string broken = folder.write("broken.yaml", "a: {knwon: x}\n");
  CHECK(run_smsim({"accuracy"}).exit_code == 2);
  CHECK(run_smsim({"accuracy", "/no/such/suite"}).exit_code == 66);
  CHECK(run_smsim({"accuracy", good, "--check", "/no/such/record"}).exit_code == 66);
  const Outcome notes = run_smsim({"accuracy", good, "--notes", broken});
  CHECK(notes.exit_code == 78);
  CHECK(contains(notes.err, "broken.yaml:1:5: error: unknown key 'knwon'"));
  CHECK(run_smsim({"accuracy", good, "--check", broken}).exit_code == 78);
  CHECK(run_smsim({"accuracy", "-"}, "{}\n").exit_code == 65);
}

TEST_CASE("-o makes one folder, and not the path to it") {
  const TempFolder folder;
  const std::string file = folder.write("s/mine.jsonl", suite(20));
  const auto outcome = run_smsim({"accuracy", file, "-o", (folder.path() / "a/b").string()});
  CHECK(outcome.exit_code == 66);
  CHECK(contains(outcome.err, "the folder has to be there already"));
  CHECK(!std::filesystem::exists(folder.path() / "a"));
}

TEST_CASE("the record is not written over the page") {
  const TempFolder folder;
  const auto suite = folder.write(
      "s.jsonl",
      R"({"id":"a","arch":"sm_90","warps":1,"cycles":14,"whole_listing_is_the_loop":true,)"
      R"("sass":"[B------:R-:W-:-:S04] FADD R1, R2, R3 ;\n"})");
  const std::string page = (folder.path() / "accuracy.md").string();
  CHECK(run_smsim({"accuracy", suite, "-o", folder.path().string(), "--record", page}).exit_code ==
        2);
  CHECK_FALSE(std::filesystem::exists(page));
  CHECK(run_smsim({"accuracy", suite, "-o", folder.path().string()}).exit_code == 0);
  CHECK(std::filesystem::exists(page));
}
