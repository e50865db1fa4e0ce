// SPDX-License-Identifier: MIT
// Lint on what NVIDIA's compiler made, for every architecture: silent as it is, and not any more
// once a stall count, a wait or a read barrier is taken away.
#include "smsim/lint.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "isa/code_layout.hpp"
#include "optimize/hazards.hpp"
#include "optimize/hazards_latency.hpp"
#include "smsim/read.hpp"
#include "support/run_program.hpp"
#include "support/sample.hpp"

using namespace smsim;
using namespace smsim::optimize;

namespace {

const std::map<int, std::string> kDumps = {
    {35, "kepler"}, {37, "kepler"}, {50, "maxwell"}, {52, "maxwell"},    {60, "pascal"},
    {61, "pascal"}, {70, "volta"},  {72, "volta"},   {75, "turing"},     {80, "ampere"},
    {86, "ampere"}, {89, "ada"},    {90, "hopper"},  {100, "blackwell"}, {120, "blackwell"}};

Program dump(int sm) {
  const std::string number = std::to_string(sm);
  auto program = read_program(test::source_file("traces/" + kDumps.at(sm) + "/kernels.sm_" +
                                                number + ".cuobjdump.sass.gz"));
  REQUIRE(program.has_value());
  return *program;
}

std::vector<int> sampled_dumps() {
  std::vector<int> found;
  std::size_t seen = 0;
  for (const auto& [sm, folder] : kDumps)
    if (test::is_sampled(seen++)) found.push_back(sm);
  return found;
}

/// What was seeded and found, by the class of the operation that the fault is about.
struct Tally {
  std::map<std::string, int> seeded;
  int missed = 0;
  std::string example;

  void add(const HazardInput& input, std::size_t about, std::size_t at, bool found) {
    ++seeded[std::string(isa::name(input.code[about].op_class))];
    if (found) return;
    ++missed;
    if (example.empty())
      example = input.function.name + ": " + input.code[about].in->text + " -> " +
                input.code[at].in->text;
  }
};

/// Each function of a dump, in a copy that may be spoiled, with its instructions as hazards see it.
class Seeder {
 public:
  explicit Seeder(int sm) : program_(dump(sm)) {
    auto arch = load_arch_for_sm(sm);
    REQUIRE(arch.has_value());
    arch_ = *arch;
  }

  template <typename Seed>
  void each(const Seed& seed) {
    for (Function& function : program_.functions) {
      function_ = &function;
      const HazardInput input = hazard_input(function, arch_);
      find_targets(input);
      for (std::size_t i = 0; i < input.code.size(); ++i) seed(input, i);
    }
  }

  ControlWord& control(std::size_t i) { return function_->instructions[i].control; }

  /// Whether execution comes to it only from the instruction in front.
  bool straight(const HazardInput& input, std::size_t i) const {
    return targets_.count(i) == 0 && input.code[i - 1].next.size() == 1 &&
           input.code[i - 1].next.front().to == i;
  }

  bool finds(std::set<HazardKind> kinds, std::size_t from, std::size_t to) const {
    for (const Hazard& one : find_hazards(hazard_input(*function_, arch_)))
      if (kinds.count(one.kind) != 0 && one.from == from && one.to == to) return true;
    return false;
  }

 private:
  void find_targets(const HazardInput& input) {
    targets_.clear();
    for (const Node& node : input.code)
      for (const Step& step : node.next)
        if (step.taken) targets_.insert(step.to);
  }

  Program program_;
  Arch arch_;
  Function* function_ = nullptr;
  std::set<std::size_t> targets_;
};

bool may_meet(const Node& one, const Node& other) {
  return !exclusive(one.in->guard, other.in->guard);
}

/// Lowers stall counts between the two until `cycles` lie between them; false if it cannot.
bool shorten(Seeder& seeder, std::size_t from, std::size_t to, int cycles) {
  int sum = 0;
  for (std::size_t i = from; i < to; ++i) sum += seeder.control(i).stall;
  for (std::size_t i = to; i-- > from && sum > cycles;) {
    ControlWord& control = seeder.control(i);
    const int lowered = std::max(1, control.stall - (sum - cycles));
    if (control.stall <= lowered) continue;
    sum -= control.stall - lowered;
    control.stall = static_cast<std::uint8_t>(lowered);
  }
  return sum == cycles;
}

/// A cycle less than its latency between a result and its first reader.
void seed_stall(Seeder& seeder, const HazardInput& input, std::size_t i, const PlaceWrite& write,
                Tally& tally) {
  const Node& writer = input.code[i];
  for (std::size_t u = i + 1; u < input.code.size() && seeder.straight(input, u); ++u) {
    const Node& reader = input.code[u];
    int needed = 0;
    for (const PlaceRead& read : reader.reads)
      if (read.place == write.place && may_meet(writer, reader))
        needed = std::max(needed, read_latency(input.sm, writer, write, reader, read).cycles);
    if (needed > 1) {
      std::vector<ControlWord> saved;
      for (std::size_t k = i; k < u; ++k) saved.push_back(seeder.control(k));
      if (shorten(seeder, i, u, needed - 1))
        tally.add(input, i, u, seeder.finds({HazardKind::early_read}, i, u));
      for (std::size_t k = i; k < u; ++k) seeder.control(k) = saved[k - i];
      return;
    }
    if (reader.reads_place(write.place) || reader.writes_place(write.place)) return;
  }
}

bool waits(const Node& node, int barrier) {
  return barrier < kNoBarrier && ((node.in->control.wait_mask >> barrier) & 1) != 0;
}

/// The wait of the first one that needs an operation's result.
void seed_wait(Seeder& seeder, const HazardInput& input, std::size_t i, Tally& tally) {
  const Node& setter = input.code[i];
  const int barrier = setter.in->control.write_barrier;
  if (barrier >= kNoBarrier || setter.writes.empty()) return;
  for (std::size_t u = i + 1; u < input.code.size() && seeder.straight(input, u); ++u) {
    const Node& node = input.code[u];
    if (!waits(node, barrier)) continue;
    const bool wanted =
        std::any_of(setter.writes.begin(), setter.writes.end(), [&](const PlaceWrite& write) {
          return may_meet(setter, node) &&
                 (node.reads_place(write.place) || node.writes_place(write.place));
        });
    if (!wanted) return;
    const ControlWord saved = seeder.control(u);
    ControlWord& control = seeder.control(u);
    control.wait_mask = static_cast<std::uint8_t>(control.wait_mask & ~(1U << barrier));
    tally.add(input, i, u,
              seeder.finds({HazardKind::result_not_waited, HazardKind::result_overwritten}, i, u));
    control = saved;
    return;
  }
}

/// An instruction of the dump that writes one register and reads no other place.
Instruction plain_writer(const Program& program) {
  for (const Function& function : program.functions)
    for (const Node& node : build_code(function)) {
      const bool moves = isa::general_class(node.op_class) == isa::OpClass::mov;
      if (moves && node.reads.empty() && node.writes.size() == 1 &&
          node.writes.front().place.space == Space::reg)
        return *node.in;
    }
  FAIL("no MOV");
  return {};
}

/// The operation, and behind it one that overwrites its source, with or without the read barrier.
Function overwriting(const Function& function, const Instruction& operation, Instruction writer,
                     int reg, bool guarded) {
  Function pair = function;
  pair.instructions = {operation, operation};
  ControlWord& control = pair.instructions.front().control;
  control.stall = 4;
  control.wait_mask = 0;
  control.write_barrier = kNoBarrier;
  control.read_barrier = guarded ? 0 : kNoBarrier;
  writer.operands.edit().front().index = static_cast<std::int16_t>(reg);
  writer.guard = {};
  writer.address = isa::code_layout(function.sm).next_instruction(operation.address);
  writer.control.wait_mask = guarded ? 1 : 0;
  pair.instructions.back() = writer;
  return pair;
}

bool source_is_overwritten(const Function& function, const Arch& arch) {
  for (const Hazard& one : find_hazards(hazard_input(function, arch)))
    if (one.kind == HazardKind::source_overwritten) return true;
  return false;
}

}  // namespace

TEST_CASE("lint finds no unsafe control code in what NVIDIA's compiler made, on any architecture") {
  for (const int sm : sampled_dumps()) {
    CAPTURE(sm);
    LintOptions options;
    options.hints = LintHints::all;
    const auto report = lint(dump(sm), options);
    REQUIRE(report.has_value());
    CHECK(report->functions >= 32);
    CHECK(report->safe());
    if (!report->safe()) MESSAGE(report->findings.front().message);
    CHECK(report->count(LintLevel::warning) <= 7);
  }
}

TEST_CASE("every stall count that is a cycle too short for a result is found, whoever wrote it") {
  for (const int sm : sampled_dumps()) {
    CAPTURE(sm);
    Tally tally;
    Seeder seeder(sm);
    seeder.each([&](const HazardInput& input, std::size_t i) {
      if (is_variable(input, i) || input.code[i].in->control.write_barrier < kNoBarrier) return;
      for (const PlaceWrite& write : input.code[i].writes)
        seed_stall(seeder, input, i, write, tally);
    });
    CAPTURE(tally.example);
    CHECK(tally.missed == 0);
    CHECK(tally.seeded.size() >= 15);
  }
}

TEST_CASE("every wait that a reader of a variable-latency result lacks is found") {
  for (const int sm : sampled_dumps()) {
    if (sm < 50) continue;  // the hardware waits
    CAPTURE(sm);
    Tally tally;
    Seeder seeder(sm);
    seeder.each(
        [&](const HazardInput& input, std::size_t i) { seed_wait(seeder, input, i, tally); });
    CAPTURE(tally.example);
    CHECK(tally.missed == 0);
    CHECK(tally.seeded.size() >= 10);
  }
}

TEST_CASE("every operation of variable latency needs its read barrier before a source is written") {
  for (const int sm : sampled_dumps()) {
    if (sm < 50) continue;
    CAPTURE(sm);
    const Program program = dump(sm);
    const auto arch = load_arch_for_sm(sm);
    REQUIRE(arch.has_value());
    const Instruction writer = plain_writer(program);
    std::set<isa::OpClass> classes;
    for (const Function& function : program.functions) {
      const HazardInput input = hazard_input(function, *arch);
      for (std::size_t i = 0; i < input.code.size(); ++i) {
        if (!is_variable(input, i)) continue;
        for (const PlaceRead& read : input.code[i].reads) {
          if (read.place.space != Space::reg || input.code[i].writes_place(read.place)) continue;
          CAPTURE(input.code[i].in->text);
          const auto pair = [&](bool guarded) {
            return overwriting(function, *input.code[i].in, writer, read.place.index, guarded);
          };
          CHECK(!source_is_overwritten(pair(true), *arch));
          CHECK(source_is_overwritten(pair(false), *arch));
          classes.insert(input.code[i].op_class);
        }
      }
    }
    CHECK(classes.size() >= 12);
  }
}

TEST_CASE("scheduled, what the compiler made stays safe, and no loop gets slower") {
  for (const int sm : sampled_dumps()) {
    CAPTURE(sm);
    const auto done = schedule(dump(sm));
    REQUIRE(done.has_value());
    const auto report = lint(done->program);
    REQUIRE(report.has_value());
    CHECK(report->safe());
    for (const LintFinding& finding : report->findings) {
      CAPTURE(finding.function);
      CAPTURE(finding.message);
      // What lint would have changed schedule has changed, so far as it is no reuse flag.
      CHECK((finding.rule == "reuse-never-hits" || finding.rule == "unknown-opcode"));
    }
    CHECK(done->functions.size() >= 32);
    int faster = 0;
    for (const FunctionSchedule& function : done->functions) {
      CAPTURE(function.function);
      CHECK(function.errors == 0);
      for (const ScheduledLoop& loop : function.loops) {
        CHECK(loop.after <= loop.before);
        faster += loop.after < loop.before ? 1 : 0;
      }
    }
    CHECK(faster > 0);
  }
}

TEST_CASE("scheduling mends what was spoiled: stall counts of 1, and no barriers at all") {
  for (const int sm : {52, 70, 75, 80, 90, 120}) {
    if (!test::is_sampled(static_cast<std::size_t>(sm - 52))) continue;
    CAPTURE(sm);
    Program program = dump(sm);
    for (Function& function : program.functions) {
      const bool counts =
          std::any_of(function.instructions.begin(), function.instructions.end(),
                      [](const Instruction& in) { return in.opcode.starts_with("DEPBAR"); });
      for (Instruction& in : function.instructions) {
        if (in.control.stall > 1) in.control.stall = 1;
        if (counts) continue;
        in.control.wait_mask = 0;
        in.control.read_barrier = in.control.write_barrier = kNoBarrier;
      }
    }
    const auto spoiled = lint(program);
    REQUIRE(spoiled.has_value());
    CHECK(spoiled->count(LintLevel::error) > 1000);
    const auto done = schedule(program);
    REQUIRE_MESSAGE(done.has_value(), (done ? "" : to_string(done.error())));
    const auto report = lint(done->program);
    REQUIRE(report.has_value());
    CHECK(report->safe());
  }
}

TEST_CASE("our own SGEMM of Maxwell is safe, as the compiler's code is") {
  for (const char* name : {"sgemm_64.sass", "sgemm_64_spoiled.sass"}) {
    const auto program = read_program(std::string(SMSIM_SOURCE_DIR "/traces/maxwell/") + name);
    REQUIRE(program.has_value());
    const auto report = lint(*program);
    REQUIRE(report.has_value());
    CHECK(report->findings.empty());
  }
}
