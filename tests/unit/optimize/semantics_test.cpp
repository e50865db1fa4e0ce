// SPDX-License-Identifier: MIT
// Remapped code computes what it computed before.
#include <doctest/doctest.h>

#include <cstdlib>
#include <numeric>

#include "optimize/remap_plan.hpp"
#include "smsim/read.hpp"
#include "smsim/remap.hpp"
#include "support/sample.hpp"
#include "unit/optimize/interpreter.hpp"
#include "unit/optimize/random_code.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

const Arch& hopper() {
  static const Arch arch = load_arch("hopper-gh100").value();
  return arch;
}

Program parse(const std::string& text) {
  auto program = read_program_text(text, "random.sass");
  REQUIRE_MESSAGE(program.has_value(), (program ? "" : to_string(program.error())));
  return std::move(*program);
}

State start_state(std::mt19937& random) {
  State state;
  for (auto& r : state.registers) r = 0x3e000000U + static_cast<std::uint32_t>(random() >> 6);
  for (auto& m : state.global) m = 0x3e000000U + static_cast<std::uint32_t>(random() >> 6);
  for (auto& m : state.shared) m = static_cast<std::uint32_t>(random());
  state.registers[0] = 3;
  state.registers[2] = 0x100;
  state.registers[3] = 0;
  state.registers[4] = 0x40;
  return state;
}

/// What others can see: memory, and of a part of a kernel the registers.
State visible(State state, bool whole) {
  if (whole) state.registers = {};
  return state;
}

State outcome(const Function& function, const State& start, Timing timing, bool whole) {
  return visible(Interpreter(function, hopper(), timing).run(start), whole);
}

/// The loops to run: a few, or as many as SMSIM_REMAP_LOOPS says.
int loops(int few) {
  const char* const wanted = std::getenv("SMSIM_REMAP_LOOPS");
  return wanted == nullptr ? static_cast<int>(sampled(static_cast<std::size_t>(few)))
                           : std::atoi(wanted);
}

/// As far away from the old names as any search could go: random moves, best flags.
Function shuffle(const Function& function, std::mt19937& random, int& moved) {
  std::vector<std::size_t> order(function.instructions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const optimize::Plan plan(function, hopper(), order, 1);
  optimize::Assignment names = plan.assignment(plan.live().registers);
  for (int i = 0; i < 200; ++i) {
    const std::size_t group = random() % names.groups();
    const std::size_t places = names.places(group);
    if (places > 0 && names.move(group, random() % places)) ++moved;
  }
  Function rewritten = function;
  REQUIRE(optimize::rewrite(plan.live(), names.names(), plan.flags(names.names()), rewritten));
  CHECK(optimize::same_values(plan.live(), optimize::find_webs(rewritten)));
  return rewritten;
}

}  // namespace

TEST_CASE("random loops compute the same under any names that remap may give them") {
  std::mt19937 random(90);
  int moved = 0;
  for (int n = 0; n < loops(400); ++n) {
    const bool whole = n % 3 != 0;
    const std::string text = random_code(hopper(), random, whole).text;
    const Program program = parse(text);
    const Function& before = program.functions.front();
    const State start = start_state(random);
    const State expected = outcome(before, start, Timing::early, whole);
    // The code is valid to begin with: nothing depends on when operations are over.
    REQUIRE_MESSAGE(outcome(before, start, Timing::late, whole) == expected, text);
    const Function after = shuffle(before, random, moved);
    for (const Timing timing : {Timing::early, Timing::late}) {
      const bool same = outcome(after, start, timing, whole) == expected;
      CHECK_MESSAGE(same, "loop ", n, ":\n", text);
      if (!same) return;
    }
  }
  CHECK(moved > loops(400));
}

TEST_CASE("random loops compute the same after remap, and none is slower") {
  std::mt19937 random(7);
  int gained = 0;
  for (int n = 0; n < loops(40); ++n) {
    const bool whole = n % 3 != 0;
    const Program program = parse(random_code(hopper(), random, whole).text);
    SimulateOptions options;
    options.warps = random() % 2 == 0 ? 1 : 4;
    options.allow_unset_waits = true;
    RemapOptions limits;
    limits.effort = 0.02;
    const auto found = remap(program, hopper(), options, limits);
    REQUIRE_MESSAGE(found.has_value(), (found ? "" : to_string(found.error())));
    CHECK(found->after.cycles_per_iteration <= found->before.simulated.cycles_per_iteration);
    CHECK(found->registers_after <= found->registers_before);
    gained += found->changes.empty() ? 0 : 1;
    const State start = start_state(random);
    for (const Timing timing : {Timing::early, Timing::late})
      CHECK(outcome(found->rewritten, start, timing, whole) ==
            outcome(program.functions.front(), start, timing, whole));
  }
  CHECK(gained > loops(40) / 4);
}
