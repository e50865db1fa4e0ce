// SPDX-License-Identifier: MIT
// Recordings of loops whose every cycle is known, and what must hold in recordings of any loop.
#include "smsim/record.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "smsim/read.hpp"
#include "support/run_program.hpp"

using namespace smsim;

namespace {

/// Two FFMAs; the second one reads three registers of bank 0.
constexpr const char* kConflict =
    "[B------:R-:W-:-:S02] FFMA R1, R2, R3, R5 ;\n"
    "[B------:R-:W-:-:S04] FFMA R7, R2, R4, R6 ;\n"
    "[B------:R-:W-:-:S01] FFMA R9, R2, R3, R5 ;\n"
    "[B------:R-:W-:-:S01] EXIT ;\n";

constexpr const char* kLoad =
    "[B------:R0:W1:-:S02] LDS R4, [R2] ;\n"
    "[B-1----:R-:W-:-:S04] FADD R5, R4, R5 ;\n"
    "[B------:R-:W-:-:S01] EXIT ;\n";

Recording recorded(const Program& program, const std::string& arch, int warps,
                   const RecordOptions& window = {}) {
  const auto loaded = load_arch(arch);
  REQUIRE(loaded);
  SimulateOptions options;
  options.warps = warps;
  auto recording = record(program, *loaded, options, window);
  CAPTURE((recording ? std::string() : to_string(recording.error())));
  REQUIRE(recording);
  return std::move(*recording);
}

Recording of_text(const char* text, int warps = 1) {
  const auto program = read_program_text(text, "test");
  REQUIRE(program);
  return recorded(*program, "hopper-gh100", warps);
}

Recording of_file(const std::string& file, const std::string& arch, int warps,
                  const RecordOptions& window = {}) {
  const auto program = read_program(test::source_file("traces/" + file));
  REQUIRE(program);
  return recorded(*program, arch, warps, window);
}

std::vector<RecordedRead> reads_of(const Recording& recording, const RecordedInstruction& one) {
  const auto first = recording.reads.begin() + one.first_read;
  return {first, first + one.read_count};
}

}  // namespace

TEST_CASE("three sources of one bank are read in three cycles, the last of which stops issue") {
  const Recording recording = of_text(kConflict);
  const RecordedInstruction& easy = recording.instructions.at(0);
  const RecordedInstruction& hard = recording.instructions.at(1);
  CHECK(easy.left - easy.issue == 5);
  const auto reads = reads_of(recording, hard);
  REQUIRE(reads.size() == 3);
  CHECK(reads[0].bank == 0);
  CHECK(reads[2].bank == 0);
  CHECK(reads[0].at < reads[1].at);
  CHECK(reads[1].at < reads[2].at);
  CHECK(hard.left >= reads[2].at);
}

TEST_CASE("a guarded write leaves the one before it as possible, one that never happens is none") {
  const auto dependences_of_last = [](const char* guard) {
    const std::string text = "[B------:R-:W-:-:S04] FADD R1, R2, R3 ;\n[B------:R-:W-:-:S04] " +
                             std::string(guard) +
                             "FADD R1, R4, R5 ;\n[B------:R-:W-:-:S04] FADD R6, R1, R7 ;\n"
                             "[B------:R-:W-:-:S01] EXIT ;\n";
    const Recording recording = of_text(text.c_str());
    const RecordedStep& step = recording.steps.at(2);
    std::vector<std::uint32_t> from;
    for (std::uint32_t i = 0; i < step.dependence_count; ++i)
      from.push_back(recording.dependences.at(step.first_dependence + i).step);
    return from;
  };
  CHECK(dependences_of_last("") == std::vector<std::uint32_t>{1});
  CHECK(dependences_of_last("@P0 ") == std::vector<std::uint32_t>{0, 1});
  CHECK(dependences_of_last("@!PT ") == std::vector<std::uint32_t>{0});
}

TEST_CASE("a standstill is booked to the instruction that lacks an operand") {
  // the latches of the first one keep the second from starting at once
  const Recording recording = of_file("hopper/outer8x8.sass", "hopper-gh100", 4);
  std::size_t conflicts = 0;
  for (const RecordedStop& stop : recording.stops) {
    if (stop.reason != StallReason::bank_conflict || stop.instruction == kNoInstruction) continue;
    const RecordedInstruction& one = recording.instructions.at(stop.instruction);
    CHECK(one.issue < stop.at);
    CHECK(stop.at < one.left);
    CHECK(one.block == stop.block);
    ++conflicts;
  }
  CHECK(conflicts > 0);
}

TEST_CASE(
    "a load waits in the queue, reads its address, executes and writes; then its reader issues") {
  const Recording recording = of_text(kLoad);
  const RecordedInstruction& load = recording.instructions.at(0);
  const RecordedInstruction& add = recording.instructions.at(1);
  const auto reads = reads_of(recording, load);
  REQUIRE(reads.size() == 1);
  CHECK(reads[0].from == ReadFrom::feed);
  CHECK(reads[0].reg == 2);
  CHECK(load.left < reads[0].at);
  CHECK(reads[0].at < load.execute_begin);
  CHECK(load.execute_begin < load.write_begin);
  CHECK(add.issue == load.issue + 23);
  const RecordedWait& wait = recording.waits.at(add.first_wait + add.wait_count - 1);
  CHECK(wait.reason == StallReason::short_scoreboard);
  CHECK(wait.barriers == 0b10);
  CHECK(wait.end == add.issue);
}

TEST_CASE("a flagged operand that is used again comes from the reuse cache") {
  const Recording recording = of_text(
      "[B------:R-:W-:-:S01] FFMA R1, R2.reuse, R3, R5 ;\n"
      "[B------:R-:W-:-:S01] FFMA R7, R2, R9, R11 ;\n"
      "[B------:R-:W-:-:S01] EXIT ;\n");
  std::size_t hits = 0;
  for (const RecordedRead& read : reads_of(recording, recording.instructions.at(1)))
    if (read.from == ReadFrom::reuse_cache) {
      CHECK(read.reg == 2);
      ++hits;
    }
  CHECK(hits == 1);
}

TEST_CASE("the waits before an instruction fill the cycles since its warp's last issue") {
  for (const int warps : {1, 4, 12}) {
    const Recording recording = of_file("hopper/stencil3.sass", "hopper-gh100", warps);
    REQUIRE(!recording.instructions.empty());
    for (const RecordedInstruction& one : recording.instructions) {
      std::int64_t at = one.waits_from;
      for (std::uint32_t i = 0; i < one.wait_count; ++i) {
        const RecordedWait& wait = recording.waits.at(one.first_wait + i);
        CHECK(wait.begin == at);
        CHECK(wait.end > wait.begin);
        at = wait.end;
      }
      CHECK(at == one.issue);
    }
  }
}

TEST_CASE("recorded iterations of the steady state follow each other at the predicted distance") {
  const Recording recording = of_file("hopper/stencil3.sass", "hopper-gh100", 4, {0, 3, 20'000});
  REQUIRE(recording.result.steady_state.period_iterations == 1);
  std::map<std::tuple<int, std::uint32_t, std::uint64_t>, std::int64_t> issue;
  for (const RecordedInstruction& one : recording.instructions)
    issue[{one.warp, one.step, one.iteration}] = one.issue;
  std::size_t pairs = 0;
  for (const auto& [key, at] : issue) {
    auto [warp, step, iteration] = key;
    const auto next = issue.find({warp, step, iteration + 1});
    if (next == issue.end()) continue;
    CHECK(next->second - at == static_cast<std::int64_t>(recording.result.cycles_per_iteration));
    ++pairs;
  }
  CHECK(pairs == 4 * 2 * recording.steps.size());
}

TEST_CASE("recorded bank reads are as many as the prediction counts, those of loads included") {
  for (const auto& recording :
       {of_file("volta/sgemm_8x8_compiler.sass", "volta-v100", 4, {0, 1, 20'000}),
        of_file("hopper/stencil3.sass", "hopper-gh100", 4, {0, 1, 20'000})}) {
    std::map<int, double> reads;
    std::size_t fed = 0;
    for (const RecordedInstruction& one : recording.instructions) {
      if (one.warp != 0) continue;
      for (const RecordedRead& read : reads_of(recording, one)) {
        if (read.from != ReadFrom::reuse_cache) ++reads[read.bank];
        if (read.from == ReadFrom::feed) ++fed;
      }
    }
    CHECK(fed > 0);
    for (const BankUse& bank : recording.result.banks)
      CHECK(reads[bank.bank] == doctest::Approx(bank.reads_per_iteration));
  }
}

TEST_CASE("every recorded load lowers the barriers that it raised, after it has begun") {
  const Recording recording = of_file("hopper/stencil3.sass", "hopper-gh100", 8);
  std::map<std::pair<std::uint32_t, int>, std::int64_t> up;
  std::size_t lowered = 0;
  for (const RecordedBarrier& event : recording.barriers) {
    if (event.instruction == kNoInstruction) continue;
    const std::pair key{event.instruction, int{event.barrier}};
    if (event.up) {
      up[key] = event.at;
      continue;
    }
    REQUIRE(up.contains(key));
    CHECK(event.at > up[key]);
    ++lowered;
  }
  CHECK(lowered == up.size());
  CHECK(lowered > 0);
}

TEST_CASE(
    "a step depends on the last writer of its registers, also on one of the iteration before") {
  const Recording recording = of_file("hopper/stencil3.sass", "hopper-gh100", 1);
  const auto of_step = [&](std::size_t step) {
    const RecordedStep& row = recording.steps.at(step);
    const auto first = recording.dependences.begin() + row.first_dependence;
    return std::vector<RecordedDependence>(first, first + row.dependence_count);
  };
  const auto step_of = [&](std::string_view start) {
    const auto at =
        std::find_if(recording.steps.begin(), recording.steps.end(),
                     [&](const RecordedStep& row) { return row.text.starts_with(start); });
    return static_cast<std::uint32_t>(at - recording.steps.begin());
  };
  bool barrier = false;
  bool value = false;
  for (const RecordedDependence& one : of_step(step_of("FMUL R7"))) {
    barrier = barrier || (one.kind == DependenceKind::write_barrier && one.index == 0);
    value = value || (one.kind == DependenceKind::reg && one.index == 7 &&
                      one.step == step_of("LDS R7") && one.distance == 0);
  }
  CHECK(barrier);
  CHECK(value);
  const auto counter = of_step(step_of("IADD3 R4"));
  REQUIRE(counter.size() == 1);
  CHECK(counter[0].distance == 1);
  CHECK(counter[0].step == step_of("IADD3 R4"));
}

TEST_CASE("iterations that a pass does not have are a mistake of the request") {
  const auto program = read_program_text(kLoad, "test");
  const auto arch = load_arch("hopper-gh100");
  REQUIRE(program);
  REQUIRE(arch);
  const auto recording = record(*program, *arch, {}, {2, 1, 1000});
  REQUIRE_FALSE(recording);
  CHECK(exit_code(recording.error()) == 2);
}

TEST_CASE("a recording ends after max_cycles and says that it is not complete") {
  const Recording recording = of_file("hopper/stencil3.sass", "hopper-gh100", 4, {1, 50, 100});
  CHECK_FALSE(recording.complete);
  for (const RecordedInstruction& one : recording.instructions)
    CHECK(one.issue <= recording.begin + 100);
}
