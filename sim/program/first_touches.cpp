// SPDX-License-Identifier: MIT
// First touches: in which iterations of a loop a global load reads memory that the loop has not
// read before, as the function's own address arithmetic tells.
#include "program/first_touches.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "isa/opcode.hpp"
#include "program/lane_addresses.hpp"
#include "program/lane_state.hpp"

namespace smsim::program {
namespace {

using isa::OpClass;

constexpr std::size_t kLastIteration = 320;
constexpr std::size_t kShare = 5;  ///< the first fifth is left out
constexpr std::size_t kFewest = 40;
constexpr std::size_t kWork = 40000;  ///< instructions to be followed
constexpr std::uint32_t kSectorBytes = 32;
constexpr std::uint32_t kPageMask = ~0xfffU;  ///< arrays are taken to start on a page

enum class Access : std::uint8_t { none, load, store };

Access access_of(const isa::OpcodeRow* row) {
  if (row == nullptr) return Access::none;
  switch (isa::general_class(isa::general_class(row->op_class))) {
    case OpClass::ldg:
      return Access::load;
    case OpClass::stg:
    case OpClass::atom:
    case OpClass::red:
      return Access::store;
    default:
      return Access::none;
  }
}

/// A number that somebody gave the kernel, or that a special register holds.
bool is_parameter(const isa::OpcodeRow* row) {
  if (row == nullptr) return false;
  switch (isa::general_class(row->op_class)) {
    case OpClass::ldc:
    case OpClass::uldc:
    case OpClass::ldcu:
    case OpClass::s2r:
    case OpClass::s2ur:
    case OpClass::cs2r:
      return true;
    default:
      return false;
  }
}

std::uint32_t made_up(std::size_t seed) {
  return static_cast<std::uint32_t>((seed + 1) * 0x9e3779b97f4a7c15U >> 34U) & kPageMask;
}

/// Fills in what is not known of a base.
void make_exact(LaneValue& value, std::size_t seed) {
  if (value.kind != LaneKind::offsets || value.exact()) return;
  value.bits |= made_up(seed) & ~value.known;
  value.known = ~0U;
}

const Operand* memory_operand(const Instruction& in) {
  const auto it = std::find_if(in.operands.begin(), in.operands.end(),
                               [](const Operand& op) { return op.kind == OperandKind::memory; });
  return it == in.operands.end() ? nullptr : &*it;
}

/// Bytes that a lane moves.
std::uint32_t bytes_of(const Instruction& in) {
  std::uint32_t registers = 1;
  for (const Operand& op : in.operands)
    if (op.kind == OperandKind::reg)
      registers = std::max(registers, static_cast<std::uint32_t>(op.registers));
  return 4 * registers;
}

/// The shortest part of it that repeats for ever.
TouchPattern shortest(const TouchPattern& all) {
  if (std::find(all.begin(), all.end(), 1) == all.end()) return {};
  for (std::size_t p = 1; 2 * p <= all.size(); ++p)
    if (std::equal(all.begin() + static_cast<std::ptrdiff_t>(p), all.end(), all.begin()))
      return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(p)};
  return all;
}

class Walk {
 public:
  Walk(const Function& function, const Path& path, const std::map<int, int>& lane_strides)
      : function_(function), path_(path), step_(math_, warps_are_rows(function)) {
    for (const PathStep& s : path.steps)
      rows_.push_back(isa::find_opcode(function.instructions[s.index].opcode));
    enter(lane_strides);
  }

  std::vector<TouchPattern> run() {
    const std::size_t n = path_.steps.size();
    const std::size_t iterations = std::min(kLastIteration, kWork / n);
    std::vector<TouchPattern> seen(n);
    if (iterations < kFewest) return seen;
    for (iteration_ = 0; iteration_ < iterations; ++iteration_) {
      moved_ = false;
      for (std::size_t s = 0; s < n; ++s) visit(s, iteration_ >= iterations / kShare, seen[s]);
      if (iteration_ == kSettled && !moved_) return std::vector<TouchPattern>(n);
    }
    for (TouchPattern& pattern : seen) pattern = shortest(pattern);
    return seen;
  }

 private:
  static constexpr std::size_t kSettled = 3;  ///< what moves at all has moved by then

  /// The registers in front of the first iteration: what the code before it makes of them.
  void enter(const std::map<int, int>& lane_strides) {
    const std::size_t head = path_.steps.front().index;
    for (std::size_t i = 0; i < head; ++i)
      execute(i, isa::find_opcode(function_.instructions[i].opcode));
    for (std::size_t r = 0; r < state_.registers.size(); ++r) make_exact(state_.registers[r], r);
    for (std::size_t r = 0; r < state_.uniform_registers.size(); ++r)
      make_exact(state_.uniform_registers[r], state_.registers.size() + r);
    for (const auto& [reg, stride] : lane_strides) set(static_cast<std::size_t>(reg), stride);
  }

  void set(std::size_t reg, int stride) {
    if (reg + 1 >= state_.registers.size()) return;
    LaneBits bits{~0U, {}};
    for (std::size_t l = 0; l < kLanes; ++l)
      bits.bits[l] =
          made_up(reg) + static_cast<std::uint32_t>(stride) * static_cast<std::uint32_t>(l);
    state_.registers[reg] = math_.from_bits(bits);
    if (!state_.registers[reg + 1].high()) state_.registers[reg + 1] = kUniformLanes;
  }

  void execute(std::size_t index, const isa::OpcodeRow* row) {
    const Instruction& in = function_.instructions[index];
    step_.run(in, row, state_);
    if (!is_parameter(row)) return;
    for (const Operand& op : in.operands) {
      if (!op.destination || op.index < 0) continue;
      for (std::size_t w = 0; w < op.registers; ++w) {
        const std::size_t reg = static_cast<std::size_t>(op.index) + w;
        if (op.kind == OperandKind::reg && reg < kRZ) make_exact(state_.registers[reg], index);
        if (op.kind == OperandKind::uniform_reg && reg < state_.uniform_registers.size())
          make_exact(state_.uniform_registers[reg], index);
      }
    }
  }

  void visit(std::size_t s, bool counts, TouchPattern& pattern) {
    const PathStep& at = path_.steps[s];
    const Instruction& in = function_.instructions[at.index];
    const Access access = at.predicated_off ? Access::none : access_of(rows_[s]);
    if (access != Access::none) {
      const bool fresh = touch(s, in, access);
      if (counts && access == Access::load) pattern.push_back(fresh ? 1 : 0);
    }
    if (!at.predicated_off) execute(at.index, rows_[s]);
  }

  /// Whether a load finds memory that no earlier iteration has read.
  bool touch(std::size_t s, const Instruction& in, Access access) {
    const Operand* operand = memory_operand(in);
    if (operand == nullptr) return false;
    const LaneValue address = step_.address(in, *operand, state_);
    if (!address.exact()) return false;
    LaneValue& before = last_[s];
    moved_ = moved_ || !(before == address) || access == Access::store;
    before = address;
    bool fresh = false;
    const LaneWords& offsets = math_.offsets(address);
    for (std::size_t l = 0; l < kLanes; ++l) {
      const std::uint32_t first = address.bits + offsets[l];
      for (std::uint32_t b = 0; b < bytes_of(in); b += 4) {
        const std::uint32_t sector = (first + b) / kSectorBytes;
        if (access == Access::store)
          touched_.erase(sector);
        else
          fresh = touched_.try_emplace(sector, iteration_).first->second == iteration_ || fresh;
      }
    }
    return fresh;
  }

  const Function& function_;
  const Path& path_;
  LaneMath math_;
  LaneStep step_;
  LaneState state_;
  std::vector<const isa::OpcodeRow*> rows_;  ///< by step
  std::map<std::size_t, LaneValue> last_;    ///< address of a step in the iteration before
  std::unordered_map<std::uint32_t, std::size_t> touched_;  ///< sector to the first iteration
  std::size_t iteration_ = 0;
  bool moved_ = false;
};

}  // namespace

std::vector<TouchPattern> first_touches(const Function& function, const Path& path,
                                        const std::map<int, int>& lane_strides) {
  if (!path.is_loop || path.steps.empty()) return {};
  const bool loads = std::any_of(path.steps.begin(), path.steps.end(), [&](const PathStep& s) {
    const Instruction& in = function.instructions[s.index];
    return memory_operand(in) != nullptr && access_of(isa::find_opcode(in.opcode)) == Access::load;
  });
  return loads ? Walk(function, path, lane_strides).run() : std::vector<TouchPattern>{};
}

}  // namespace smsim::program
