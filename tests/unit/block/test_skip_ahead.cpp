// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "block/compile.hpp"
#include "block/event_sink.hpp"
#include "block/prepare.hpp"
#include "block/sm.hpp"
#include "operand/read_pipeline.hpp"
#include "smsim/read.hpp"

using namespace smsim;

namespace {

/// 32 times the same, and what ends the loops of `characterise`.
std::string loop_of(const std::string& instruction) {
  std::string text = ".L_m:\n";
  for (int i = 0; i < 32; ++i) text += "    [B------:R-:W-:-:S01] " + instruction + " ;\n";
  return text +
         "    [B------:R-:W-:-:S05] IADD3 R4, R4, -0x1, RZ ;\n"
         "    [B------:R-:W-:-:S13] ISETP.NE.AND P0, PT, R4, RZ, PT ;\n"
         "    [B------:R-:W-:-:S05] @P0 BRA `(.L_m) ;\n";
}

/// What issues in the first `cycles` cycles, in the order of cycles and blocks.
std::vector<IssueEvent> issues(const CompiledLoop& loop, const Arch& arch, int warps_of_block,
                               Cycle cycles, bool skip_ahead) {
  RecordIssues sink;
  Sm<GreedyThenLeastIssued, ReadPipeline, RecordIssues> sm(
      loop, arch, std::vector<int>(4, warps_of_block), UINT64_MAX, sink);
  for (Cycle now = 0; now < cycles;) {
    sm.tick(now, skip_ahead);
    now = skip_ahead ? sm.next_event(now) : now + 1;
    sm.go_to(now);
  }
  return sink.events;
}

void check_skipping(const std::string& instruction) {
  const auto program = read_program_text(loop_of(instruction), "loop");
  REQUIRE(program.has_value());
  const Arch arch = *load_arch("hopper-gh100");
  const auto prepared = prepare(*program, arch, {});
  REQUIRE(prepared.has_value());
  const auto compiled = compile(*program, *prepared->function, prepared->path, arch, {});
  REQUIRE(compiled.has_value());
  for (const int warps : {1, 2, 4}) {
    constexpr Cycle kCycles = 3000;
    const auto skipped = issues(compiled->loop, arch, warps, kCycles, true);
    const auto ticked = issues(compiled->loop, arch, warps, kCycles, false);
    CAPTURE(instruction);
    CAPTURE(warps);
    CHECK(skipped.size() > 100);
    const auto same = [](const IssueEvent& a, const IssueEvent& b) {
      return std::tie(a.issue, a.block, a.warp, a.step) ==
             std::tie(b.issue, b.block, b.warp, b.step);
    };
    CHECK(std::equal(skipped.begin(), skipped.end(), ticked.begin(), ticked.end(), same));
  }
}

}  // namespace

TEST_CASE("where memory's queue is full, skipped cycles are those in which nothing issues") {
  check_skipping("S2R R40, SR_TID.X");
  check_skipping("LDS R40, [R6]");
  check_skipping("LDS.128 R40, [R6]");
  check_skipping("STS.64 [R6], R40");
}
