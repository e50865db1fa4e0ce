// SPDX-License-Identifier: MIT
// What a warp's addresses cost: wavefronts, passes and cache lines.
#include <doctest/doctest.h>

#include <functional>

#include "block/memory_shape.hpp"

using namespace smsim;

namespace {

LaneAddresses lanes(const std::function<std::int64_t(std::int64_t)>& rule) {
  LaneAddresses all{};
  for (std::size_t l = 0; l < all.size(); ++l) all[l] = rule(static_cast<std::int64_t>(l));
  return all;
}

int wavefronts(int words, const std::function<std::int64_t(std::int64_t)>& rule) {
  return shared_shape(words, lanes(rule), false, 32).wavefronts;
}

}  // namespace

TEST_CASE("without addresses a group of lanes takes one wavefront") {
  CHECK(shared_shape(1, std::nullopt, false, 32).wavefronts == 1);
  CHECK(shared_shape(2, std::nullopt, false, 32).wavefronts == 2);
  CHECK(shared_shape(4, std::nullopt, false, 32).wavefronts == 4);
}

TEST_CASE(
    "lanes that ask one bank for different words wait for each other, for one word they do not") {
  CHECK(wavefronts(1, [](auto l) { return 8 * l; }) == 2);
  CHECK(wavefronts(1, [](auto l) { return 128 * l; }) == 32);
  CHECK(wavefronts(1, [](auto) { return 0; }) == 1);
  CHECK(wavefronts(1, [](auto l) { return 128 * (l & 7); }) == 8);
  CHECK(shared_shape(1, lanes([](auto) { return 0; }), true, 32).wavefronts == 32);
}

TEST_CASE("wide accesses of lanes that agree with a neighbour take half the wavefronts") {
  CHECK(wavefronts(4, [](auto) { return 0; }) == 2);
  CHECK(wavefronts(4, [](auto l) { return (l >> 4) * 16; }) == 2);
  CHECK(wavefronts(4, [](auto l) { return (l & 15) * 16; }) == 4);
}

TEST_CASE("bytes below lane 0's address lie in the words below") {
  CHECK(wavefronts(1, [](auto l) { return -l; }) == 1);
  CHECK(wavefronts(1, [](auto l) { return l == 0 ? 0 : -1; }) == 1);
  CHECK(wavefronts(1, [](auto l) { return l == 0 ? 0 : l == 1 ? -1 : -128; }) == 2);
}

TEST_CASE("a matrix takes a wavefront, and one more for each row that meets another in its banks") {
  CHECK(matrix_shape(4, std::nullopt, 32).wavefronts == 4);
  CHECK(matrix_shape(2, lanes([](auto l) { return 64 * l; }), 32).wavefronts == 8);
  CHECK(matrix_shape(1, lanes([](auto l) { return 128 * l; }), 32).wavefronts == 8);
  CHECK(matrix_shape(1, lanes([](auto l) { return l < 8 ? 144 * l : 0; }), 32).passes == 1);
  CHECK(matrix_shape(1, lanes([](auto l) { return l < 8 ? 144 * l : 0; }), 32).wavefronts == 1);
}

TEST_CASE("a global access touches as many lines as its lanes' words lie in") {
  CHECK(global_shape(1, std::nullopt, 32).lines == 1);
  CHECK(global_shape(1, lanes([](auto l) { return 128 * l; }), 32).lines == 32);
  CHECK(global_shape(1, lanes([](auto l) { return l < 16 ? 0 : -4; }), 32).lines == 2);
}
