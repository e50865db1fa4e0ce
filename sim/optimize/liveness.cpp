// SPDX-License-Identifier: MIT
// Liveness: the webs of a function, that is which uses of a register name belong to one value, and
// where each value is still needed.
#include "optimize/liveness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <numeric>
#include <utility>

#include "isa/accesses.hpp"
#include "isa/rename.hpp"

namespace smsim::optimize {
namespace {

using isa::OpClass;
using program::Flow;
using program::FlowNode;
using program::kNowhere;
using program::Transfer;
using Registers = std::bitset<kRZ>;

/// Disjoint sets of values.
class Classes {
 public:
  int add() {
    parent_.push_back(static_cast<int>(parent_.size()));
    return parent_.back();
  }
  int find(int x) {
    while (parent_[at(x)] != x) x = parent_[at(x)] = parent_[at(parent_[at(x)])];
    return x;
  }
  void join(int a, int b) { parent_[at(find(a))] = find(b); }
  std::size_t size() const { return parent_.size(); }

 private:
  static std::size_t at(int x) { return static_cast<std::size_t>(x); }
  std::vector<int> parent_;
};

/// Opcodes whose registers the table does not promise to list: asynchronous matrix operations on
/// register files, textures and what hangs on them, graphics.
bool has_hidden_registers(const isa::OpcodeRow* row, const Instruction& in) {
  if (row == nullptr || row->width == isa::Width::texture) return true;
  switch (row->op_class) {
    case OpClass::hgmma:
    case OpClass::igmma:
    case OpClass::qgmma:
    case OpClass::bgmma:
    case OpClass::utcmma:
    case OpClass::utccp:
    case OpClass::ldtm:
    case OpClass::sttm:
    case OpClass::tex:
    case OpClass::tld:
    case OpClass::tld4:
    case OpClass::txd:
    case OpClass::txq:
    case OpClass::tmml:
    case OpClass::surface_load:
    case OpClass::surface_store:
    case OpClass::attribute:
      return true;
    default:
      break;
  }
  // Before Volta what is swapped in lies behind what is compared.
  return in.control.format != ControlFormat::volta && isa::has_suffix(in.opcode, "CAS");
}

/// Whether it may also go on to the instruction behind it.
bool goes_on(const FlowNode& node) {
  return node.conditional || node.transfer == Transfer::next || node.transfer == Transfer::call ||
         node.transfer == Transfer::indirect;
}

/// The targets that BSSY gave to a convergence barrier, by its number.
std::vector<std::vector<std::size_t>> convergence_targets(const Function& function,
                                                          const Flow& flow) {
  std::vector<std::vector<std::size_t>> targets(16);
  for (std::size_t i = 0; i < flow.size(); ++i) {
    const Instruction& in = function.instructions[i];
    if (!in.opcode.starts_with("BSSY") || in.operands.size() < 2) continue;
    const Operand& label = in.operands.back();
    const auto number = static_cast<std::size_t>(in.operands.front().index);
    if (label.kind != OperandKind::label || number >= targets.size()) continue;
    const std::size_t to = program::index_at(function, static_cast<std::uint64_t>(label.value));
    if (to != kNowhere) targets[number].push_back(to);
  }
  return targets;
}

class WebFinder {
 public:
  explicit WebFinder(const Function& function)
      : function_(function), flow_(program::build_flow(function)), size_(flow_.size()) {}

  Liveness run() {
    read_all();
    find_successors();
    cut_off_unreachable();
    find_live();
    number_values();
    join_values();
    pin_all();
    return collect();
  }

 private:
  struct Part {
    isa::RegisterAccess access;
    bool write = false;
  };

  void read_all() {
    for (const Instruction& in : function_.instructions) {
      const isa::OpcodeRow* row = isa::find_opcode(in.opcode, in.control.format);
      if (has_hidden_registers(row, in)) give_up(in, "not all of its registers are known");
      const isa::Accesses found = isa::accesses(row, in);
      auto& parts = parts_.emplace_back();
      for (const auto& one : found.reads) parts.push_back({one, false});
      for (const auto& one : found.writes) parts.push_back({one, true});
      Registers reads, writes;
      for (const Part& part : parts)
        for (std::size_t r = part.access.first;
             r < std::size_t{part.access.first} + part.access.count; ++r) {
          (part.write ? writes : reads).set(r);
          result_.registers = std::max(result_.registers, static_cast<int>(r) + 1);
        }
      reads_.push_back(reads);
      writes_.push_back(writes);
      certain_.push_back(in.guard.index == kPT && !in.guard.negated);
    }
    for (int r = 0; r < result_.registers; ++r) all_.set(static_cast<std::size_t>(r));
  }

  void give_up(const Instruction& in, const char* why) {
    if (result_.obstacle.empty())
      result_.obstacle = fmt::format("0x{:04x} {}: {}", in.address, in.text, why);
  }

  void find_successors() {
    const auto targets = convergence_targets(function_, flow_);
    result_.successors.resize(size_);
    result_.opaque.assign(size_, false);
    for (std::size_t i = 0; i < size_; ++i) {
      const FlowNode& node = flow_[i];
      const Instruction& in = function_.instructions[i];
      auto& next = result_.successors[i];
      if (goes_on(node) && node.next != kNowhere) next.push_back(node.next);
      const bool jumps = node.transfer == Transfer::branch || node.transfer == Transfer::call;
      if (jumps && !node.never && node.target != kNowhere) next.push_back(node.target);
      if (in.opcode.starts_with("BSYNC") && !in.operands.empty()) {
        const auto number = static_cast<std::size_t>(in.operands.front().index);
        if (number < targets.size())
          next.insert(next.end(), targets[number].begin(), targets[number].end());
      }
      const bool falls_off = goes_on(node) && node.next == kNowhere;
      const bool lost =
          node.transfer == Transfer::indirect ||
          (node.transfer == Transfer::branch && !node.never && node.target == kNowhere) ||
          unresolved(in, node);
      if (lost) give_up(in, "it is not known where it goes");
      result_.opaque[i] = falls_off || lost || node.is_return || node.transfer == Transfer::call;
    }
  }

  /// Padding behind the end needs nothing.
  void cut_off_unreachable() {
    std::vector<bool> reached(size_, false);
    std::vector<std::size_t> work;
    if (size_ > 0) work.push_back(0);
    while (!work.empty()) {
      const std::size_t i = work.back();
      work.pop_back();
      if (reached[i]) continue;
      reached[i] = true;
      work.insert(work.end(), result_.successors[i].begin(), result_.successors[i].end());
    }
    for (std::size_t i = 0; i < size_; ++i) {
      if (reached[i]) continue;
      result_.successors[i].clear();
      result_.opaque[i] = false;
    }
  }

  /// Pops of the reconvergence stack whose push is not in the listing.
  static bool unresolved(const Instruction& in, const FlowNode& node) {
    if (in.control.format == ControlFormat::volta || node.transfer != Transfer::next) return false;
    return in.opcode == "SYNC" || in.opcode == "BRK" || in.opcode == "CONT" ||
           in.opcode == "PEXIT" || in.opcode == "LONGJMP";
  }

  Registers needed_behind(std::size_t i) const {
    Registers out;
    for (const std::size_t to : result_.successors[i]) out |= live_in_[to];
    return result_.opaque[i] ? out | all_ : out;
  }

  void find_live() {
    live_in_.assign(size_, {});
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = size_; i-- > 0;) {
        Registers in = needed_behind(i);
        if (certain_[i]) in &= ~writes_[i];
        in |= reads_[i];
        if (result_.opaque[i]) in |= all_;
        changed = changed || in != live_in_[i];
        live_in_[i] = in;
      }
    }
  }

  /// A value for each register that is live in front of an instruction, and for each write.
  void number_values() {
    value_in_.resize(size_);
    value_out_.resize(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      value_in_[i].assign(static_cast<std::size_t>(result_.registers), -1);
      for (std::size_t r = 0; r < value_in_[i].size(); ++r)
        if (live_in_[i][r]) value_in_[i][r] = fresh(r);
      value_out_[i] = value_in_[i];
      for (std::size_t r = 0; r < value_out_[i].size(); ++r) {
        if (!writes_[i][r]) continue;
        const int before = value_out_[i][r];
        value_out_[i][r] = fresh(r);
        if (!certain_[i] && before >= 0 && needed_behind(i)[r])
          classes_.join(before, value_out_[i][r]);
      }
    }
  }

  int fresh(std::size_t reg) {
    registers_.push_back(static_cast<std::uint8_t>(reg));
    pinned_.push_back(false);
    return classes_.add();
  }

  void join_values() {
    for (std::size_t i = 0; i < size_; ++i)
      for (const std::size_t to : result_.successors[i])
        for (std::size_t r = 0; r < value_in_[to].size(); ++r)
          if (live_in_[to][r] && value_out_[i][r] >= 0)
            classes_.join(value_out_[i][r], value_in_[to][r]);
  }

  void pin(int value) {
    if (value >= 0) pinned_[static_cast<std::size_t>(value)] = true;
  }
  void pin(const std::vector<int>& values) {
    for (const int value : values) pin(value);
  }

  void pin_all() {
    std::vector<bool> has_predecessor(size_, false);
    for (const auto& list : result_.successors)
      for (const std::size_t to : list) has_predecessor[to] = true;
    const bool has_stack = keeps_stack_pointer();
    for (std::size_t i = 0; i < size_; ++i) {
      const Instruction& in = function_.instructions[i];
      if (i == 0 || !has_predecessor[i] || !result_.obstacle.empty() || result_.opaque[i])
        pin(value_in_[i]);
      if (!result_.obstacle.empty() || result_.opaque[i]) pin(value_out_[i]);
      if (has_stack && result_.registers > 1) {
        pin(value_in_[i][1]);
        pin(value_out_[i][1]);
      }
      for (const Part& part : parts_[i])
        if (!can_rename(in, part)) pin_part(i, part);
    }
  }

  /// Compiled kernels begin with R1 from a constant.
  bool keeps_stack_pointer() const {
    constexpr std::size_t kPrologue = 4;
    for (std::size_t i = 0; i < std::min(kPrologue, size_); ++i) {
      const Instruction& in = function_.instructions[i];
      const bool constant =
          std::any_of(in.operands.begin(), in.operands.end(),
                      [](const Operand& o) { return o.kind == OperandKind::constant; });
      if (constant && writes_[i][1]) return true;
    }
    return false;
  }

  static bool can_rename(const Instruction& in, const Part& part) {
    Instruction copy = in;
    return isa::rename_register(copy, part.access.operand, part.access.first);
  }

  void pin_part(std::size_t i, const Part& part) {
    for (std::size_t r = part.access.first; r < std::size_t{part.access.first} + part.access.count;
         ++r)
      pin((part.write ? value_out_ : value_in_)[i][r]);
  }

  Liveness collect() {
    std::vector<int> number(classes_.size(), -1);
    const auto web_of = [&](int value) {
      const auto root = static_cast<std::size_t>(classes_.find(value));
      if (number[root] < 0) {
        number[root] = static_cast<int>(result_.webs.size());
        result_.webs.push_back({registers_[root], false});
      }
      return number[root];
    };
    for (std::size_t i = 0; i < size_; ++i) {
      auto& accesses = result_.accesses.emplace_back();
      for (const Part& part : parts_[i]) {
        WebAccess one{part.access.operand, part.write, {}};
        for (std::size_t r = part.access.first;
             r < std::size_t{part.access.first} + part.access.count; ++r)
          one.webs.push_back(web_of((part.write ? value_out_ : value_in_)[i][r]));
        accesses.push_back(std::move(one));
      }
      const Registers behind = needed_behind(i);
      auto& live = result_.live_out.emplace_back();
      for (std::size_t r = 0; r < value_out_[i].size(); ++r)
        if (behind[r] && value_out_[i][r] >= 0) live.push_back(web_of(value_out_[i][r]));
    }
    for (std::size_t v = 0; v < pinned_.size(); ++v)
      if (pinned_[v]) {
        const int web = number[static_cast<std::size_t>(classes_.find(static_cast<int>(v)))];
        if (web >= 0) result_.webs[static_cast<std::size_t>(web)].pinned = true;
      }
    result_.run_of.assign(size_, -1);
    return std::move(result_);
  }

  const Function& function_;
  Flow flow_;
  std::size_t size_;
  Liveness result_;
  std::vector<std::vector<Part>> parts_;
  std::vector<Registers> reads_;
  std::vector<Registers> writes_;
  std::vector<bool> certain_;  ///< its guard is always true
  Registers all_;
  std::vector<Registers> live_in_;
  std::vector<std::vector<int>> value_in_;
  std::vector<std::vector<int>> value_out_;
  Classes classes_;
  std::vector<std::uint8_t> registers_;
  std::vector<bool> pinned_;
};

}  // namespace

Liveness find_webs(const Function& function) { return WebFinder(function).run(); }

}  // namespace smsim::optimize
