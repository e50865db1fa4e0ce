// SPDX-License-Identifier: MIT
// Every number of a config at the ends of its range: the loop runs, or a diagnostic says why not.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "config/keys.hpp"
#include "smsim/read.hpp"
#include "smsim/simulate.hpp"
#include "support/run_program.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

/// Runs, or fails with a text; what it must not do is crash or hang.
void try_out(const Program& program, const std::string& key, const std::string& value) {
  INFO(key << "=" << value);
  const auto arch = load_arch("hopper-gh100", {{key, value}});
  if (!arch) {
    CHECK_FALSE(arch.error().front().message.empty());
    return;
  }
  SimulateOptions options;
  options.warps = std::min(5, arch->max_warps);  // two on one block, one on the others
  options.max_iterations = 40;
  const auto result = simulate(program, *arch, options);
  if (result) {
    CHECK(result->cycles_per_iteration > 0);
  } else {
    CHECK_FALSE(result.error().front().message.empty());
  }
}

void try_ends(const Program& program, const std::string& prefix, const config::KeyInfo& info) {
  if (info.kind != config::ValueKind::integer) return;
  for (const int end : {info.least, info.most})
    try_out(program, prefix + std::string(info.path), fmt::format("{}", end));
}

}  // namespace

TEST_CASE("a loop runs with every number of a config at the least and most that it may be") {
  const auto program = read_program(source_file("traces/hopper/stencil3.sass"));
  REQUIRE(program.has_value());
  for (const auto& key : config::arch_keys()) try_ends(*program, "", key.info);
  for (const auto& key : config::pipe_keys()) try_ends(*program, "pipes.alu.", key.info);
  for (const auto& key : config::class_keys())
    for (const char* of : {"ffma", "lds"}) {
      try_ends(*program, fmt::format("classes.{}.", of), key.info);
    }
}

TEST_CASE("one processing block can hold more warps than any device has, under each policy") {
  const auto program = read_program(source_file("traces/hopper/xorshift.sass"));
  REQUIRE(program.has_value());
  std::string choices;
  for (const auto& key : config::arch_keys())
    if (key.info.path == "scheduler.policy") choices = std::string(key.info.choices);
  REQUIRE(!choices.empty());
  for (std::size_t from = 0; from < choices.size();) {
    const std::size_t to = std::min(choices.find('|', from), choices.size());
    const std::string policy = choices.substr(from, to - from);
    // the active set is a scheduler of the generations before Volta
    const auto arch =
        load_arch(policy == "greedy_active_set" ? "maxwell-gm107" : "hopper-gh100",
                  {{"processing_blocks", "1"}, {"max_warps", "256"}, {"scheduler.policy", policy}});
    REQUIRE(arch.has_value());
    SimulateOptions options;
    options.warps = 80;
    options.max_iterations = 40;
    const auto result = simulate(*program, *arch, options);
    CHECK(result.has_value());
    from = to + 1;
  }
}
