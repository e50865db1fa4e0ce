// SPDX-License-Identifier: MIT
// Remap on what NVIDIA's compiler makes, from Maxwell to Hopper.
#include <doctest/doctest.h>

#include <array>
#include <numeric>
#include <random>

#include "optimize/remap_plan.hpp"
#include "smsim/lint.hpp"
#include "smsim/read.hpp"
#include "smsim/remap.hpp"
#include "support/run_program.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

struct Dump {
  const char* file;
  const char* arch;
};

constexpr std::array kDumps = {
    Dump{"traces/maxwell/kernels.sm_50.cuobjdump.sass.gz", "maxwell-gm107"},
    Dump{"traces/pascal/kernels.sm_60.cuobjdump.sass.gz", "pascal-gp100"},
    Dump{"traces/volta/kernels.sm_70.cuobjdump.sass.gz", "volta-v100"},
    Dump{"traces/turing/kernels.sm_75.cuobjdump.sass.gz", "turing-tu102"},
    Dump{"traces/ampere/kernels.sm_86.cuobjdump.sass.gz", "ampere-ga102"},
    Dump{"traces/hopper/kernels.sm_90.cuobjdump.sass.gz", "hopper-gh100"},
};

/// What lint holds against a function; empty if it is safe.
std::string unsafe(const Function& function, const Dump& dump) {
  Program program;
  program.source = dump.file;
  program.functions.push_back(function);
  const auto report = lint(program, {dump.arch, "", LintHints::none, ""});
  REQUIRE(report.has_value());
  for (const LintFinding& finding : report->findings)
    if (finding.level == LintLevel::error) return finding.place.text + ": " + finding.message;
  return "";
}

}  // namespace

TEST_CASE("no compiled kernel gets slower or needs more registers, and lint finds them safe") {
  int gained = 0;
  for (const Dump& dump : kDumps) {
    const auto program = read_program(source_file(dump.file));
    REQUIRE(program.has_value());
    const Arch arch = load_arch(dump.arch).value();
    for (const Function& function : program->functions) {
      CAPTURE(dump.file);
      CAPTURE(function.name);
      SimulateOptions options;
      options.function = function.name;
      RemapOptions limits;
      limits.effort = 0.05;
      const auto found = remap(*program, arch, options, limits);
      REQUIRE_MESSAGE(found.has_value(), (found ? "" : to_string(found.error())));
      CHECK(found->after.cycles_per_iteration <= found->before.simulated.cycles_per_iteration);
      CHECK(found->registers_after <= found->registers_before);
      if (found->changes.empty()) continue;
      ++gained;
      CHECK(unsafe(found->rewritten, dump) == "");
    }
  }
  CHECK(gained > 5);
}

TEST_CASE("lint finds compiled kernels safe under any names that remap may give them") {
  std::mt19937 random(1);
  int moved = 0;
  for (const Dump& dump : kDumps) {
    const auto program = read_program(source_file(dump.file));
    REQUIRE(program.has_value());
    const Arch arch = load_arch(dump.arch).value();
    for (const Function& function : program->functions) {
      CAPTURE(dump.file);
      CAPTURE(function.name);
      std::vector<std::size_t> order(function.instructions.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      const optimize::Plan plan(function, arch, order, 1);
      optimize::Assignment names = plan.assignment(plan.live().registers);
      for (int i = 0; i < 300; ++i) {
        const std::size_t group = random() % names.groups();
        const std::size_t places = names.places(group);
        if (places > 0 && names.move(group, random() % places)) ++moved;
      }
      Function after = function;
      REQUIRE(optimize::rewrite(plan.live(), names.names(), plan.flags(names.names()), after));
      CHECK(unsafe(after, dump) == "");
    }
  }
  CHECK(moved > 10000);
}
