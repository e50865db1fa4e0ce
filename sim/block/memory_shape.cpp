// SPDX-License-Identifier: MIT
// Memory shape: how many wavefronts, passes and cache lines the addresses of a warp's lanes need.

#include "block/memory_shape.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
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
  return (address - (address % bytes + bytes) % bytes) / bytes;
}

/// Wavefronts of the lanes first..first+count-1.
int group_wavefronts(const LaneAddresses& a, int first, int count, int words, bool atomic,
                     int banks) {
  std::vector<std::pair<std::int64_t, std::int64_t>> asked;  // bank, word
  asked.reserve(static_cast<std::size_t>(count * words));
  for (int lane = first; lane < first + count; ++lane) {
    for (int k = 0; k < words; ++k) {
      const std::int64_t word = unit_of(a[static_cast<std::size_t>(lane)], kWordBytes) + k;
      asked.emplace_back(((word % banks) + banks) % banks, word);
    }
  }
  std::sort(asked.begin(), asked.end());
  if (!atomic) asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  int worst = 1;
  int of_bank = 0;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    of_bank = i > 0 && asked[i].first == asked[i - 1].first ? of_bank + 1 : 1;
    worst = std::max(worst, of_bank);
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
  std::set<std::int64_t> lines;
  for (const std::int64_t address : a)
    for (int k = 0; k < words; ++k)
      lines.insert(unit_of(address + static_cast<std::int64_t>(kWordBytes) * k, kLineBytes));
  shape.lines = static_cast<int>(lines.size());
  return shape;
}

}  // namespace smsim
