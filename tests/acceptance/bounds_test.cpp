// SPDX-License-Identifier: MIT
// No bound is above the simulation, on measured loops and compiled kernels of every architecture.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "smsim/analysis.hpp"
#include "smsim/read.hpp"
#include "support/run_program.hpp"
#include "support/sample.hpp"
#include "validate/suite.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

/// Each so many-th loop is looked at; SMSIM_STRIDE=1 looks at all (the accuracy tests do).
std::size_t stride(std::size_t usual) {
  const char* given = std::getenv("SMSIM_STRIDE");
  return given != nullptr ? static_cast<std::size_t>(std::max(1, std::atoi(given))) : usual;
}

std::vector<std::string> files(const std::string& folder, const std::string& end) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_file(folder)))
    if (entry.path().string().ends_with(end)) found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

/// A figure that is a mean over many iterations may round by as much.
double rounding(const Result& result) { return result.steady_state.periodic ? 1e-9 : 0.5; }

void check(const Program& program, const Arch& arch, const SimulateOptions& options) {
  const auto found = bounds(program, arch, options);
  REQUIRE_MESSAGE(found.has_value(), (found ? "" : to_string(found.error())));
  CHECK(!found->bounds.empty());
  const double most = found->simulated.cycles_per_iteration + rounding(found->simulated);
  for (const Bound& b : found->bounds) {
    INFO(b.name << " " << b.cycles << " at " << options.warps << " warps");
    CHECK(b.cycles <= most);
  }
}

void check_loop(const validate::SuiteLoop& loop, const Arch& arch) {
  const std::string text = loop.is_bare_body ? ".L_measured:\n" + loop.code +
                                                   "\n    [B------:R-:W-:-:S05] @P0 BRA "
                                                   "`(.L_measured) ;\n"
                                             : loop.code;
  const auto program = read_program_text(text, loop.id);
  REQUIRE(program.has_value());
  for (const validate::Measurement& run : loop.runs) {
    SimulateOptions options;
    options.loop = loop.loop;
    options.warps = run.warps;
    options.lane_stride_bytes = loop.lane_stride_bytes;
    options.allow_unset_waits = true;
    check(*program, arch, options);
  }
}

}  // namespace

TEST_CASE("no bound is above the simulation of a measured loop") {
  std::map<std::string, Expected<Arch>> archs;
  std::size_t loops = 0;
  for (const std::string& file : files("traces/suites", ".jsonl.gz")) {
    const auto text = read_bytes(file);
    REQUIRE(text.has_value());
    const auto suite = validate::parse_suite(*text, file);
    REQUIRE(suite.has_value());
    for (std::size_t i = 0; i < suite->size(); i += stride(29)) {
      if (!is_sampled(i)) continue;
      const validate::SuiteLoop& loop = (*suite)[i];
      INFO(loop.id);
      const auto arch = archs.try_emplace(loop.arch, load_arch(loop.arch)).first->second;
      REQUIRE(arch);
      check_loop(loop, *arch);
      ++loops;
    }
  }
  CHECK(loops > sampled(200));
}

TEST_CASE("no bound is above the simulation of a compiled kernel") {
  std::size_t functions = 0;
  for (const std::string& file : files("traces", "cuobjdump.sass.gz")) {
    const auto program = read_program(file);
    REQUIRE(program);
    for (std::size_t i = 0; i < program->functions.size(); i += stride(11)) {
      if (!is_sampled(i)) continue;
      const Function& function = program->functions[i];
      const auto arch = load_arch_for_sm(function.sm);
      REQUIRE(arch);
      for (const int warps : {1, 4, 8, 16}) {
        INFO(file << " " << function.name);
        SimulateOptions options;
        options.function = function.name;
        options.warps = warps;
        options.loop = find_loops(function).empty() ? "all" : "";
        check(*program, *arch, options);
      }
      ++functions;
    }
  }
  CHECK(functions > sampled(10));
}
