// SPDX-License-Identifier: MIT
// How many registers the operands of an opcode take, as its suffixes say.
#include "isa/widths.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "core/number.hpp"
#include "isa/opcode.hpp"

namespace smsim::isa {
namespace {

constexpr int kLanes = 32;
constexpr int kRegisterBits = 32;
constexpr int kMostCounted = 255;  ///< registers that one suffix can name: all of a thread
/// Warps that multiply together in a warp-group instruction.
constexpr int kGroupWarps = 4;

std::vector<std::string_view> suffixes(std::string_view opcode) {
  std::vector<std::string_view> all;
  std::size_t dot = opcode.find('.');
  while (dot != std::string_view::npos) {
    const std::size_t next = opcode.find('.', dot + 1);
    all.push_back(opcode.substr(dot + 1, next - dot - 1));
    dot = next;
  }
  return all;
}

std::uint8_t registers_for(int bits) {
  const int count = (bits + kRegisterBits - 1) / kRegisterBits;
  return static_cast<std::uint8_t>(std::clamp(count, 1, 255));
}

/// Bits of a packed vector: F16x2 32, BF16x8 128, F32x4 128; 0 if it is none.
int vector_bits(std::string_view suffix) {
  const std::size_t x = suffix.find('x');
  if (x == std::string_view::npos || x == 0) return 0;
  const std::string_view type = suffix.substr(0, x);
  const std::optional<int> count = parse_count(suffix.substr(x + 1));
  if (!count || *count > 16) return 0;
  if (type == "F16" || type == "BF16") return 16 * *count;
  if (type == "F32") return 32 * *count;
  return 0;
}

/// Bits of a type; 0 for what is no type.
int type_bits(std::string_view type) {
  if (type == "F64" || type == "U64" || type == "S64") return 64;
  if (type == "F32" || type == "U32" || type == "S32" || type == "TF32") return 32;
  if (type == "F16" || type == "U16" || type == "S16" || type == "BF16") return 16;
  if (type == "U8" || type == "S8" || type == "E4M3" || type == "E5M2") return 8;
  if (type == "E2M1" || type == "U4" || type == "S4") return 4;
  return 0;
}

bool is_float(std::string_view type) { return type[0] == 'F' || type[0] == 'B' || type[0] == 'E'; }

}  // namespace

std::uint8_t data_registers(std::string_view opcode) {
  int bits = 32;
  for (const std::string_view suffix : suffixes(opcode)) {
    if (suffix == "64" || suffix == "F64" || suffix == "U64" || suffix == "S64") bits = 64;
    if (suffix == "128") bits = 128;
    if (suffix == "256") bits = 128;  // in two destinations of four registers each
    bits = std::max(bits, vector_bits(suffix));
  }
  return registers_for(bits);
}

std::uint8_t count_registers(std::string_view opcode) {
  for (const std::string_view suffix : suffixes(opcode)) {
    if (suffix == "2") return 2;
    if (suffix == "4") return 4;
    if (suffix.size() > 1 && suffix[0] == 'x') {
      if (const auto count = parse_count(suffix.substr(1)))
        return registers_for(std::min(*count, kMostCounted) * kRegisterBits);
    }
  }
  return 1;
}

Registers conversion_registers(std::string_view opcode) {
  const bool between_kinds =
      opcode.find("F2I") != std::string_view::npos || opcode.find("I2F") != std::string_view::npos;
  const bool to_float = opcode.find("I2F") != std::string_view::npos;
  int target = 0;
  int source = 0;
  for (const std::string_view suffix : suffixes(opcode)) {
    const int bits = type_bits(suffix);
    if (bits == 0) continue;
    const bool is_target = between_kinds ? is_float(suffix) == to_float : target == 0;
    (is_target ? target : source) = bits;
  }
  // Rounding within one type names it once.
  if (!between_kinds && source == 0) source = target;
  return {registers_for(std::max(target, 32)), registers_for(std::max(source, 32)), 1, 1};
}

namespace {

struct Tile {
  int rows = 16;
  int columns = 8;
  int depth = 16;
};

/// "16816" is 16x8x16, "884" 8x8x4, "64x128x16" and "8x8x4" say it themselves.
std::optional<Tile> shape(std::string_view suffix) {
  const std::size_t first = suffix.find('x');
  if (first != std::string_view::npos) {
    const std::size_t second = suffix.find('x', first + 1);
    if (second == std::string_view::npos) return std::nullopt;
    const auto rows = parse_count(suffix.substr(0, first));
    const auto columns = parse_count(suffix.substr(first + 1, second - first - 1));
    const auto depth = parse_count(suffix.substr(second + 1));
    if (!rows || !columns || !depth || *rows > 256 || *columns > 256 || *depth > 1024) {
      return std::nullopt;
    }
    return Tile{*rows, *columns, *depth};
  }
  const bool tall = suffix.starts_with("168");
  if (!tall && !suffix.starts_with("88")) return std::nullopt;
  const auto depth = parse_count(suffix.substr(tall ? 3 : 2));
  if (!depth || *depth < 4 || *depth > 1024) return std::nullopt;
  return Tile{tall ? 16 : 8, 8, *depth};
}

/// Bits of an element of A and B.
int element_bits(std::string_view opcode) {
  const std::string_view base = opcode.substr(0, opcode.find('.'));
  if (base == "DMMA") return 64;
  if (base == "BMMA" || base == "BGMMA") return 1;
  if (has_suffix(opcode, "TF32")) return 32;
  if (has_suffix(opcode, "U4") || has_suffix(opcode, "S4") || base == "OMMA") return 4;
  if (base == "IMMA" || base == "QMMA" || base == "IGMMA" || base == "QGMMA") return 8;
  return 16;
}

int accumulator_bits(std::string_view opcode) {
  const std::string_view base = opcode.substr(0, opcode.find('.'));
  if (base == "DMMA") return 64;
  const bool half = has_suffix(opcode, "F16") && !has_suffix(opcode, "F32");
  return half ? 16 : 32;
}

/// Volta multiplies 8x8x4 in each of four groups of eight lanes, in steps of two registers.
constexpr Registers kQuadPairHalf = {2, 2, 2, 2};

}  // namespace

Registers tile_registers(std::string_view opcode) {
  const std::string_view base = opcode.substr(0, opcode.find('.'));
  if (base == "HMMA" && has_suffix(opcode, "884")) return kQuadPairHalf;
  Tile tile;
  for (const std::string_view suffix : suffixes(opcode)) {
    if (const auto found = shape(suffix)) tile = *found;
  }
  const bool group = base.ends_with("GMMA");
  const int lanes = group ? kLanes * kGroupWarps : kLanes;
  const bool sparse = has_suffix(opcode, "SP");
  const int element = element_bits(opcode);
  const int a = tile.rows * tile.depth * element / (sparse ? 2 : 1) / lanes;
  const int b = tile.depth * tile.columns * element / lanes;
  const int c = tile.rows * tile.columns * accumulator_bits(opcode) / lanes;
  return {registers_for(c), registers_for(a), registers_for(b), registers_for(c)};
}

Registers texture_registers(std::span<const Operand> operands) {
  int coordinates = 1;
  for (const Operand& operand : operands) {
    const std::string_view shape = operand.text;
    const int array = shape.starts_with("ARRAY_") ? 1 : 0;
    if (shape.ends_with("1D")) coordinates = 1 + array;
    if (shape.ends_with("2D")) coordinates = 2 + array;
    if (shape.ends_with("3D") || shape.ends_with("CUBE")) coordinates = 3 + array;
  }
  const bool masked = !operands.empty() && operands.back().kind == OperandKind::immediate;
  const auto mask = masked ? static_cast<unsigned>(operands.back().value) & 0xfU : 1U;
  const auto results = static_cast<std::uint8_t>(std::max(1, std::popcount(mask)));
  return {results, static_cast<std::uint8_t>(coordinates), 1, 1};
}

}  // namespace smsim::isa
