// SPDX-License-Identifier: MIT
// Remap on loops whose gain is known, its limits, and the text that it gives back.
#include "smsim/remap.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "optimize/remap_plan.hpp"
#include "smsim/read.hpp"
#include "smsim/report.hpp"
#include "support/run_program.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

Program parse(const std::string& text) {
  auto program = read_program_text(text, "loop.sass");
  REQUIRE_MESSAGE(program.has_value(), (program ? "" : to_string(program.error())));
  return std::move(*program);
}

Remapped remapped(const Program& program, const std::string& arch, int warps,
                  const RemapOptions& limits = {}) {
  SimulateOptions options;
  options.warps = warps;
  options.allow_unset_waits = true;
  auto found = remap(program, load_arch(arch).value(), options, limits);
  REQUIRE_MESSAGE(found.has_value(), (found ? "" : to_string(found.error())));
  return std::move(*found);
}

double bank_stalls(const Result& result) {
  return static_cast<double>(result.slots[static_cast<std::size_t>(StallReason::bank_conflict)]);
}

/// A loop that was measured on an H200.
nlohmann::json suite_row(const std::string& id) {
  std::istringstream lines(
      read_bytes(source_file("traces/suites/h200/characterise.jsonl.gz")).value());
  for (std::string line; std::getline(lines, line);) {
    auto row = nlohmann::json::parse(line);
    if (row["id"] == id) return row;
  }
  FAIL("no row ", id);
  return {};
}

std::string text_of(const Remapped& found) {
  std::ostringstream out;
  write_text(out, found);
  return std::move(out).str();
}

/// Three sources in one bank each time, of values that nobody outside knows.
constexpr const char* kConflicts = R"(
	.target	sm_90
.text.conflicts:
    [B------:R-:W-:-:S04] MOV R0, 0x10 ;
    [B------:R-:W-:-:S01] MOV R2, 0x1 ;
    [B------:R-:W-:-:S01] MOV R3, 0x1 ;
    [B------:R-:W-:-:S01] MOV R4, 0x1 ;
    [B------:R-:W-:-:S01] MOV R5, 0x1 ;
    [B------:R-:W-:-:S01] MOV R6, 0x1 ;
    [B------:R-:W-:-:S06] MOV R7, 0x1 ;
.L_top:
    [B------:R-:W-:-:S01] FFMA R2, R4, R6, R2 ;
    [B------:R-:W-:-:S01] FFMA R3, R5, R7, R3 ;
    [B------:R-:W-:-:S01] IADD3 R0, R0, -0x1, RZ ;
    [B------:R-:W-:-:S03] NOP ;
    [B------:R-:W-:Y:S13] ISETP.NE.AND P0, PT, R0, RZ, PT ;
    [B------:R-:W-:-:S05] @P0 BRA `(.L_top) ;
    [B------:R-:W-:-:S05] EXIT ;
)";

}  // namespace

TEST_CASE(
    "the Volta 8x8 loop loses its bank conflicts, and gains at least what was gained by hand") {
  const auto program = read_program(source_file("traces/volta/sgemm_8x8_compiler.sass"));
  const auto by_hand = read_program(source_file("traces/volta/sgemm_8x8_remapped.sass"));
  const Remapped found = remapped(*program, "volta-v100", 4);
  const auto hand = simulate(*by_hand, load_arch("volta-v100").value());
  CHECK(found.after.cycles_per_iteration <= hand->cycles_per_iteration);
  CHECK(bank_stalls(found.before.simulated) > 0);
  CHECK(bank_stalls(found.after) == 0);
  CHECK(found.registers_after <= found.registers_before);
}

TEST_CASE("a listing that is a part of a kernel keeps its names, and gets reuse flags") {
  for (const int warps : {1, 8}) {
    const auto without = suite_row(fmt::format("reuse.outer8x8_none.w{}", warps));
    const auto with = suite_row(fmt::format("reuse.outer8x8_a.w{}", warps));
    const Remapped found =
        remapped(parse("\t.target\tsm_90\n" + std::string(without["sass"])), "hopper-gh100", warps);
    CHECK(found.movable == 0);
    CHECK(found.before.simulated.cycles_per_iteration ==
          doctest::Approx(double{without["cycles"]}));
    // What an H200 takes with the flags that the suite set by hand.
    CHECK(found.after.cycles_per_iteration <= double{with["cycles"]});
    for (const RemapChange& change : found.changes) {
      std::string plain = change.after;
      for (std::size_t at; (at = plain.find(".reuse")) != std::string::npos;) plain.erase(at, 6);
      CHECK(plain == change.before);
    }
  }
}

TEST_CASE(
    "no flag stands beside a yield request, on a guarded instruction, or on a memory operand") {
  const auto flagged = [](const std::string& code) {
    const Remapped found = remapped(parse(code), "hopper-gh100", 1);
    return std::count_if(found.rewritten.instructions.begin(), found.rewritten.instructions.end(),
                         [](const Instruction& in) { return in.control.reuse != 0; });
  };
  const std::string pair =
      "    [B------:R-:W-:-:S01] FFMA R2, R4, R6, R8 ;\n"
      "    [B------:R-:W-:-:S01] FFMA R3, R4, R6, R10 ;\n"
      "    [B------:R-:W-:-:S01] FFMA R5, R4, R6, R12 ;\n"
      "    [B------:R-:W-:-:S01] FFMA R7, R4, R6, R14 ;\n";
  const auto loop = [](std::string body) {
    return "\t.target\tsm_90\n.text.f:\n.L_top:\n" + body +
           "    [B------:R-:W-:-:S05] @P0 BRA `(.L_top) ;\n";
  };
  const auto with = [&](const std::string& old, const std::string& now) {
    std::string changed = pair;
    for (std::size_t at = 0; (at = changed.find(old, at)) != std::string::npos; at += now.size())
      changed.replace(at, old.size(), now);
    return loop(changed);
  };
  CHECK(flagged(loop(pair)) == 3);
  CHECK(flagged(with("W-:-:", "W-:Y:")) == 0);
  CHECK(flagged(with("] FFMA", "] @P1 FFMA")) == 0);
}

TEST_CASE("values of a whole kernel change their banks") {
  const Remapped found = remapped(parse(kConflicts), "hopper-gh100", 12);
  CHECK(found.after.cycles_per_iteration < found.before.simulated.cycles_per_iteration);
  CHECK(found.movable == 7);
}

TEST_CASE("the same input gives the same names") {
  CHECK(text_of(remapped(parse(kConflicts), "hopper-gh100", 16)) ==
        text_of(remapped(parse(kConflicts), "hopper-gh100", 16)));
}

TEST_CASE("where nothing can be gained, remap says so and names the bound") {
  const Remapped found = remapped(
      parse("\t.target\tsm_90\n.text.f:\n.L_top:\n    [B------:R-:W-:-:S04] FADD R2, R2, R3 ;\n"
            "    [B------:R-:W-:-:S05] @P0 BRA `(.L_top) ;\n"),
      "hopper-gh100", 1);
  CHECK(found.changes.empty());
  const std::string text = text_of(found);
  CHECK(text.find("nothing to gain") != std::string::npos);
  CHECK(text.find("stall_counts") != std::string::npos);
}

TEST_CASE("more registers are used only if somebody asks") {
  const Program program = parse(kConflicts);
  CHECK(remapped(program, "hopper-gh100", 16).registers_after <= 8);
  const Remapped more = remapped(program, "hopper-gh100", 16, {32, 1});
  CHECK(more.registers_after <= 32);
  SimulateOptions options;
  const auto fewer = remap(program, load_arch("hopper-gh100").value(), options, {4, 1});
  REQUIRE_FALSE(fewer.has_value());
  CHECK(exit_code(fewer.error()) == 2);
}

TEST_CASE("a jump to nobody knows where keeps every name") {
  std::string text = kConflicts;
  text.insert(text.find("    [B------:R-:W-:-:S05] EXIT"),
              "    [B------:R-:W-:-:S05] BRX R8 -0x10 ;\n");
  const auto live = optimize::find_webs(parse(text).functions.front());
  CHECK(live.obstacle.find("BRX") != std::string::npos);
  CHECK(std::all_of(live.webs.begin(), live.webs.end(), [](const auto& w) { return w.pinned; }));
}

TEST_CASE("what a call may see keeps its name, what lies between calls does not") {
  const auto live =
      optimize::find_webs(parse("\t.target\tsm_90\n.text.f:\n"
                                "    [B------:R-:W-:-:S04] MOV R4, 0x1 ;\n"
                                "    [B------:R-:W-:-:S04] MOV R5, R4 ;\n"
                                "    [B------:R-:W-:-:S04] MOV R6, R5 ;\n"
                                "    [B------:R-:W-:-:S04] MOV R5, 0x2 ;\n"
                                "    [B------:R-:W-:-:S05] CALL.REL.NOINC `(.L_sub) ;\n"
                                "    [B------:R-:W-:-:S05] EXIT ;\n"
                                ".L_sub:\n    [B------:R-:W-:-:S05] RET.REL.NODEC R20 0x0 ;\n")
                              .functions.front());
  const auto written = [&](std::size_t i) {
    return live.webs[static_cast<std::size_t>(live.accesses[i].back().webs.front())];
  };
  CHECK_FALSE(written(1).pinned);  // R5, rewritten before the call
  CHECK(written(2).pinned);
  CHECK(written(3).pinned);
}

TEST_CASE("the rewritten text is the input's, but for the instructions that changed") {
  const Program program = parse(kConflicts);
  const Remapped found = remapped(program, "hopper-gh100", 16);
  const auto text = rewritten_text(program, found);
  REQUIRE(text.has_value());
  const Program again = parse(*text);
  REQUIRE(again.functions.front().instructions.size() == found.rewritten.instructions.size());
  for (std::size_t i = 0; i < found.rewritten.instructions.size(); ++i) {
    CHECK(again.functions.front().instructions[i].text == found.rewritten.instructions[i].text);
    CHECK(again.functions.front().instructions[i].control ==
          found.rewritten.instructions[i].control);
  }
  CHECK(again.lines.size() == program.lines.size());
}

TEST_CASE("every notation gives back code that takes the promised cycles") {
  const auto listing = read_program(source_file("traces/volta/sgemm_8x8_compiler.sass"));
  for (const char* notation : {"cuasm", "turingas", "yaml"}) {
    CAPTURE(notation);
    const auto text = write_program(*listing, notation);
    const auto program = read_program_text(*text, "input");
    REQUIRE(program.has_value());
    const Remapped found = remapped(*program, "volta-v100", 4, {0, 0.1});
    REQUIRE_FALSE(found.changes.empty());
    const auto written = rewritten_text(*program, found);
    const auto again = read_program_text(*written, "output");
    REQUIRE_MESSAGE(again.has_value(), (again ? "" : to_string(again.error())));
    CHECK(again->format == program->format);
    const auto result = simulate(*again, load_arch("volta-v100").value());
    CHECK(result->cycles_per_iteration == found.after.cycles_per_iteration);
  }
}

TEST_CASE("reuse flags in front of a control word follow those of the operands") {
  const auto program = read_program(source_file("traces/maxwell/sgemm_64_spoiled.sass"));
  const Remapped found = remapped(*program, "maxwell-gm107", 8);
  REQUIRE_FALSE(found.changes.empty());
  const auto text = rewritten_text(*program, found);
  CHECK(text->find("[-R--:B") != std::string::npos);
  const Program again = parse(*text);
  for (std::size_t i = 0; i < found.rewritten.instructions.size(); ++i)
    CHECK(again.functions.front().instructions[i].control ==
          found.rewritten.instructions[i].control);
}

TEST_CASE("Kepler is refused, since it has neither reuse flags nor costly conflicts") {
  const auto program = read_program(source_file("traces/kepler/kernels.sm_35.cuobjdump.sass.gz"));
  REQUIRE(program.has_value());
  const auto found = remap(*program, load_arch("kepler-k20m").value(), {});
  REQUIRE_FALSE(found.has_value());
  CHECK(exit_code(found.error()) == 2);
}
