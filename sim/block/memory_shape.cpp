// SPDX-License-Identifier: MIT
// Memory shape: how many wavefronts, passes and cache lines the addresses of a warp's lanes need.

#include "block/memory_shape.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace smsim {
namespace {

constexpr int kLanes = 32;
constexpr int kWordBytes = 4;
constexpr int kLineBytes = 128;
constexpr int kRowBytes = 16;  ///< of a matrix of LDSM
constexpr int kRows = 8;

/// Rounded down, also left of lane 0.
constexpr std::int64_t unit_of(std::int64_t address, int bytes) {
  return address / bytes - (address % bytes < 0 ? 1 : 0);
}

/// Sorts, and keeps one of equals where `once`.
void put_in_order(std::vector<std::int64_t>& words, bool once) {
  if (!std::is_sorted(words.begin(), words.end())) std::sort(words.begin(), words.end());
  if (once) words.erase(std::unique(words.begin(), words.end()), words.end());
}

/// Wavefronts of the lanes first..first+count-1.
int group_wavefronts(const LaneAddresses& a, int first, int count, int words, bool atomic,
                     int banks) {
  std::vector<std::int64_t> asked;
  asked.reserve(static_cast<std::size_t>(count * words));
  std::int64_t before = -1;
  for (int lane = first; lane < first + count; ++lane) {
    const std::int64_t word = unit_of(a[static_cast<std::size_t>(lane)], kWordBytes);
    if (lane > first && word == before && !atomic) continue;
    before = word;
    for (int k = 0; k < words; ++k) asked.push_back(word + k);
  }
  put_in_order(asked, !atomic);
  std::vector<int> of_bank(static_cast<std::size_t>(banks), 0);
  int worst = 1;
  std::int64_t bank = 0;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const bool next = i > 0 && asked[i] == asked[i - 1] + 1;  // as a rule, and it needs no division
    bank = next ? bank + 1 : (asked[i] % banks + banks) % banks;
    if (bank == banks) bank = 0;
    worst = std::max(worst, ++of_bank[static_cast<std::size_t>(bank)]);
  }
  return worst;
}

bool neighbours_agree(const LaneAddresses& a, unsigned distance) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (a[lane] != a[lane ^ distance]) return false;
  return true;
}

int lanes_of_group(int words) { return words >= 4 ? 8 : words == 2 ? 16 : 32; }

MemoryShape grouped(const LaneAddresses& a, int words, int lanes, bool atomic, int banks) {
  MemoryShape shape{0, kLanes / lanes, 1};
  for (int first = 0; first < kLanes; first += lanes)
    shape.wavefronts += group_wavefronts(a, first, lanes, words, atomic, banks);
  return shape;
}

}  // namespace

LaneAddresses strided_addresses(int stride_bytes) {
  LaneAddresses a{};
  for (int lane = 0; lane < kLanes; ++lane)
    a[static_cast<std::size_t>(lane)] = static_cast<std::int64_t>(lane) * stride_bytes;
  return a;
}

MemoryShape shared_shape(int words, const std::optional<LaneAddresses>& addresses, bool atomic,
                         int banks) {
  const LaneAddresses a = addresses.value_or(strided_addresses(kWordBytes * words));
  int lanes = lanes_of_group(words);
  if (words > 1 && (neighbours_agree(a, 1) || neighbours_agree(a, 2))) lanes *= 2;
  return grouped(a, words, lanes, atomic, banks);
}

MemoryShape matrix_shape(int matrices, const std::optional<LaneAddresses>& addresses, int banks) {
  const LaneAddresses a = addresses.value_or(strided_addresses(kRowBytes));
  MemoryShape shape{0, matrices, 1};
  for (int m = 0; m < matrices; ++m)
    shape.wavefronts += group_wavefronts(a, m * kRows, kRows, kRowBytes / kWordBytes, false, banks);
  return shape;
}

MemoryShape global_shape(int words, const std::optional<LaneAddresses>& addresses, int banks) {
  const LaneAddresses a = addresses.value_or(strided_addresses(kWordBytes * words));
  MemoryShape shape = grouped(a, words, lanes_of_group(words), false, banks);
  std::vector<std::int64_t> lines;
  for (const std::int64_t address : a)
    for (int k = 0; k < words; ++k) {
      const auto line = unit_of(address + static_cast<std::int64_t>(kWordBytes) * k, kLineBytes);
      if (lines.empty() || lines.back() != line) lines.push_back(line);
    }
  put_in_order(lines, true);
  shape.lines = static_cast<int>(lines.size());
  return shape;
}

}  // namespace smsim
