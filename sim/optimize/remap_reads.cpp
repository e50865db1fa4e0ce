// SPDX-License-Identifier: MIT
// Remap, the reads: which reuse flags save a read under given register names, and a quick estimate
// of what the banks then cost.
#include "optimize/remap_reads.hpp"

#include <algorithm>

#include "block/timing_table.hpp"
#include "isa/opcode.hpp"

namespace smsim::optimize {
namespace {

enum ReadKind : std::uint8_t { kOrdinary, kOwnLatches, kApart };

bool is_control(const Instruction& in) {
  const isa::OpcodeRow* row = isa::find_opcode(in.opcode, in.control.format);
  if (row == nullptr) return true;
  if (row->op_class == isa::OpClass::nop) return false;
  return in.target.has_value() || isa::is_branch(row->op_class) ||
         isa::is_indirect_branch(row->op_class) || row->op_class == isa::OpClass::call ||
         row->op_class == isa::OpClass::ret || row->op_class == isa::OpClass::exit ||
         in.opcode.starts_with("BS") || in.opcode.starts_with("WARPSYNC") ||
         in.opcode.starts_with("BREAK") || in.opcode.starts_with("BAR") ||
         in.opcode.starts_with("NANOSLEEP") || in.opcode.starts_with("YIELD");
}

/// Where a warp may come from elsewhere than from the instruction in front.
std::vector<bool> joins(const Liveness& live) {
  std::vector<bool> is_join(live.successors.size(), false);
  for (std::size_t i = 0; i < live.successors.size(); ++i)
    for (const std::size_t to : live.successors[i])
      if (to != i + 1) is_join[to] = true;
  return is_join;
}

}  // namespace

ReadModel::ReadModel(const Function& function, const Arch& arch, const Liveness& live,
                     const std::vector<std::size_t>& order, int warps)
    : bank_of_(arch.register_file.bank_of),
      window_(std::max(1, arch.register_file.read_window_cycles)),
      by_slot_(arch.operand_read == "operand_collector"),
      usable_slots_(std::min<std::size_t>(3, static_cast<std::size_t>(arch.reuse_cache.slots))) {
  const std::vector<bool> is_join = joins(live);
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::size_t i = order[at];
    Step step = make_step(function, arch, live, i, warps);
    step.begins = at == 0 || order[at - 1] + 1 != i || is_join[i] ||
                  is_control(function.instructions[order[at - 1]]);
    for (const Read& read : step.reads)
      webs_.insert(webs_.end(), read.webs.begin(), read.webs.end());
    steps_.push_back(std::move(step));
  }
  std::sort(webs_.begin(), webs_.end());
  webs_.erase(std::unique(webs_.begin(), webs_.end()), webs_.end());
}

ReadModel::Step ReadModel::make_step(const Function& function, const Arch& arch,
                                     const Liveness& live, std::size_t i, int warps) const {
  const Instruction& in = function.instructions[i];
  const isa::OpcodeRow* row = isa::find_opcode(in.opcode, in.control.format);
  const InstructionTiming* timing =
      row == nullptr ? nullptr : TimingTable(arch).find(isa::class_of(*row, in));
  Step step;
  step.kind = kApart;
  if (timing != nullptr) {
    const Pipe& pipe = arch.pipes[timing->pipe];
    const bool latched = route_of(pipe) == Route::dispatch && !pipe.reads_apart;
    if (latched) step.kind = pipe.own_latches ? kOwnLatches : kOrdinary;
  }
  step.yield = in.control.yield;
  step.cycles = std::max(1, static_cast<int>(in.control.stall) / std::max(1, warps));
  const bool plain = !in.control.yield && in.guard.index == kPT && !in.guard.negated;
  for (const WebAccess& access : live.accesses[i]) {
    if (access.write) {
      step.writes.insert(step.writes.end(), access.webs.begin(), access.webs.end());
      continue;
    }
    const Operand& operand = in.operands[access.operand];
    Read read;
    read.slot = static_cast<std::uint8_t>(std::min<int>(3, static_cast<int>(operand.slot)));
    read.webs = access.webs;
    const bool allowed = plain && row != nullptr && operand.kind == OperandKind::reg &&
                         read.slot < usable_slots_ && ((row->reuse_slots >> read.slot) & 1U) != 0;
    const bool modelled = step.kind == kOrdinary     ? access.webs.size() == 1
                          : step.kind == kOwnLatches ? access.webs.size() == 2
                                                     : false;
    read.may_flag = allowed && (modelled || operand.reuse);
    step.reads.push_back(std::move(read));
  }
  return step;
}

std::size_t ReadModel::latch_bank(std::uint8_t kind, std::uint8_t reg) const {
  return by_slot_ || kind == kOwnLatches ? 0 : bank_of_[reg] % kMaxBanks;
}

bool ReadModel::finds(const Latches& latches, const Step& step, const Read& read,
                      const Names& names) const {
  const int first = names[static_cast<std::size_t>(read.webs.front())];
  return std::all_of(read.webs.begin(), read.webs.end(), [&](int web) {
    const std::uint8_t reg = names[static_cast<std::size_t>(web)];
    const Next& next = latches[step.kind][latch_bank(step.kind, reg)][read.slot];
    return next.first == first && next.count == read.webs.size();
  });
}

void ReadModel::find_flags(const Names& names, std::vector<std::uint8_t>& flags,
                           std::vector<std::uint8_t>& hits) const {
  flags.assign(steps_.size(), 0);
  hits.assign(steps_.size(), 0);
  Latches latches{};
  for (std::size_t s = steps_.size(); s-- > 0;) {
    const Step& step = steps_[s];
    // A write ends what might be found behind it, also when the instruction itself writes.
    for (const int web : step.writes) {
      const int reg = names[static_cast<std::size_t>(web)];
      for (auto& kind : latches)
        for (auto& bank : kind)
          for (Next& next : bank)
            if (next.first <= reg && reg < next.first + static_cast<int>(next.count)) next = {};
    }
    if (step.yield) latches = {};
    for (const Read& read : step.reads)
      if (read.may_flag && finds(latches, step, read, names)) {
        flags[s] = static_cast<std::uint8_t>(flags[s] | 1U << read.slot);
        const std::uint8_t reg = names[static_cast<std::size_t>(read.webs.front())];
        const Next& next = latches[step.kind][latch_bank(step.kind, reg)][read.slot];
        hits[next.step] = static_cast<std::uint8_t>(hits[next.step] | 1U << next.read);
      }
    for (std::size_t r = 0; r < step.reads.size(); ++r) {
      const Read& read = step.reads[r];
      for (const int web : read.webs)
        latches[step.kind][latch_bank(step.kind, names[static_cast<std::size_t>(web)])][read.slot] =
            {names[static_cast<std::size_t>(read.webs.front())], read.webs.size(), s, r};
    }
    if (step.begins) latches = {};
  }
}

std::vector<std::uint8_t> ReadModel::best_flags(const Names& names) const {
  std::vector<std::uint8_t> flags, hits;
  find_flags(names, flags, hits);
  return flags;
}

/// The read pipeline of one warp in short (docs/model.md): an instruction has its reads done when
/// it leaves the last of `window` stages, or everything stands still; each bank serves a read a
/// cycle, the oldest instruction's first, and a latch takes no operand before its last owner has
/// left.
class ReadModel::Clock {
 public:
  explicit Clock(const ReadModel& model) : model_(model) {}

  /// Cycles that nothing moves, for an instruction that issues at `now` without counting those.
  long issue(const Step& step, long now, std::uint8_t hits, const Names& names) {
    while (settled_ < issued_.size() && issued_[settled_].first + model_.window_ - 1 < now)
      standstill_before_ += issued_[settled_++].second;
    advance(now + standstill_before_);
    const long leaves = now + standstill_ + model_.window_ - 1;
    const long done = step.kind == kApart ? leaves : std::max(leaves, serve(step, hits, names));
    const long lost = done - leaves;
    for (const Read& read : step.reads)
      for (const int web : read.webs)
        owned(step.kind, names[static_cast<std::size_t>(web)], read.slot) = done + 1;
    standstill_ += lost;
    issued_.emplace_back(now, lost);
    return lost;
  }

 private:
  static constexpr int kHorizon = 64;

  long& owned(std::uint8_t kind, std::uint8_t reg, std::uint8_t slot) {
    return owned_[kind][model_.bank_of_[reg] % kMaxBanks][slot];
  }

  void advance(long start) {
    const long shift = start - start_;
    for (std::uint64_t& busy : busy_) busy = shift >= kHorizon ? 0 : busy >> shift;
    start_ = start;
  }

  /// The cycle of the last read.
  long serve(const Step& step, std::uint8_t hits, const Names& names) {
    long last = 0;
    std::array<std::uint8_t, 16> seen{};
    std::size_t count = 0;
    for (std::size_t r = 0; r < step.reads.size(); ++r) {
      if (((hits >> r) & 1U) != 0) continue;
      for (const int web : step.reads[r].webs) {
        const std::uint8_t reg = names[static_cast<std::size_t>(web)];
        const auto* const end = seen.data() + count;
        if (std::find(static_cast<const std::uint8_t*>(seen.data()), end, reg) != end) continue;
        if (count < seen.size()) seen[count++] = reg;
        last = std::max(last, read(owned(step.kind, reg, step.reads[r].slot), reg));
      }
    }
    return last;
  }

  long read(long free, std::uint8_t reg) {
    std::uint64_t& busy = busy_[model_.bank_of_[reg] % kMaxBanks];
    for (long at = std::max(0L, free - start_); at < kHorizon; ++at) {
      if (((busy >> at) & 1U) != 0) continue;
      busy |= std::uint64_t{1} << at;
      return start_ + at;
    }
    return start_ + kHorizon;
  }

  const ReadModel& model_;
  std::vector<std::pair<long, long>> issued_;  ///< when, and the standstill that it caused
  std::size_t settled_ = 0;
  long standstill_ = 0;
  long standstill_before_ = 0;  ///< of those that had left before the instruction's reads began
  long start_ = 0;
  std::array<std::uint64_t, kMaxBanks> busy_{};  ///< bit n: serves somebody in cycle start_ + n
  std::array<std::array<std::array<long, kSlots>, kMaxBanks>, kKinds> owned_{};
};

long ReadModel::estimate(const Names& names) const {
  thread_local std::vector<std::uint8_t> flags, hits;
  find_flags(names, flags, hits);
  Clock clock(*this);
  long now = 0, lost = 0, crowded = 0;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    lost += clock.issue(step, now, hits[s], names);
    crowded += crowding(step, hits[s], names);
    now += step.cycles;
  }
  return (now + lost) * 64 + std::min(crowded, 1024L);
}

/// How far the reads of an instruction are from being spread over the banks.
long ReadModel::crowding(const Step& step, std::uint8_t hits, const Names& names) const {
  std::array<int, kMaxBanks> reads{};
  for (std::size_t r = 0; r < step.reads.size(); ++r)
    if (((hits >> r) & 1U) == 0)
      for (const int web : step.reads[r].webs)
        ++reads[bank_of_[names[static_cast<std::size_t>(web)]] % kMaxBanks];
  long sum = 0;
  for (const int n : reads) sum += n > 1 ? (n - 1) * (n - 1) : 0;
  return sum;
}

}  // namespace smsim::optimize
