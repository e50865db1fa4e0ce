// SPDX-License-Identifier: MIT
// Jump, the arithmetic: periods that fit before a warp ends, or give all equally many iterations.
#include "block/jump.hpp"

#include <algorithm>
#include <cstddef>

namespace smsim {

std::uint64_t periods_before_end(const std::vector<std::uint64_t>& each,
                                 const std::vector<std::uint64_t>& done, std::uint64_t limit) {
  std::uint64_t periods = limit;
  for (std::size_t w = 0; w < each.size(); ++w)
    if (each[w] > 0) periods = std::min(periods, (limit - done[w] % limit - 1) / each[w]);
  return periods;
}

std::optional<std::vector<std::uint64_t>> periods_for(const std::vector<Jump>& jumps,
                                                      std::uint64_t more) {
  if (jumps.empty()) return std::nullopt;
  const std::size_t warps = jumps.front().each.size();
  std::vector<std::size_t> last(warps, jumps.size());  // jump in which each warp does something
  for (std::size_t k = 0; k < jumps.size(); ++k)
    for (std::size_t w = 0; w < warps; ++w)
      if (jumps[k].each[w] > 0) last[w] = k;
  std::vector<std::uint64_t> times(jumps.size());
  std::vector<std::uint64_t> left(warps, more);
  for (std::size_t k = 0; k < jumps.size(); ++k) {
    const std::vector<std::uint64_t>& each = jumps[k].each;
    // those that do nothing in any later one decide
    for (std::size_t w = 0; w < warps; ++w)
      if (last[w] == k) times[k] = left[w] / each[w];
    for (std::size_t w = 0; w < warps; ++w) {
      const std::uint64_t done = times[k] * each[w];
      if (done > left[w] || (last[w] == k && done != left[w])) return std::nullopt;
      left[w] -= done;
    }
  }
  for (const std::uint64_t iterations : left)
    if (iterations > 0) return std::nullopt;
  return times;
}

}  // namespace smsim
