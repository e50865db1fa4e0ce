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
    if (size_ + kMost > bytes_.size()) bytes_.resize(2 * bytes_.size());
    if (v >= 0 && v < 255) {
      bytes_[size_++] = static_cast<char>(v);
      return;
    }
    bytes_[size_++] = '\xff';
    for (unsigned i = 0; i < 64; i += 8)
      bytes_[size_++] = static_cast<char>(static_cast<std::uint64_t>(v) >> i);
  }

  std::string bytes() const { return bytes_.substr(0, size_); }

 private:
  static constexpr std::size_t kMost = 9;  ///< bytes of a value

  std::string bytes_ = std::string(4096, '\0');  ///< room for more than is written
  std::size_t size_ = 0;
};

}  // namespace smsim
