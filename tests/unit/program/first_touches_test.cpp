// SPDX-License-Identifier: MIT
// In which iterations a load comes to memory that the loop has not read before.
#include "program/first_touches.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;
using program::first_touches;
using program::TouchPattern;

namespace {

using Lines = std::vector<std::string_view>;

/// Of the last global load in the loop.
TouchPattern pattern_of(const Lines& lines, const std::map<int, int>& strides = {}) {
  const Function function = make_function(lines);
  const Path path = follow(function);
  const auto all = first_touches(function, path, strides);
  for (std::size_t s = path.steps.size(); s-- > 0;)
    if (function.instructions[path.steps[s].index].opcode.starts_with("LDG"))
      return s < all.size() ? all[s] : TouchPattern{};
  FAIL("no load");
  return {};
}

/// A loop whose address register moves by `step` bytes an iteration, `stride` bytes a lane.
TouchPattern walk(int step, int stride = 4) {
  const std::string move = "IADD3 R20, R20, " + std::to_string(step) + ", RZ";
  return pattern_of({".L_1:", move, "LDG.E R2, desc[UR4][R20.64]", "@P0 BRA `(.L_1)"},
                    {{20, stride}});
}

std::ptrdiff_t misses(const TouchPattern& pattern) {
  return std::count(pattern.begin(), pattern.end(), 1);
}

}  // namespace

TEST_CASE("a load that moves on touches new memory once a sector of 32 bytes") {
  for (const int step : {4, 8, 16, 32}) {
    const TouchPattern pattern = walk(step);
    CHECK(pattern.size() == static_cast<std::size_t>(32 / step));
    CHECK(misses(pattern) == 1);
  }
  CHECK(walk(128) == TouchPattern{1});
  CHECK(walk(-32) == TouchPattern{1});
  CHECK(walk(4, 0).size() == 8);
}

TEST_CASE("a load that stays, or comes back soon, hits") {
  CHECK(walk(0).empty());
  CHECK(pattern_of({"ULDC.64 UR4, c[0x0][0x220]", ".L_1:", "VIADD R6, R6, 0x4",
                    "LOP3.LUT R4, R6, 0xfc, RZ, 0xc0, !PT", "IADD3 R4, P0, R4, UR4, RZ",
                    "IMAD.X R5, RZ, RZ, UR5, P0", "LDG.E R2, desc[UR6][R4.64]", "@P1 BRA `(.L_1)"})
            .empty());
}

TEST_CASE("an address that the function works out from the thread index is followed") {
  const TouchPattern pattern =
      pattern_of({"S2R R6, SR_TID.X", "ULDC.64 UR8, c[0x0][0x220]",
                  ".L_1:", "SHF.L.U32 R4, R6, 0x2, RZ", "LOP3.LUT R4, R4, 0xffc, RZ, 0xc0, !PT",
                  "IADD3 R4, P0, R4, UR8, RZ", "IMAD.X R5, RZ, RZ, UR9, P0",
                  "LDG.E.CONSTANT R4, desc[UR4][R4.64]", "VIADD R6, R6, 0x1", "@P1 BRA `(.L_1)"});
  CHECK(pattern.size() == 8);
  CHECK(misses(pattern) == 1);
}

TEST_CASE("an address that comes from memory is not known, so the load is said to hit") {
  CHECK(pattern_of({".L_1:", "LDG.E.64 R20, desc[UR4][R20.64]", "@P0 BRA `(.L_1)"}, {{20, 0}})
            .empty());
}

TEST_CASE("a second load of the same memory waits for it as the first does") {
  const TouchPattern pattern =
      pattern_of({".L_1:", "IADD3 R20, R20, 0x20, RZ", "LDG.E R2, desc[UR4][R20.64]",
                  "LDG.E R3, desc[UR4][R20.64+0x4]", "@P0 BRA `(.L_1)"},
                 {{20, 4}});
  CHECK(pattern == TouchPattern{1});
}

TEST_CASE("what a store has written is read from L2 again") {
  const TouchPattern pattern = pattern_of(
      {".L_1:", "LDG.E R2, desc[UR4][R20.64]", "STG.E desc[UR4][R20.64], R2", "@P0 BRA `(.L_1)"},
      {{20, 4}});
  CHECK(pattern == TouchPattern{1});
}
