// SPDX-License-Identifier: MIT
// Each bound against loops in which nothing else counts.
#include "unit/analysis/sample.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

std::string repeated(const std::string& line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line + "\n";
  return text;
}

Bounds bounds_of(const std::string& body, int warps = 1, const Overrides& overrides = {}) {
  auto found = bounds(looped(body), hopper(overrides), listing(warps));
  REQUIRE_MESSAGE(found.has_value(), (found ? "" : to_string(found.error())));
  return *found;
}

constexpr const char* kConflict = "[B------:R-:W-:-:S01] FFMA R1, R2, R4, R6 ;";

}  // namespace

TEST_CASE("an instruction takes an issue slot of its processing block") {
  const std::string body = repeated("[B------:R-:W-:-:S01] NOP ;", 20);
  CHECK(bound(bounds_of(body, 1), "issue_slots") == doctest::Approx(21));
  CHECK(bound(bounds_of(body, 4), "issue_slots") == doctest::Approx(21));
  CHECK(bound(bounds_of(body, 5), "issue_slots") == doctest::Approx(42));
}

TEST_CASE("stall counts and the taken branch are one warp's limit") {
  const auto found = bounds_of(repeated("[B------:R-:W-:-:S06] NOP ;", 10));
  CHECK(bound(found, "stall_counts") == doctest::Approx(70));
  CHECK(found.simulated.cycles_per_iteration == doctest::Approx(70));
  CHECK(found.bounds.front().tight);
}

TEST_CASE("a pipe is busy for its interval, and two halves share what either runs") {
  const auto alu =
      bounds_of(repeated("[B------:R-:W-:-:S01] LOP3.LUT R1, R2, R3, RZ, 0xc0, !PT ;", 30));
  CHECK(bound(alu, "pipe/alu") == doctest::Approx(60));
  const auto fma = bounds_of(repeated("[B------:R-:W-:-:S01] FADD R1, R2, R3 ;", 30));
  CHECK(bound(fma, "pipe/fma_heavy+fma_lite") == doctest::Approx(30));
  CHECK(bound(fma, "pipe/fma_heavy") == 0);
}

TEST_CASE("a bank serves a read a cycle, ports divide it, and reuse spares it") {
  const std::string body = repeated(kConflict, 16);
  CHECK(bound(bounds_of(body), "bank/0") == doctest::Approx(48));
  CHECK(bound(bounds_of(body), "bank/1") == 0);
  CHECK(bound(bounds_of(body, 1, {{"register_file.read_ports_per_bank", "2"}}), "bank/0") ==
        doctest::Approx(24));
  const std::string reused =
      repeated("[B------:R-:W-:-:S01] FFMA R1, R2.reuse, R4.reuse, R6 ;", 16);
  CHECK(bound(bounds_of(reused), "bank/0") == doctest::Approx(16));
  CHECK(bound(bounds_of(reused, 1, {{"reuse_cache.slots", "0"}}), "bank/0") == doctest::Approx(48));
  CHECK(bound(bounds_of(repeated("[B------:R-:W-:-:S01] FFMA R1, R2, R2, R2 ;", 16)), "bank/0") ==
        doctest::Approx(16));
}

TEST_CASE("wavefronts of all warps meet in the one load/store unit") {
  const std::string body = repeated("[B------:R-:W0:-:S01] LDS R4, [R12] ;", 10);
  CHECK(bound(bounds_of(body, 1), "load_store_unit/block") == doctest::Approx(20));
  CHECK(bound(bounds_of(body, 8), "load_store_unit/block") == doctest::Approx(40));
  CHECK(bound(bounds_of(body, 8), "load_store_unit/sm") == doctest::Approx(80));
}

TEST_CASE("the matrix of uses adds up to the bounds") {
  const auto found = bounds_of(repeated(kConflict, 4) + "[B------:R-:W0:-:S02] LDS R4, [R12] ;", 8);
  for (std::size_t r = 0; r < found.use.resources.size(); ++r) {
    double sum = 0;
    for (const auto& row : found.use.rows) sum += row[r];
    INFO(found.use.resources[r]);
    CHECK(sum * found.use.warps[r] == doctest::Approx(bound(found, found.use.resources[r])));
  }
}

TEST_CASE("a wait that hides behind other instructions is no limit") {
  const std::string load = "[B------:R-:W0:-:S02] LDS R4, [R12] ;\n";
  const std::string use = "[B0-----:R-:W-:-:S01] FADD R5, R4, R4 ;\n";
  const auto waiting = bounds_of(load + use);
  CHECK(bound(waiting, "dependency_barriers") == doctest::Approx(23 + 2));
  CHECK(bound(waiting, "one_warp") == doctest::Approx(23 + 1 + 10));
  const auto hidden = bounds_of(load + repeated("[B------:R-:W-:-:S04] NOP ;", 20) + use);
  CHECK(bound(hidden, "one_warp") == doctest::Approx(2 + 80 + 1 + 10));
}
