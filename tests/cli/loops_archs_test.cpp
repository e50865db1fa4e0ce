// SPDX-License-Identifier: MIT
// smsim loops and smsim archs: what a file holds, and what a model is made of.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

using namespace smsim::test;
using nlohmann::json;

namespace {

std::string output(const std::vector<std::string>& words) {
  const Outcome outcome = run_smsim(words);
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return outcome.out;
}

const std::string kDump = source_file("traces/hopper/kernels.sm_90.cuobjdump.sass.gz");

}  // namespace

TEST_CASE("loops lists every function with its loops, addresses and instruction counts") {
  const json document = json::parse(output({"loops", kDump, "--format", "json"}));
  REQUIRE(document["functions"].size() == 34);
  for (const json& function : document["functions"]) {
    CHECK(function["sm"] == 90);
    CHECK(function["instructions"] > 0);
    CHECK(contains(output({"loops", kDump}), function["name"].get<std::string>()));
  }
}

TEST_CASE("the number that loops gives to a loop is what predict takes") {
  const json document = json::parse(output({"loops", kDump, "--format", "json"}));
  std::size_t tried = 0;
  for (const json& function : document["functions"]) {
    for (const json& loop : function["loops"]) {
      if (!loop["innermost"].get<bool>() || ++tried > 12) continue;
      const json result =
          json::parse(output({"predict", kDump, "--function", function["name"], "--loop",
                              std::to_string(loop["index"].get<int>()), "--format", "json"}));
      CHECK(result["loop"]["start"] == loop["start"]);
      CHECK(result["loop"]["end"] == loop["end"]);
    }
  }
  CHECK(tried > 5);
}

TEST_CASE("archs lists the configs with their aliases") {
  const std::string text = output({"archs"});
  for (const auto& file : std::filesystem::directory_iterator(source_file("configs"))) {
    if (file.path().extension() != ".yaml") continue;
    CAPTURE(file.path());
    CHECK(contains(text, file.path().stem().string()));
  }
  for (const char* alias : {"sm_35", "sm_52", "sm_61", "sm_70", "sm_120"}) {
    CAPTURE(alias);
    CHECK(contains(text, alias));
  }
}

TEST_CASE("the lists of archs fit 100 columns") {
  for (const std::string& text : {output({"archs"}), output({"archs", "hopper-gh100"})}) {
    std::size_t column = 0;
    for (const char c : text) {
      column = c == '\n' ? 0 : column + 1;
      REQUIRE(column <= 100);
    }
  }
}

TEST_CASE("archs NAME gives every number a status and a source") {
  for (const char* name : {"volta-v100", "hopper-gh100", "sm_86"}) {
    const json document = json::parse(output({"archs", name, "--format", "json"}));
    CHECK(document["parameters"].size() > 20);
    for (const json& parameter : document["parameters"]) {
      CAPTURE(parameter.dump());
      CHECK_FALSE(parameter["key"].get<std::string>().empty());
      CHECK_FALSE(parameter["source"].get<std::string>().empty());
      CHECK_FALSE(parameter["status"].get<std::string>().empty());
    }
  }
}

TEST_CASE("a number that --set changed is marked as overridden") {
  CHECK(contains(output({"archs", "sm_90", "--set", "scheduler.taken_branch_cycles=11"}),
                 "overridden"));
}
