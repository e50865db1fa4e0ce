// SPDX-License-Identifier: MIT
// How a 32-bit register differs between the lanes of a warp: values of the abstract interpretation
// that memory addresses are found by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace smsim::program {

inline constexpr std::size_t kLanes = 32;

using LaneWords = std::array<std::uint32_t, kLanes>;

enum class LaneKind : std::uint8_t {
  unknown,   ///< anything, another in each lane
  offsets,   ///< a base common to the warp plus a known offset in each lane
  high_word  ///< of a 64-bit sum: common to the warp but for the carry out of the low word
};

/// One register of all lanes. The base is the value of lane 0; of its bits some may be known.
struct LaneValue {
  LaneKind kind = LaneKind::unknown;
  std::uint32_t shape = 0;  ///< offsets: which, in LaneMath; 0: the same value in all lanes
  std::uint32_t known = 0;  ///< bits of the base that are known
  std::uint32_t bits = 0;   ///< their values; 0 elsewhere

  bool uniform() const { return kind == LaneKind::offsets && shape == 0; }
  bool exact() const { return kind == LaneKind::offsets && known == ~0U; }
  bool constant() const { return uniform() && exact(); }
  /// May stand as the high word of an address.
  bool high() const { return uniform() || kind == LaneKind::high_word; }
  bool operator==(const LaneValue&) const = default;
};

inline constexpr LaneValue kUnknownLanes{};
inline constexpr LaneValue kUniformLanes{LaneKind::offsets, 0, 0, 0};
inline constexpr LaneValue kHighWord{LaneKind::high_word, 0, 0, 0};

constexpr LaneValue constant_lanes(std::uint32_t value) {
  return {LaneKind::offsets, 0, ~0U, value};
}

/// The value bit by bit: bits outside `known` are the same in all lanes.
struct LaneBits {
  std::uint32_t known = 0;
  LaneWords bits{};
};

/// Arithmetic modulo 2^32 on such values. Every result holds for whatever the unknown parts are,
/// except that a sum is taken not to wrap round 2^32 between two lanes of a warp.
class LaneMath {
 public:
  LaneMath();

  const LaneWords& offsets(const LaneValue& value) const { return shapes_[value.shape]; }

  LaneValue add(const LaneValue& a, const LaneValue& b);
  LaneValue negate(const LaneValue& a);
  LaneValue complement(const LaneValue& a);
  LaneValue multiply(const LaneValue& a, const LaneValue& b);
  LaneValue shift_left(const LaneValue& a, unsigned count);
  LaneValue shift_right(const LaneValue& a, unsigned count, bool is_signed);
  /// 32 bits of high:low from bit `first` up (first 0..32).
  LaneValue extract(const LaneValue& low, const LaneValue& high, unsigned first);
  /// The truth table of LOP3: bit 4a + 2b + c.
  LaneValue logic(const LaneValue& a, const LaneValue& b, const LaneValue& c, unsigned table);
  /// Bytes of b:a as the nibbles of the selector say (PRMT without sign replication).
  LaneValue permute(const LaneValue& a, const LaneValue& b, unsigned selector);

  /// A warp that came one way or the other, all lanes together.
  static LaneValue merge(const LaneValue& a, const LaneValue& b);
  /// Some lanes have the one value, some the other.
  static LaneValue mix(const LaneValue& a, const LaneValue& b);

  LaneValue from_bits(const LaneBits& bits);
  /// Fails where a carry out of the known low bits might differ between lanes.
  std::optional<LaneBits> to_bits(const LaneValue& value) const;

 private:
  std::uint32_t intern(const LaneWords& offsets);
  LaneValue scale(const LaneValue& a, std::uint32_t factor);

  std::vector<LaneWords> shapes_;
  std::map<LaneWords, std::uint32_t> index_;
};

}  // namespace smsim::program
