// SPDX-License-Identifier: MIT
// What bank conflicts and reuse cost, as `whatif` says it and as an H200 took it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>

#include "smsim/analysis.hpp"
#include "smsim/read.hpp"
#include "support/run_program.hpp"
#include "validate/suite.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

constexpr double kOneCycle = 1;

/// The loops of the suite by id.
std::map<std::string, validate::SuiteLoop> suite_by_id() {
  const std::string file = source_file("traces/suites/h200/characterise.jsonl.gz");
  const auto text = read_bytes(file);
  REQUIRE(text.has_value());
  const auto suite = validate::parse_suite(*text, file);
  REQUIRE(suite.has_value());
  std::map<std::string, validate::SuiteLoop> loops;
  for (const validate::SuiteLoop& loop : *suite) loops[loop.id] = loop;
  return loops;
}

double measured(const std::map<std::string, validate::SuiteLoop>& suite, const std::string& id) {
  const auto at = suite.find(id);
  REQUIRE_MESSAGE(at != suite.end(), id);
  return at->second.runs.front().cycles;
}

WhatIf ask(const validate::SuiteLoop& loop) {
  const auto program = read_program_text(loop.code, loop.id);
  const auto arch = load_arch(loop.arch);
  REQUIRE(program.has_value());
  REQUIRE(arch.has_value());
  SimulateOptions options;
  options.warps = loop.runs.front().warps;
  options.lane_stride_bytes = loop.lane_stride_bytes;
  options.allow_unset_waits = true;
  auto answer = what_if(*program, *arch, options);
  REQUIRE_MESSAGE(answer.has_value(), (answer ? "" : to_string(answer.error())));
  return *answer;
}

double cycles_without(const WhatIf& answer, const std::string& limit) {
  const auto row = std::find_if(answer.variants.begin(), answer.variants.end(),
                                [&](const VariantRow& one) { return one.name == limit; });
  REQUIRE_MESSAGE(row != answer.variants.end(), limit);
  return row->cycles;
}

}  // namespace

TEST_CASE("what bank conflicts cost is the difference that an H200 shows, up to 4 warps") {
  const auto suite = suite_by_id();
  const std::regex pattern(R"(bank\.ffma\.([eoab]{3})(?:\.evend)?\.w1)");
  std::size_t pairs = 0;
  for (const auto& [id, loop] : suite) {
    if (!std::regex_match(id, pattern)) continue;
    INFO(id);
    const WhatIf answer = ask(loop);
    const double cost =
        answer.base.cycles_per_iteration - cycles_without(answer, "no_bank_conflicts");
    // the same loop on RZ reads no bank at all
    const double difference = measured(suite, id) - measured(suite, "bank.ffma.zzz.w1");
    CHECK(std::abs(cost - difference) <= kOneCycle);
    ++pairs;
  }
  CHECK(pairs >= 18);
}

TEST_CASE("what reuse gains is the difference that an H200 shows, up to 4 warps") {
  const auto suite = suite_by_id();
  const std::regex pattern(R"(reuse\.(\w{3})\.m([1-7])\.w[14])");
  std::size_t pairs = 0;
  for (const auto& [id, loop] : suite) {
    std::smatch part;
    if (!std::regex_match(id, part, pattern)) continue;
    INFO(id);
    const WhatIf answer = ask(loop);
    const double gain = cycles_without(answer, "no_reuse") - answer.base.cycles_per_iteration;
    // the same loop without flags
    const double difference =
        measured(suite, "bank.ffma." + part[1].str() + ".w1") - measured(suite, id);
    CHECK(std::abs(gain - difference) <= kOneCycle);
    ++pairs;
  }
  CHECK(pairs == 42);
}

TEST_CASE("what all flags would gain is what an H200 takes with all flags") {
  const auto suite = suite_by_id();
  for (const std::string banks : {"eee", "eeo", "ooo"}) {
    INFO(banks);
    const WhatIf answer = ask(suite.at("bank.ffma." + banks + ".w1"));
    const double flagged = measured(suite, "reuse." + banks + ".m7.w1");
    CHECK(std::abs(cycles_without(answer, "all_reused") - flagged) <= kOneCycle);
  }
}
