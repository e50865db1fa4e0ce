// SPDX-License-Identifier: MIT
// smsim remap as a user runs it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/snippets.hpp"
#include "support/run_program.hpp"

using namespace smsim::test;

namespace {

const std::string kCubin = source_file("traces/hopper/kernels.sm_90.cubin.gz");

}  // namespace

TEST_CASE("remap prints a table, and writes code that takes the cycles it promises") {
  const TempFolder folder;
  const std::string file = (folder.path() / "new.sass").string();
  const Outcome done = run_smsim({"remap", source_file("traces/volta/sgemm_8x8_compiler.sass"),
                                  "--format", "json", "-o", file});
  CHECK(done.exit_code == 0);
  const auto table = nlohmann::json::parse(done.out);
  CHECK(table["cycles_after"] < table["cycles_before"]);
  CHECK(table["changes"].size() > 0);
  const auto again = nlohmann::json::parse(run_smsim({"predict", file, "--format", "json"}).out);
  CHECK(again["cycles_per_iteration"] == table["cycles_after"]);
  // It is still the input: its comments are there.
  CHECK(contains(read_text(file), "// 8x8 register-tile matrix multiply on Volta"));
}

TEST_CASE("remap --patch writes a cubin that takes the cycles it promises, and leaves its input") {
  const TempFolder folder;
  const std::string file = (folder.path() / "new.cubin").string();
  const Outcome done = run_smsim(
      {"remap", kCubin, "--function", "quat", "--patch", kCubin, "-o", file, "--format", "json"});
  CHECK(done.exit_code == 0);
  const auto again = nlohmann::json::parse(
      run_smsim({"predict", file, "--function", "quat", "--format", "json"}).out);
  CHECK(again["cycles_per_iteration"] == nlohmann::json::parse(done.out)["cycles_after"]);
}

TEST_CASE("remap says what is wrong with its words") {
  const Outcome nowhere = run_smsim({"remap", kCubin, "--function", "quat", "--patch", kCubin});
  CHECK(nowhere.exit_code == 2);
  CHECK(contains(nowhere.err, "name it with -o"));
  const Outcome few = run_smsim({"remap", kCubin, "--function", "quat", "--max-registers", "4"});
  CHECK(few.exit_code == 2);
  CHECK(contains(few.err, "the function names R"));
  const Outcome kepler = run_smsim({"remap", source_file("traces/kepler/ffma_single.sass")});
  CHECK(kepler.exit_code == 2);
  CHECK(contains(kepler.err, "Kepler"));
}

TEST_CASE("remap with - as its output prints the code alone") {
  const Outcome done = run_smsim({"remap", "-", "--arch", "sm_90", "-o", "-"}, kSnippet);
  CHECK(done.exit_code == 0);
  CHECK(done.out == kSnippet);
  CHECK(contains(done.err, "nothing to gain"));
}
