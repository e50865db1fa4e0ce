// SPDX-License-Identifier: MIT
// Dependency mode: made-up control words keep every distance, and predict about what the compiler's
// do.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "block/dependency_mode.hpp"
#include "smsim/read.hpp"
#include "smsim/simulate.hpp"
#include "support/run_program.hpp"
#include "support/sample.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

Program read(const std::string& path) {
  auto program = read_program(source_file("traces/" + path));
  REQUIRE_MESSAGE(program.has_value(), to_string(program ? Diagnostics{} : program.error()));
  return *std::move(program);
}

/// The control words that a text without any gets on Hopper.
std::vector<ControlWord> control_of(const std::string& lines) {
  auto program = read_program_text("\t.target sm_90\n" + lines, "test");
  REQUIRE_MESSAGE(program.has_value(), to_string(program ? Diagnostics{} : program.error()));
  Function function = program->functions.front();
  REQUIRE_FALSE(function.has_control_words);
  assign_control_words(function, *load_arch_for_sm(90));
  std::vector<ControlWord> control;
  for (const Instruction& one : function.instructions) control.push_back(one.control);
  return control;
}

double cycles(const Program& program, const Arch& arch, const std::string& name, int warps) {
  SimulateOptions options;
  options.function = name;
  options.warps = warps;
  const auto result = simulate(program, arch, options);
  REQUIRE_MESSAGE(result.has_value(), to_string(result ? Diagnostics{} : result.error()));
  return result->cycles_per_iteration;
}

}  // namespace

TEST_CASE("a fixed latency is waited for in front of the first user, across what lies between") {
  const auto control = control_of(
      "/*0000*/ FADD R0, R1, R2 ;\n"
      "/*0010*/ FADD R3, R1, R2 ;\n"
      "/*0020*/ FADD R4, R0, R2 ;\n"
      "/*0030*/ EXIT ;\n");
  CHECK(control[0].stall + control[1].stall == 4);
  CHECK(control[0].stall == 1);
  CHECK(control[0].write_barrier == kNoBarrier);
}

TEST_CASE("a variable latency has a barrier, which the first user waits for and sees") {
  const auto control = control_of(
      "/*0000*/ LDS R0, [R1] ;\n"
      "/*0010*/ LDS R2, [R1+0x4] ;\n"
      "/*0020*/ FADD R4, R0, R2 ;\n"
      "/*0030*/ FADD R5, R0, R2 ;\n"
      "/*0040*/ EXIT ;\n");
  REQUIRE(control[0].write_barrier != kNoBarrier);
  CHECK(control[0].write_barrier == control[1].write_barrier);
  CHECK(control[2].wait_mask == 1 << control[0].write_barrier);
  CHECK(control[1].stall >= 2);
  CHECK(control[3].wait_mask == 0);
}

TEST_CASE("what a store still reads is not overwritten: a read barrier is waited for") {
  const auto control = control_of(
      "/*0000*/ STS [R1], R0 ;\n"
      "/*0010*/ FADD R0, R2, R2 ;\n"
      "/*0020*/ EXIT ;\n");
  REQUIRE(control[0].read_barrier != kNoBarrier);
  CHECK(control[0].write_barrier == kNoBarrier);
  CHECK(control[1].wait_mask == 1 << control[0].read_barrier);
}

TEST_CASE("what is pending at a loop's end is waited for at its begin") {
  const auto control = control_of(
      "/*0000*/ FADD R2, R0, R2 ;\n"
      "/*0010*/ LDS R0, [R1] ;\n"
      "/*0020*/ @P0 BRA 0x0 ;\n"
      "/*0030*/ EXIT ;\n");
  REQUIRE(control[1].write_barrier != kNoBarrier);
  CHECK(control[0].wait_mask == 1 << control[1].write_barrier);
}

TEST_CASE("more results than barriers share them") {
  std::string lines;
  for (int i = 0; i < 9; ++i) {
    char line[64];
    std::snprintf(line, sizeof line, "/*%04x*/ LDS R%d, [R1] ;\n", i * 16, 10 + i);
    lines += line;
  }
  for (int i = 0; i < 9; ++i) {
    char line[64];
    std::snprintf(line, sizeof line, "/*%04x*/ FADD R%d, R%d, R2 ;\n", (9 + i) * 16, 30 + i,
                  10 + i);
    lines += line;
  }
  const auto control = control_of(lines);
  std::uint8_t waited = 0;
  for (int i = 0; i < 9; ++i) {
    REQUIRE(control[static_cast<std::size_t>(i)].write_barrier < 6);
    waited = static_cast<std::uint8_t>(waited | control[static_cast<std::size_t>(9 + i)].wait_mask);
    CHECK((waited >> control[static_cast<std::size_t>(i)].write_barrier & 1) == 1);
  }
}

TEST_CASE("without control words the kernels take about as many cycles as with the compiler's") {
  const Program bare = read("hopper/kernels.sm_90.nvdisasm-nohex.sass.gz");
  const Program full = read("hopper/kernels.sm_90.nvdisasm-hex.sass.gz");
  const Arch arch = *load_arch_for_sm(90);
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < bare.functions.size(); ++i) {
    if (!is_sampled(i)) continue;
    const Function& one = bare.functions[i];
    CAPTURE(one.name);
    for (const int warps : {4, 16}) {
      const double with = cycles(full, arch, one.name, warps);
      const double without = cycles(bare, arch, one.name, warps);
      const double error = std::abs(without - with) / with;
      CHECK(error < 0.25);
      sum += error;
      ++count;
    }
  }
  CHECK(sum / count < 0.05);
}

TEST_CASE("a result in dependency mode says so, and no slot is lost to a stall count of the code") {
  const Program bare = read("hopper/kernels.sm_90.nvdisasm-nohex.sass.gz");
  SimulateOptions options;
  options.function = "minmax";
  const auto result = simulate(bare, *load_arch_for_sm(90), options);
  REQUIRE(result.has_value());
  CHECK(result->dependency_mode);
  CHECK(result->slots[static_cast<std::size_t>(StallReason::stall_count)] == 0);
  CHECK(result->slots[static_cast<std::size_t>(StallReason::fixed_latency)] > 0);
  CHECK(std::any_of(result->assumptions.begin(), result->assumptions.end(),
                    [](const std::string& note) { return note.starts_with("dependency mode"); }));
}

TEST_CASE("on every generation code without control words is run") {
  for (const char* path :
       {"kepler/kernels.sm_35.cuobjdump.sass.gz", "maxwell/kernels.sm_52.cuobjdump.sass.gz",
        "volta/kernels.sm_70.cuobjdump.sass.gz", "blackwell/kernels.sm_100.cuobjdump.sass.gz"}) {
    Program program = read(path);
    const Arch arch = *load_arch_for_sm(program.functions.front().sm);
    const double with = cycles(program, arch, "poly8", 16);
    for (Function& one : program.functions) one.has_control_words = false;
    const double without = cycles(program, arch, "poly8", 16);
    CAPTURE(path);
    CHECK(std::abs(without - with) / with < 0.3);
  }
}
