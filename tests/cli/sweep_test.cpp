// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "support/run_program.hpp"

extern char** environ;

using namespace smsim::test;

namespace {

const std::string kLoop = source_file("traces/volta/sgemm_8x8_compiler.sass");

std::vector<std::string> grid(const std::string& out) {
  return {"sweep",   kLoop,
          "--set",   "classes.ffma.latency_cycles=2..5",
          "--set",   "classes.lds_128.latency_cycles=20..49",
          "--warps", "1,4",
          "-o",      out};
}

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Starts smsim and kills it after some time, wherever it is then.
void run_and_kill(std::vector<std::string> words, int microseconds) {
  words.insert(words.begin(), SMSIM_EXECUTABLE);
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  REQUIRE(posix_spawn(&pid, SMSIM_EXECUTABLE, nullptr, nullptr, argv.data(), environ) == 0);
  usleep(static_cast<useconds_t>(microseconds));
  kill(pid, SIGKILL);
  int status = 0;
  waitpid(pid, &status, 0);
}

}  // namespace

TEST_CASE("a sweep has a row for every combination, in order, whatever the number of threads") {
  const TempFolder folder;
  const std::string one = (folder.path() / "one.csv").string();
  const std::string two = (folder.path() / "two.csv").string();
  auto words = grid(one);
  words.insert(words.end(), {"--jobs", "1"});
  CHECK(run_smsim(words).exit_code == 0);
  CHECK(run_smsim(grid(two)).exit_code == 0);
  CHECK(lines(read_text(one)) == 1 + 4 * 30 * 2);
  CHECK(read_text(one) == read_text(two));
}

TEST_CASE("a point says what predict says of it") {
  const auto row = run_smsim({"sweep", kLoop, "--warps", "4", "--format", "jsonl"});
  CHECK(row.exit_code == 0);
  const auto predicted = run_smsim({"predict", kLoop, "--warps", "4", "--format", "json"}).out;
  CHECK(nlohmann::json::parse(row.out).at("cycles_per_iteration") ==
        nlohmann::json::parse(predicted).at("cycles_per_iteration"));
}

TEST_CASE("a sweep that is killed at any moment goes on and ends with the same bytes") {
  const TempFolder folder;
  const std::string whole = (folder.path() / "whole.csv").string();
  REQUIRE(run_smsim(grid(whole)).exit_code == 0);
  std::mt19937 rng(7);
  for (int round = 0; round < 4; ++round) {
    const std::string cut = (folder.path() / ("cut" + std::to_string(round) + ".csv")).string();
    for (int kills = 0; kills < 4; ++kills)
      run_and_kill(grid(cut), 5'000 + static_cast<int>(rng() % 150'000));
    const auto last = run_smsim(grid(cut));
    CHECK(last.exit_code == 0);
    CHECK(read_text(cut) == read_text(whole));
  }
}

TEST_CASE("a database survives kills like a file of lines, and shards of it can be put together") {
  const TempFolder folder;
  const auto in_folder = [&](const std::string& name) { return (folder.path() / name).string(); };
  REQUIRE(run_smsim(grid(in_folder("whole.sqlite"))).exit_code == 0);
  std::mt19937 rng(11);
  for (int kills = 0; kills < 6; ++kills)
    run_and_kill(grid(in_folder("cut.sqlite")), 5'000 + static_cast<int>(rng() % 150'000));
  CHECK(run_smsim(grid(in_folder("cut.sqlite"))).exit_code == 0);
  std::vector<std::string> shards;
  for (const std::string number : {"0", "1", "2"}) {
    shards.push_back(in_folder("shard" + number + ".db"));
    auto words = grid(shards.back());
    words.insert(words.end(), {"--shard", number + "/3"});
    CHECK(run_smsim(words).exit_code == 0);
  }
  const auto merged = [&](std::vector<std::string> words, const std::string& out) {
    words.insert(words.begin(), "merge");
    words.insert(words.end(), {"-o", out});
    CHECK(run_smsim(words).exit_code == 0);
    return read_text(out);
  };
  // a merge writes a database anew, so that equal rows are equal bytes
  const std::string whole = merged({in_folder("whole.sqlite")}, in_folder("a.sqlite"));
  CHECK(whole.size() > 240 * 100);
  CHECK(merged({in_folder("cut.sqlite")}, in_folder("b.sqlite")) == whole);
  CHECK(merged({shards[1], shards[2], shards[0]}, in_folder("c.sqlite")) == whole);
}

TEST_CASE("databases of other contents, and shards that do not go together, are refused") {
  const TempFolder folder;
  const auto in_folder = [&](const std::string& name) { return (folder.path() / name).string(); };
  const auto text = folder.write("text.sqlite", "hello");
  CHECK(run_smsim(grid(text)).exit_code == 2);
  CHECK(read_text(text) == "hello");
  CHECK(run_smsim({"sweep", kLoop, "--warps", "1,4", "-o", in_folder("one.sqlite")}).exit_code ==
        0);
  CHECK(run_smsim(grid(in_folder("one.sqlite"))).exit_code == 2);           // another sweep's
  CHECK(run_smsim({"sweep", kLoop, "--format", "sqlite"}).exit_code == 2);  // no file
  auto words = grid(in_folder("part.sqlite"));
  words.insert(words.end(), {"--shard", "1/3"});
  CHECK(run_smsim(words).exit_code == 0);
  const auto missing = run_smsim({"merge", in_folder("part.sqlite"), "-o", in_folder("m.sqlite")});
  CHECK(missing.exit_code == 65);
  CHECK(missing.err.find("160 of 240 points") != std::string::npos);
  const auto twice = run_smsim(
      {"merge", in_folder("part.sqlite"), in_folder("part.sqlite"), "-o", in_folder("m.sqlite")});
  CHECK(twice.exit_code == 65);
  CHECK_FALSE(std::filesystem::exists(in_folder("m.sqlite")));
}

TEST_CASE("a row that was cut off in the middle is written again") {
  const TempFolder folder;
  const std::string whole = (folder.path() / "whole.csv").string();
  REQUIRE(run_smsim(grid(whole)).exit_code == 0);
  const std::string text = read_text(whole);
  for (const double share : {0.0, 0.001, 0.37, 0.9999}) {
    const auto cut = folder.write(
        "cut.csv",
        text.substr(0, static_cast<std::size_t>(share * static_cast<double>(text.size()))));
    const std::size_t there = lines(read_text(cut));
    const Outcome again = run_smsim(grid(cut));
    CHECK(again.exit_code == 0);
    if (there > 1)
      CHECK(contains(again.err, std::to_string(there - 1) + " of 240 points were there already"));
    CHECK(read_text(cut) == text);
  }
}

TEST_CASE("a file of another sweep is refused and left as it is") {
  const TempFolder folder;
  const auto other = folder.write("other.csv", "something,else\n1,2\n");
  const auto refused = run_smsim(grid(other));
  CHECK(refused.exit_code != 0);
  CHECK(refused.err.find("other.csv") != std::string::npos);
  CHECK(read_text(other) == "something,else\n1,2\n");
  const auto notes = folder.write("notes.txt", "notes without a line end");
  CHECK(run_smsim(grid(notes)).exit_code == 2);
  CHECK(read_text(notes) == "notes without a line end");
}

TEST_CASE("a sweep runs on the device of the function that it is asked for") {
  const std::string body =
      "L:\n[B------:R-:W-:-:S04] FFMA R0, R0, R1, R2 ;\n[B------:R-:W-:-:S05] BRA `(L) ;\n";
  const TempFolder folder;
  const auto both = folder.write(
      "both.sass", ".target sm_70\n.text.one:\n" + body + ".target sm_90\n.text.two:\n" + body);
  CHECK(contains(run_smsim({"sweep", both, "--function", "one"}).out, "volta-v100"));
  CHECK(contains(run_smsim({"sweep", both, "--function", "two"}).out, "hopper-gh100"));
  CHECK(run_smsim({"sweep", both, "--function", "three"}).exit_code == 2);
}

TEST_CASE("rows of a trace that has changed since are not taken for today's") {
  const TempFolder folder;
  std::string trace = read_text(source_file("tests/fuzz/seeds/loop.traceg"));
  const auto file = folder.write("k.traceg", trace);
  const std::vector<std::string> words{"sweep", file, "--arch",
                                       "sm_75", "-o", (folder.path() / "out.csv").string()};
  REQUIRE(run_smsim(words).exit_code == 0);
  CHECK(run_smsim(words).exit_code == 0);
  const std::string read = "FFMA 3 R4";
  for (auto at = trace.find(read); at != trace.npos; at = trace.find(read))
    trace.replace(at, read.size(), "FFMA 3 R9");
  folder.write("k.traceg", trace);
  CHECK(run_smsim(words).exit_code == 2);
}

TEST_CASE("what is no regular file and a folder that is not there are refused before a point") {
  CHECK(run_smsim({"sweep", kLoop, "--warps", "1..4", "-o", "/dev/full"}).exit_code == 2);
  CHECK(run_smsim({"sweep", kLoop, "-o", "/nonexistent/x.csv"}).exit_code == 66);
}

TEST_CASE("a sweep whose disk gets full says so, keeps whole rows and goes on later") {
  const TempFolder folder;
  const std::string whole = (folder.path() / "whole.csv").string();
  REQUIRE(run_smsim(grid(whole)).exit_code == 0);
  const std::string text = read_text(whole);
  const std::string part = (folder.path() / "part.csv").string();
  const Outcome full = run_smsim_on_a_full_disk(grid(part), text.size() / 2);
  CHECK(full.exit_code == 66);
  CHECK(contains(full.err, "cannot write"));
  const std::string kept = read_text(part);
  REQUIRE_FALSE(kept.empty());
  CHECK(kept.size() < text.size());
  CHECK(kept.back() == '\n');
  CHECK(text.starts_with(kept));
  const Outcome later = run_smsim(grid(part));
  CHECK(later.exit_code == 0);
  CHECK(contains(later.err, std::to_string(lines(kept) - 1) + " of 240 points were there already"));
  CHECK(read_text(part) == text);
}

TEST_CASE("shards put together are the whole sweep") {
  const TempFolder folder;
  const std::string whole = (folder.path() / "whole.csv").string();
  REQUIRE(run_smsim(grid(whole)).exit_code == 0);
  std::vector<std::string> merge{"merge"};
  for (int i = 0; i < 3; ++i) {
    const std::string part = (folder.path() / ("part" + std::to_string(i) + ".csv")).string();
    auto words = grid(part);
    words.insert(words.end(), {"--shard", std::to_string(i) + "/3"});
    CHECK(run_smsim(words).exit_code == 0);
    merge.push_back(part);
  }
  const std::string merged = (folder.path() / "merged.csv").string();
  merge.insert(merge.end(), {"-o", merged});
  CHECK(run_smsim(merge).exit_code == 0);
  CHECK(read_text(merged) == read_text(whole));
}

TEST_CASE("a sweep of which a part failed has all its rows and exit code 1; of all, 65") {
  const Outcome some = run_smsim({"sweep", kLoop, "--warps", "4,1000"});
  CHECK(some.exit_code == 1);
  CHECK(some.err.find("1 of 2 points could not be simulated") != std::string::npos);
  CHECK(run_smsim({"sweep", kLoop, "--warps", "1000"}).exit_code == 65);
}
