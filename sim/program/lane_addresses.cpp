// SPDX-License-Identifier: MIT
// Lane addresses: how far apart the addresses of a warp's lanes are in each memory instruction, as
// the function's own arithmetic tells.
#include "program/lane_addresses.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "program/lane_blocks.hpp"
#include "program/lane_slice.hpp"
#include "program/lane_state.hpp"

namespace smsim::program {
namespace {

/// Enough for any compiled function; with more, nothing is said of it.
constexpr int kMaxRounds = 64;

void forget(const WriteSet& written, LaneState& state) {
  if (!written.any()) return;
  for (std::size_t r = 0; r < state.registers.size(); ++r)
    if (written.registers[r]) state.registers[r] = kUnknownLanes;
  for (std::size_t p = 0; p < kPT; ++p)
    if ((written.predicates >> p & 1U) != 0) state.predicates[p] = LanePredicate::varying;
  state.uniform_registers.fill(kUniformLanes);
}

class Inference {
 public:
  explicit Inference(const Function& function)
      : function_(function),
        graph_(build_blocks(function)),
        step_(math_, warps_are_rows(function)),
        named_(named_registers(function)),
        addresses_(function.instructions.size()),
        conditions_(graph_.blocks.size(), LanePredicate::uniform),
        forgotten_(graph_.blocks.size()),
        parts_(graph_.blocks.size(), false) {
    for (const Instruction& in : function.instructions)
      rows_.push_back(isa::find_opcode(in.opcode));
    counts_ = lane_slice(function, rows_);
  }

  LaneTable run() {
    LaneTable result(function_.instructions.size());
    if (!graph_.complete) return result;
    int rounds = 0;
    do {
      if (++rounds > kMaxRounds) return result;
      settle();
    } while (find_parting());
    for (std::size_t i = 0; i < addresses_.size(); ++i)
      if (addresses_[i].kind == LaneKind::offsets) result.set(i, offsets_of(addresses_[i]));
    return result;
  }

 private:
  /// Runs a block. The last time that this is done before all has settled is with what holds in
  /// the end, so addresses and conditions need not be looked for again.
  void walk(std::size_t b, LaneState& state) {
    const Block& block = graph_.blocks[b];
    for (std::size_t i = block.first; i <= block.last; ++i) {
      const Instruction& in = function_.instructions[i];
      if (const Operand* memory = memory_of(in)) addresses_[i] = step_.address(in, *memory, state);
      if (i == block.last && block.successors.size() > 1) conditions_[b] = condition_of(in, state);
      if (counts_[i]) step_.run(in, rows_[i], state);
    }
    forget(block.called, state);
  }

  /// The states in front of all blocks, if lanes part where `parts_` says.
  void settle() {
    entry_.assign(graph_.blocks.size(), std::nullopt);
    open_.clear();
    for (std::size_t b = 0; b < graph_.blocks.size(); ++b)
      if (b == 0 || graph_.blocks[b].predecessors.empty()) enter(b, LaneState());
    while (!open_.empty()) {
      const std::size_t b = *open_.begin();
      open_.erase(open_.begin());
      LaneState state = *entry_[b];
      walk(b, state);
      for (const std::size_t to : graph_.blocks[b].successors) enter(to, state);
    }
  }

  void enter(std::size_t b, const LaneState& from) {
    if (forgotten_[b].any()) {
      LaneState state = from;
      forget(forgotten_[b], state);
      return join(b, state);
    }
    join(b, from);
  }

  void join(std::size_t b, const LaneState& state) {
    if (!entry_[b])
      entry_[b] = state;
    else if (!entry_[b]->merge(state, named_))
      return;
    open_.insert(b);
  }

  /// Blocks whose last instruction turns out to send lanes different ways; true if there are more
  /// of them than before.
  bool find_parting() {
    bool more = false;
    for (std::size_t b = 0; b < graph_.blocks.size(); ++b) {
      if (parts_[b] || conditions_[b] == LanePredicate::uniform) continue;
      parts_[b] = more = true;
      for (const Meeting& meeting : meetings_of(graph_, b))
        forgotten_[meeting.block] |= meeting.written;
    }
    return more;
  }

  static const Operand* memory_of(const Instruction& in) {
    const auto memory = std::find_if(in.operands.begin(), in.operands.end(), [](const Operand& op) {
      return op.kind == OperandKind::memory;
    });
    return memory == in.operands.end() ? nullptr : &*memory;
  }

  LaneOffsets offsets_of(const LaneValue& address) const {
    LaneOffsets result;
    result.known = true;
    const LaneWords& words = math_.offsets(address);
    for (std::size_t l = 0; l < kLanes; ++l) result.bytes[l] = static_cast<std::int32_t>(words[l]);
    return result;
  }

  const Function& function_;
  BlockGraph graph_;
  LaneMath math_;
  LaneStep step_;
  std::vector<const isa::OpcodeRow*> rows_;  ///< of each instruction
  std::vector<bool> counts_;                 ///< whether an address may depend on it
  NamedRegisters named_;
  std::vector<LaneValue> addresses_;       ///< in memory, by instruction; as far as they were run
  std::vector<LanePredicate> conditions_;  ///< by block: of the way on, where there are two
  std::vector<WriteSet> forgotten_;
  std::vector<bool> parts_;
  std::vector<std::optional<LaneState>> entry_;
  std::set<std::size_t> open_;
};

}  // namespace

bool warps_are_rows(const Function& function) {
  return std::none_of(
      function.instructions.begin(), function.instructions.end(), [](const Instruction& in) {
        return std::any_of(in.operands.begin(), in.operands.end(), [](const Operand& op) {
          return op.text == "SR_TID.Y" || op.text == "SR_TID.Z" || op.text == "SR_TID";
        });
      });
}

LaneTable infer_lane_offsets(const Function& function) {
  if (function.instructions.empty()) return LaneTable();
  return Inference(function).run();
}

}  // namespace smsim::program
