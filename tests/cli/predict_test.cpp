// SPDX-License-Identifier: MIT
// smsim predict as a user runs it: choices, formats, outputs.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/snippets.hpp"
#include "support/run_program.hpp"
#include "support/sample.hpp"

using namespace smsim::test;
using nlohmann::json;

namespace {

/// The JSON of a prediction that must succeed.
json predict(std::vector<std::string> words, std::string_view input = {}) {
  words.insert(words.begin(), "predict");
  words.insert(words.end(), {"--format", "json"});
  const Outcome outcome = run_smsim(words, input);
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  return json::parse(outcome.out);
}

std::string saxpy(const std::string& folder) {
  return source_file("traces/" + folder + "/saxpy.sass");
}

const std::string kVoltaDump = source_file("traces/volta/kernels.sm_70.cuobjdump.sass.gz");

}  // namespace

TEST_CASE("without --arch the dump's own sm_NN decides") {
  CHECK(predict({saxpy("volta")})["arch"] == "volta-v100");
  CHECK(predict({saxpy("hopper")})["arch"] == "hopper-gh100");
}

TEST_CASE("--arch takes a config's name or its alias") {
  CHECK(predict({saxpy("hopper"), "--arch", "hopper-gh100"}) ==
        predict({saxpy("hopper"), "--arch", "sm_90"}));
}

TEST_CASE("code of one architecture on another's model says so") {
  const json document = predict({saxpy("hopper"), "--arch", "volta-v100"});
  CHECK(document["arch"] == "volta-v100");
  CHECK(contains(document["assumptions"].dump(), "sm_90"));
}

TEST_CASE("a snippet that names no architecture needs --arch") {
  const Outcome outcome = run_smsim({"predict", "-"}, kSnippet);
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, "--arch"));
  CHECK(predict({"-", "--arch", "sm_90"}, kSnippet)["loop"]["instructions"] == 4);
}

TEST_CASE("standard input gives the same prediction as the file") {
  json from_file = predict({saxpy("hopper")});
  const json from_stdin = predict({"-"}, read_text(saxpy("hopper")));
  CHECK(from_file == from_stdin);
}

TEST_CASE("the default is 4 warps, and the report says so") {
  const json document = predict({saxpy("volta")});
  CHECK(document["warps"] == 4);
  CHECK(contains(document["assumptions"].dump(), "4 warps"));
  const json eight = predict({saxpy("volta"), "--warps", "8"});
  CHECK(eight["warps"] == 8);
  CHECK_FALSE(contains(eight["assumptions"].dump(), "default of --warps"));
}

TEST_CASE("of several functions the first with a loop is taken, and the report names it") {
  const json document = predict({kVoltaDump});
  CHECK(contains(document["assumptions"].dump(), document["function"].get<std::string>()));
  CHECK(contains(document["assumptions"].dump(), "--function"));
}

TEST_CASE("--function takes an exact name or a glob") {
  CHECK(predict({kVoltaDump, "--function", "saxpy_chain"})["function"] == "saxpy_chain");
  CHECK(predict({kVoltaDump, "--function", "outer*"})["function"] == "outer8x8");
  const Outcome outcome = run_smsim({"predict", kVoltaDump, "--function", "saxpy_chian"});
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, "did you mean 'saxpy_chain'?"));
}

TEST_CASE("--loop takes a number, a range, or all") {
  const json by_default = predict({saxpy("hopper")});
  const std::string start = by_default["loop"]["start"];
  const std::string end = by_default["loop"]["end"];
  CHECK(predict({saxpy("hopper"), "--loop", start + "-" + end})["loop"] == by_default["loop"]);
  CHECK(predict({saxpy("hopper"), "--loop", "0"})["loop"]["instructions"] > 0);
  const json all = predict({saxpy("hopper"), "--loop", "all"});
  CHECK(all["is_loop"] == false);
  CHECK(all["loop"]["instructions"] > by_default["loop"]["instructions"]);
  CHECK(run_smsim({"predict", saxpy("hopper"), "--loop", "99"}).exit_code == 2);
  CHECK(run_smsim({"predict", saxpy("hopper"), "--loop", "rubbish"}).exit_code == 2);
}

TEST_CASE("CSV has a header and one row an instruction") {
  const Outcome outcome = run_smsim({"predict", saxpy("volta"), "--format", "csv"});
  REQUIRE(outcome.exit_code == 0);
  const auto lines =
      static_cast<std::size_t>(std::count(outcome.out.begin(), outcome.out.end(), '\n'));
  CHECK(lines == 1 + predict({saxpy("volta")})["instructions"].size());
}

TEST_CASE(
    "in a pipe the text report of every plain trace cuts no instruction, and prose fits 100") {
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_file("traces"))) {
    if (entry.path().extension() != ".sass" || !is_sampled(seen++)) continue;
    CAPTURE(entry.path());
    std::vector<std::string> words{"predict", entry.path().string(), "--warps", "7"};
    if (entry.path().parent_path().filename() == "lessons")  // which name no architecture
      words.insert(words.end(), {"--arch", "sm_90"});
    const Outcome outcome = run_smsim(words);
    CHECK(outcome.exit_code == 0);
    words.insert(words.end(), {"--format", "json"});
    const auto document = nlohmann::json::parse(run_smsim(words).out);
    for (const auto& row : document["instructions"])
      CHECK(outcome.out.find(row["text"].get<std::string>()) != std::string::npos);
    std::istringstream lines(outcome.out.substr(0, outcome.out.find("Issue slots")));
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 100);
  }
}

TEST_CASE("a pipe gets no colour, unless it is asked for") {
  CHECK_FALSE(contains(run_smsim({"predict", saxpy("volta")}).out, "\x1b"));
  CHECK(contains(run_smsim({"predict", saxpy("volta"), "--color", "always"}).out, "\x1b["));
  CHECK_FALSE(contains(run_smsim({"predict", saxpy("volta"), "--color", "never"}).out, "\x1b"));
}

TEST_CASE("two runs give the same bytes") {
  CHECK(run_smsim({"predict", kVoltaDump, "--warps", "9"}).out ==
        run_smsim({"predict", kVoltaDump, "--warps", "9"}).out);
}

TEST_CASE("-o writes the file and nothing on standard output") {
  const TempFolder folder;
  const std::string out = (folder.path() / "out.json").string();
  const Outcome outcome = run_smsim({"predict", saxpy("volta"), "--format", "json", "-o", out});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
  CHECK(json::parse(read_text(out)) == predict({saxpy("volta")}));
}

TEST_CASE("-o leaves an old file alone when the prediction fails, and no scraps beside it") {
  const TempFolder folder;
  const std::string out = folder.write("out.json", "precious");
  CHECK(run_smsim({"predict", folder.write("empty", ""), "-o", out}).exit_code == 65);
  CHECK(read_text(out) == "precious");
  CHECK(run_smsim({"predict", saxpy("volta"), "-o", out}).exit_code == 0);
  CHECK(contains(read_text(out), "Cycles per iteration"));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path()))
    ++files;
  CHECK(files == 2);
}

TEST_CASE("-o that cannot be written is exit code 66") {
  const TempFolder folder;
  CHECK(run_smsim({"predict", saxpy("volta"), "-o", (folder.path() / "no/such/file").string()})
            .exit_code == 66);
  CHECK(run_smsim({"predict", saxpy("volta"), "-o", folder.path().string()}).exit_code == 66);
  CHECK(run_smsim({"predict", saxpy("volta"), "-o", "/dev/full"}).exit_code == 66);
  CHECK(run_smsim({"predict", saxpy("volta"), "-o", "/dev/null"}).exit_code == 0);
}

TEST_CASE("-o through a symbolic link replaces what the link points to") {
  const TempFolder folder;
  const std::string target = folder.write("target", "old");
  const std::filesystem::path link = folder.path() / "link";
  std::filesystem::create_symlink(target, link);
  CHECK(run_smsim({"predict", saxpy("volta"), "-o", link.string()}).exit_code == 0);
  CHECK(std::filesystem::is_symlink(link));
  CHECK(contains(read_text(target), "Cycles per iteration"));
}

TEST_CASE("-o never overwrites the input") {
  const TempFolder folder;
  const std::string file = folder.write("in.sass", read_text(saxpy("volta")));
  const Outcome outcome = run_smsim({"predict", file, "-o", file});
  CHECK(outcome.exit_code == 2);
  CHECK(read_text(file) == read_text(saxpy("volta")));
}

TEST_CASE("--set changes a number of the config, and a wrong key is named with the nearest") {
  const std::string file = source_file("traces/volta/outer8x8.sass");
  const json usual = predict({file});
  const json slow = predict({file, "--set", "scheduler.taken_branch_cycles=500"});
  CHECK(slow["cycles_per_iteration"] > usual["cycles_per_iteration"]);
  const Outcome outcome =
      run_smsim({"predict", file, "--set", "scheduler.taken_branch_cycels=500"});
  CHECK((outcome.exit_code == 78 || outcome.exit_code == 2));
  CHECK(contains(outcome.err, "taken_branch_cycles"));
}

TEST_CASE("an architecture that nobody knows is told where the file names it") {
  const TempFolder folder;
  const auto file = folder.write("k.sass", ".target sm_33\n[B------:R-:W-:-:S05] EXIT ;\n");
  const Outcome outcome = run_smsim({"predict", file});
  CHECK(outcome.exit_code == 65);
  CHECK(contains(outcome.err, "k.sass:2: error: no architecture config for sm_33"));
}
