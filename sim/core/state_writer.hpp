// SPDX-License-Identifier: MIT
// The machine state as bytes, with times relative to now, so that equal bytes mean an equal future.
#pragma once

#include <cstdint>
#include <string>

#include "core/cycle.hpp"

namespace smsim {

class StateWriter {
 public:
  /// A time at which something becomes free or ready: all times up to now are alike.
  void time(Cycle at, Cycle now) { put(at > now ? at - now : 0); }

  template <typename T>
  void put(T value) {
    const auto v = static_cast<std::int64_t>(value);
    // most values are small: one byte, or a marker and eight
    if (v >= 0 && v < 255) {
      bytes_.push_back(static_cast<char>(v));
      return;
    }
    bytes_.push_back('\xff');
    for (unsigned i = 0; i < 64; i += 8)
      bytes_.push_back(static_cast<char>(static_cast<std::uint64_t>(v) >> i));
  }

  const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

}  // namespace smsim
