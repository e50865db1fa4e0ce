// SPDX-License-Identifier: MIT
// Memory shape: how many wavefronts, passes and cache lines the addresses of a warp's lanes need.

#include "block/memory_shape.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

namespace smsim {
namespace {

constexpr int kLanes = 32;
constexpr int kWordBytes = 4;
constexpr int kLineBytes = 128;

using Addresses = std::array<std::int64_t, kLanes>;

Addresses addresses(int stride) {
  Addresses a{};
  for (int lane = 0; lane < kLanes; ++lane)
    a[static_cast<std::size_t>(lane)] = static_cast<std::int64_t>(lane) * stride;
  return a;
}

/// Wavefronts of the lanes first..first+count-1.
int group_wavefronts(const Addresses& a, int first, int count, int words, bool atomic, int banks) {
  std::map<std::int64_t, std::vector<std::int64_t>> by_bank;
  for (int lane = first; lane < first + count; ++lane) {
    for (int k = 0; k < words; ++k) {
      const std::int64_t word = a[static_cast<std::size_t>(lane)] / kWordBytes + k;
      by_bank[((word % banks) + banks) % banks].push_back(word);
    }
  }
  std::size_t worst = 1;
  for (auto& [bank, list] : by_bank) {
    if (!atomic) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    worst = std::max(worst, list.size());
  }
  return static_cast<int>(worst);
}

bool neighbours_agree(const Addresses& a, unsigned distance) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (a[lane] != a[lane ^ distance]) return false;
  return true;
}

int lanes_of_group(int words) { return words >= 4 ? 8 : words == 2 ? 16 : 32; }

MemoryShape grouped(const Addresses& a, int words, int lanes, bool atomic, int banks) {
  MemoryShape shape{0, kLanes / lanes, 1};
  for (int first = 0; first < kLanes; first += lanes)
    shape.wavefronts += group_wavefronts(a, first, lanes, words, atomic, banks);
  return shape;
}

}  // namespace

MemoryShape shared_shape(int words, std::optional<int> lane_stride_bytes, bool atomic, int banks) {
  const Addresses a = addresses(lane_stride_bytes.value_or(kWordBytes * words));
  int lanes = lanes_of_group(words);
  if (words > 1 && (neighbours_agree(a, 1) || neighbours_agree(a, 2))) lanes *= 2;
  return grouped(a, words, lanes, atomic, banks);
}

MemoryShape global_shape(int words, std::optional<int> lane_stride_bytes, int banks) {
  const Addresses a = addresses(lane_stride_bytes.value_or(kWordBytes * words));
  MemoryShape shape = grouped(a, words, lanes_of_group(words), false, banks);
  std::set<std::int64_t> lines;
  for (const std::int64_t address : a)
    for (int k = 0; k < words; ++k)
      lines.insert((address + static_cast<std::int64_t>(kWordBytes) * k) / kLineBytes);
  shape.lines = static_cast<int>(lines.size());
  return shape;
}

}  // namespace smsim
