// SPDX-License-Identifier: MIT
// Time stamps: which record a prediction is held against, and what of it agrees.
#include "validate/stamps.hpp"

#include <doctest/doctest.h>

#include "smsim/read.hpp"
#include "validate/compare.hpp"

using namespace smsim;
using namespace smsim::validate;

namespace {

StampMatch nearest(const std::vector<StampRecord>& records, const std::vector<Stamps>& predicted) {
  const auto match = nearest_record(records, predicted);
  REQUIRE(match.has_value());
  return *match;
}

/// Two clock reads with an instruction of the given stall count between them.
Program clock_loop(const std::string& between) {
  const auto program = read_program_text(
      ".L_loop:\n"
      "    [B------:R-:W-:-:S04] CS2R R2, SR_CLOCKLO ;\n" +
          between +
          "    [B------:R-:W-:-:S06] CS2R R4, SR_CLOCKLO ;\n"
          "    [B------:R-:W-:-:S02] CS2R R6, SRZ ;\n"
          "    [B------:R-:W-:-:S05] @P0 BRA `(.L_loop) ;\n",
      "s");
  REQUIRE(program.has_value());
  return *program;
}

Expected<std::vector<Stamps>> predicted(const Program& program,
                                        const std::vector<StampRecord>& records, int warps) {
  SimulateOptions options;
  options.warps = warps;
  return predict_stamps(program, *load_arch("hopper-gh100", {}), options, records);
}

}  // namespace

TEST_CASE("which warp of the block leads does not count") {
  const StampMatch match = nearest({{0, 0, {{7, 11}, {0, 4}}}}, {{{0, 4}, {7, 11}}});
  CHECK(match.is_exact());
  CHECK(match.stamps == 4);
  CHECK(match.predicted == Stamps{{7, 11}, {0, 4}});
}

TEST_CASE("a warp is not matched with parts of two others") {
  const StampMatch match = nearest({{0, 0, {{0, 9}, {5, 20}}}}, {{{0, 20}, {5, 9}}});
  CHECK_FALSE(match.is_near());
  CHECK(match.exact == 2);
}

TEST_CASE("with many warps the order in which they lead decides who stands beside whom") {
  Stamps measured;
  Stamps model;
  for (std::int64_t w = 0; w < 9; ++w) {
    measured.push_back({w, w + 20});
    model.insert(model.begin(), {w, w + 20});
  }
  CHECK(nearest({{0, 0, measured}}, {model}).is_exact());
}

TEST_CASE("one run that agrees is enough, and it is the one that is shown") {
  const StampMatch match =
      nearest({{0, 0, {{0, 4}}}, {1, 1, {{0, 6}}}, {2, 0, {{0, 5}}}, {2, 1, {{0, 9}}}},
              {{{0, 7}}, {{0, 6}}});
  CHECK(match.is_exact());
  CHECK(match.record.run == 1);
  CHECK(match.record.block == 1);
}

TEST_CASE("a record is held against the prediction of its own block") {
  CHECK_FALSE(nearest({{0, 1, {{0, 4}}}}, {{{0, 4}}, {{0, 9}}}).is_near());
}

TEST_CASE("one cycle off is near and not exact, two are neither") {
  const StampMatch match = nearest({{0, 0, {{0, 10, 20, 30}}}}, {{{0, 11, 18, 30}}});
  CHECK(match.exact == 2);
  CHECK(match.near == 3);
  CHECK(match.furthest == 2);
  CHECK_FALSE(match.is_near());
  CHECK(nearest({{0, 0, {{0, 10}}}}, {{{0, 11}}}).is_near());
}

TEST_CASE("only clock reads leave a stamp, and they are as far apart as their stall counts say") {
  const Program program = clock_loop("    [B------:R-:W-:-:S07] NOP ;\n");
  const auto blocks = predicted(program, {}, 4);
  REQUIRE(blocks.has_value());
  CHECK(*blocks == std::vector<Stamps>(4, {{0, 11}}));
}

TEST_CASE("a standstill between issue and clock read delays the stamp") {
  // Each has three reads of one bank. The second one stops the pipeline for two cycles when it
  // reaches the last stage: by then the CS2R behind the third one has issued, not read the clock.
  const std::string conflict = "    [B------:R-:W-:-:S01] FFMA R20, R12, R14, R16 ;\n";
  const std::string calm = "    [B------:R-:W-:-:S01] FFMA R20, R12, R13, RZ ;\n";
  const auto two = predicted(clock_loop(conflict + conflict), {}, 1);
  const auto three = predicted(clock_loop(conflict + conflict + conflict), {}, 1);
  const auto without = predicted(clock_loop(calm + calm + calm), {}, 1);
  REQUIRE(two.has_value());
  REQUIRE(three.has_value());
  REQUIRE(without.has_value());
  CHECK(two->at(0)[0][1] == 6);
  CHECK(without->at(0)[0][1] == 7);
  CHECK(three->at(0)[0][1] == 9);
}

TEST_CASE("records of another shape than the loop are errors") {
  const Program program = clock_loop("");
  CHECK(predicted(program, {{0, 0, {{0, 4}}}}, 4).has_value());
  CHECK_FALSE(predicted(program, {{0, 0, {{0, 4, 8}}}}, 4).has_value());
  CHECK_FALSE(predicted(program, {{0, 0, {{0, 4}, {0, 4}}}}, 4).has_value());
  CHECK_FALSE(predicted(program, {{0, 3, {{0, 4}}}}, 2).has_value());
}

TEST_CASE("a part is timed from clock read to clock read, or else from issue to issue") {
  const std::string conflict = "    [B------:R-:W-:-:S01] FFMA R20, R12, R14, R16 ;\n";
  const Program program = clock_loop(conflict + conflict + conflict);
  const Arch arch = *load_arch("hopper-gh100", {});
  SimulateOptions options;
  options.loop = "all";
  options.warps = 2;
  CHECK(predict_part(program, arch, options, {0, 4, 0}) == 9);
  CHECK(predict_part(program, arch, options, {0, 3, 1}) == 6);
  CHECK(predict_part(program, arch, options, {3, 4, 0}) == 1);
  CHECK_FALSE(predict_part(program, arch, options, {0, 4, 2}).has_value());
  CHECK_FALSE(predict_part(program, arch, options, {0, 99, 0}).has_value());
}

TEST_CASE("a summary counts loops by their worst stamp, and the stamps one by one") {
  const auto row = [](const std::string& id, int warps, std::size_t exact, std::size_t near) {
    Row result;
    result.id = id;
    result.measured = {warps, 10, 10, 10, true};
    result.predicted = 10;
    result.stamps = StampMatch{4, exact, near, 0, {}, {}};
    return result;
  };
  std::vector<Row> rows = {row("a", 4, 4, 4), row("b", 4, 3, 4), row("c", 8, 2, 3)};
  rows.push_back(rows.front());
  rows.back().stamps.reset();
  const StampSummary all = summarise(rows).stamps;
  CHECK(all.loops == 3);
  CHECK(all.exact == 1);
  CHECK(all.near == 2);
  CHECK(all.stamps == 12);
  CHECK(all.stamps_near == 11);
  const auto parts = stamps_by_warps(rows);
  REQUIRE(parts.size() == 2);
  CHECK(parts.at(4).near == 2);
  CHECK(parts.at(8).near == 0);
}
