// SPDX-License-Identifier: MIT
// Loops and paths of the compiler's code and of the measured suites.
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

const std::string kTraces = SMSIM_SOURCE_DIR "/traces/";

constexpr const char* kDumps[] = {
    "volta/kernels.sm_70.cuobjdump.sass.gz",      "volta/kernels.sm_72.cuobjdump.sass.gz",
    "turing/kernels.sm_75.cuobjdump.sass.gz",     "ampere/kernels.sm_80.cuobjdump.sass.gz",
    "ampere/kernels.sm_86.cuobjdump.sass.gz",     "ada/kernels.sm_89.cuobjdump.sass.gz",
    "hopper/kernels.sm_90.cuobjdump.sass.gz",     "blackwell/kernels.sm_100.cuobjdump.sass.gz",
    "blackwell/kernels.sm_120.cuobjdump.sass.gz",
};

/// The rows of a suite.
std::vector<nlohmann::json> rows(const std::string& suite) {
  const auto bytes = read_bytes(kTraces + "suites/" + suite);
  REQUIRE(bytes.has_value());
  std::vector<nlohmann::json> all;
  std::istringstream lines(*bytes);
  for (std::string line; std::getline(lines, line);) all.push_back(nlohmann::json::parse(line));
  return all;
}

}  // namespace

TEST_CASE("each compiled kernel has a loop that a path comes back to") {
  for (const char* dump : kDumps) {
    const auto program = read_program(kTraces + dump);
    REQUIRE(program.has_value());
    for (const Function& function : program->functions) {
      CAPTURE(dump);
      CAPTURE(function.name);
      const Path path = follow(function);
      CHECK(path.is_loop);
      CHECK(path.steps.back().taken);
      CHECK(path.steps.size() >= path.loop.instructions);
    }
  }
}

TEST_CASE("each compiled kernel can be followed from its start to its EXIT") {
  for (const char* dump : kDumps) {
    const auto program = read_program(kTraces + dump);
    REQUIRE(program.has_value());
    for (const Function& function : program->functions) {
      CAPTURE(dump);
      CAPTURE(function.name);
      const Path path = follow(function, request("all"));
      CHECK_FALSE(path.is_loop);
      CHECK(function.instructions[path.steps.back().index].opcode == "EXIT");
    }
  }
}

TEST_CASE("the loop that was timed in each measured kernel is one of those found") {
  for (const nlohmann::json& row : rows("h200/kernels.jsonl.gz")) {
    CAPTURE(row["id"].get<std::string>());
    const auto program = read_program_text(row["sass"].get<std::string>(), "suite");
    REQUIRE(program.has_value());
    const Function& function = program->functions.front();
    CHECK(function.sm == 90);
    LoopRequest range;
    range.kind = LoopRequest::Kind::range;
    range.start = std::stoull(row["loop_start"].get<std::string>(), nullptr, 16);
    range.end = std::stoull(row["loop_end"].get<std::string>(), nullptr, 16);
    const Path path = follow(function, range);
    CHECK(path.is_loop);
    std::set<std::uint64_t> starts;
    for (const Loop& loop : find_loops(function)) starts.insert(loop.start);
    CHECK(starts.contains(range.start));
  }
}

TEST_CASE("each measured loop is a listing that its last instruction branches back over") {
  for (const char* suite :
       {"h200/characterise.jsonl.gz", "h200/random.jsonl.gz", "h200/stamps.jsonl.gz"}) {
    for (const nlohmann::json& row : rows(suite)) {
      CAPTURE(row["id"].get<std::string>());
      const auto program = read_program_text(row["sass"].get<std::string>(), "suite");
      REQUIRE(program.has_value());
      const Function& function = program->functions.front();
      const Path path = follow(function);
      CHECK(path.is_loop);
      CHECK(path.steps.size() == function.instructions.size());
      CHECK(path.assumptions.empty());
    }
  }
}

TEST_CASE("the published Ampere listings are bodies that wrap, in bracketed notation") {
  for (const nlohmann::json& row : rows("ampere/published.jsonl.gz")) {
    CAPTURE(row["id"].get<std::string>());
    const auto program = read_program_text(row["sass"].get<std::string>(), "suite");
    REQUIRE(program.has_value());
    const Function& function = program->functions.front();
    LoopRequest body;
    body.kind = LoopRequest::Kind::range;
    body.start = function.instructions.front().address;
    body.end = function.instructions.back().address;
    body.wraps = true;
    CHECK(follow(function, body).steps.size() == function.instructions.size());
  }
}
