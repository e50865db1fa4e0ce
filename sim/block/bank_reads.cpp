// SPDX-License-Identifier: MIT
// Bank reads: the fewest reads of each register bank that an iteration of a warp can do with, and
// those that bypass the read pipeline.
#include "block/bank_reads.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <span>
#include <utility>

namespace smsim {
namespace {

constexpr int kEmpty = -1;
constexpr std::size_t kSlots = 4;

/// What each bank and slot keeps, for ordinary instructions and for those with latches of their
/// own.
class Kept {
 public:
  Kept(const Arch& arch)
      : usable_(std::min<std::size_t>(kSlots, static_cast<std::size_t>(arch.reuse_cache.slots))),
        entries_(2 * static_cast<std::size_t>(arch.register_file.banks)) {
    for (auto& bank : entries_) bank.fill(kEmpty);
  }

  /// Whether the read is spared; leaves the entry as this use leaves it.
  bool use(const StaticInst& inst, const RegisterRead& read) {
    if (read.slot >= usable_) return false;
    int& entry = entries_[2 * std::size_t{read.bank} + (inst.own_latches ? 1 : 0)][read.slot];
    const bool hit = entry == read.reg;
    entry = ((inst.reuse >> read.slot) & 1U) != 0 ? read.reg : kEmpty;
    return hit;
  }

 private:
  std::size_t usable_;
  std::vector<std::array<int, kSlots>> entries_;
};

/// By bank, of one instruction.
using Reads = std::span<int>;

/// Operands of an instruction that comes through the read pipeline.
void count_operands(const StaticInst& inst, Kept& kept, Reads reads) {
  std::array<std::uint8_t, kMaxReads> fetched{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < inst.read_count; ++i) {
    const RegisterRead& read = inst.reads[i];
    const std::span<const std::uint8_t> before(fetched.data(), count);
    if (kept.use(inst, read)) continue;
    if (std::find(before.begin(), before.end(), read.reg) != before.end()) continue;
    fetched[count++] = read.reg;
    ++reads[read.bank];
  }
}

/// Queues fetch their registers for themselves.
void count_fed(const StaticInst& inst, Reads reads) {
  if (inst.route == Route::memory) {
    const int registers = inst.memory.data_count + inst.memory.address_count;
    for (std::size_t r = 0;
         r < std::min<std::size_t>(static_cast<std::size_t>(registers), inst.memory.banks.size());
         ++r)
      ++reads[inst.memory.banks[r]];
  }
  if (inst.route != Route::special) return;
  for (std::size_t i = 0; i < inst.read_count; ++i) ++reads[inst.reads[i].bank];
}

/// Slot reuse keeps what any flagged read left behind, as long as it may: each such source is
/// spared.
std::vector<int> reads_with_slot_reuse(const CompiledLoop& loop, const Arch& arch) {
  const auto usable = static_cast<std::size_t>(arch.reuse_cache.slots);
  std::set<std::pair<int, int>> kept;
  for (std::size_t i = 0; i < loop.length; ++i)
    for (std::size_t r = 0; r < loop.code[i].read_count; ++r) {
      const RegisterRead& read = loop.code[i].reads[r];
      if (read.slot < usable && ((loop.code[i].reuse >> read.slot) & 1U) != 0)
        kept.insert({read.slot, read.reg});
    }
  const auto banks = static_cast<std::size_t>(arch.register_file.banks);
  std::vector<int> all(loop.length * banks, 0);
  for (std::size_t i = 0; i < loop.length; ++i) {
    const StaticInst& inst = loop.code[i];
    const Reads reads = Reads(all).subspan(i * banks, banks);
    std::set<int> fetched;
    for (std::size_t r = 0; r < inst.read_count && !inst.reads_apart; ++r)
      if (!kept.contains({inst.reads[r].slot, inst.reads[r].reg}) &&
          fetched.insert(inst.reads[r].reg).second)
        ++reads[inst.reads[r].bank];
    count_fed(inst, reads);
  }
  return all;
}

}  // namespace

void add_fed_reads(const CompiledLoop& loop, const Arch& arch, RunOutcome& run) {
  if (arch.operand_read == "overlapped_reads") return;  // out of sight, as below
  std::vector<int> reads(run.bank_reads.size());
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    reads.assign(reads.size(), 0);
    count_fed(loop.code[i], reads);
    const std::uint64_t paired = i < run.pairs.size() ? run.pairs[i] : 0;
    const std::uint64_t issued =
        run.rows[i][static_cast<std::size_t>(StallReason::selected)] + paired;
    for (std::size_t b = 0; b < reads.size(); ++b)
      run.bank_reads[b] += issued * static_cast<std::uint64_t>(reads[b]);
  }
}

std::vector<int> fewest_bank_reads(const CompiledLoop& loop, const Arch& arch) {
  const auto banks = static_cast<std::size_t>(arch.register_file.banks);
  if (arch.operand_read == "operand_collector") return reads_with_slot_reuse(loop, arch);
  std::vector<int> all(loop.length * banks, 0);
  if (arch.operand_read == "overlapped_reads") return all;  // out of sight: they bound nothing
  Kept kept(arch);
  const int rounds = loop.is_loop ? 2 : 1;  // the first one fills the cache for the second
  for (int round = 0; round < rounds; ++round) {
    all.assign(all.size(), 0);
    for (std::size_t i = 0; i < loop.length; ++i) {
      const StaticInst& inst = loop.code[i];
      const Reads reads = Reads(all).subspan(i * banks, banks);
      if (!inst.reads_apart) count_operands(inst, kept, reads);
      count_fed(inst, reads);
    }
  }
  return all;
}

}  // namespace smsim
