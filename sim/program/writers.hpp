// SPDX-License-Identifier: MIT
// Which instructions may have written each name of a register file last, on the way along a path.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace smsim::program {

/// Positions along the path count on over iterations. A guarded write leaves what was there before
/// as possible as itself.
class Writers {
 public:
  void write(std::size_t name, std::size_t at, bool always) {
    if (always) last_[name].clear();
    last_[name].push_back(at);
  }
  const std::vector<std::size_t>& of(std::size_t name) const { return last_[name]; }

 private:
  static constexpr std::size_t kNames = 256;
  std::array<std::vector<std::size_t>, kNames> last_;
};

}  // namespace smsim::program
