// SPDX-License-Identifier: MIT
// Read window: the stage behind issue in which an instruction reserves its register-bank reads
// (Volta and later).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/cycle.hpp"
#include "issue/static_inst.hpp"
#include "operand/reuse_cache.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// Instructions pass in order, at most one a cycle. One leaves at the first cycle a at which its
/// reads fit into a .. a + window - 1: a single read of a bank may take any of these cycles, n
/// reads of one bank take the first n. Each bank serves `read_ports_per_bank` reads a cycle. While
/// an instruction waits here, issue waits. Source: H200 suite, `bank.*`, `bankmix.*`, `bankwin.*`,
/// all exact; Huerta et al., MICRO 2025, sec. 5.
class ReadWindow {
 public:
  static constexpr int kMaxBanks = 8;

  explicit ReadWindow(const Arch& arch)
      : banks_(arch.register_file.banks),
        ports_(arch.register_file.read_ports_per_bank),
        window_(arch.register_file.read_window_cycles),
        reuse_(arch.reuse_cache.slots) {}

  /// Passes an instruction that was issued at `now`; returns the cycle at which it leaves. The next
  /// instruction may leave one cycle later at the earliest.
  Cycle pass(Cycle now, int warp, const StaticInst& inst) {
    std::array<std::uint8_t, kMaxBanks> need{};
    count_reads(warp, inst, need);
    Cycle at = std::max(now, next_);
    for (;; ++at) {
      advance(at);
      if (fits(need)) break;
    }
    for (int b = 0; b < banks_; ++b) reserve(b, need[static_cast<std::size_t>(b)]);
    next_ = at + 1;
    return at;
  }

  /// An instruction that reads its registers elsewhere only takes the cycle `now`.
  Cycle pass_by(Cycle now) {
    const Cycle at = std::max(now, next_);
    next_ = at + 1;
    return at;
  }

  /// Earliest cycle at which another instruction can leave.
  Cycle next() const { return next_; }

  /// What a slot lost to this stage is called.
  static StallReason reason() { return StallReason::bank_conflict; }

  /// Reads of each bank since the last reset.
  const std::array<std::uint64_t, kMaxBanks>& reads() const { return total_; }
  void reset_counts() { total_ = {}; }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    out.time(next_, now);
    for (std::size_t b = 0; b < static_cast<std::size_t>(banks_); ++b) {
      for (std::size_t i = 0; i < kHorizon; ++i) {
        const Cycle c = now + static_cast<Cycle>(i);
        out.put(c >= base_ && c < base_ + static_cast<Cycle>(kHorizon)
                    ? used_[b][static_cast<std::size_t>(c) % kHorizon]
                    : 0U);
      }
    }
    for (const auto held : reuse_.state()) out.put(held);
  }

 private:
  static constexpr std::size_t kHorizon = 32;

  void count_reads(int warp, const StaticInst& inst, std::array<std::uint8_t, kMaxBanks>& need) {
    std::array<bool, kMaxReads> fetched{};
    for (std::size_t i = 0; i < inst.read_count; ++i) {
      const RegisterRead& r = inst.reads[i];
      const bool flag = r.slot < ReuseCache::kSlots && ((inst.reuse >> r.slot) & 1U) != 0;
      const bool hit = r.slot < ReuseCache::kSlots && reuse_.access(warp, r.slot, r.reg, flag);
      const bool shared = r.same_as >= 0 && fetched[static_cast<std::size_t>(r.same_as)];
      fetched[i] = !hit;
      if (hit || shared) continue;
      ++need[r.bank];
      ++total_[r.bank];
    }
  }

  void advance(Cycle at) {
    while (base_ < at) {
      for (auto& bank : used_) bank[static_cast<std::size_t>(base_) % kHorizon] = 0;
      ++base_;
      if (at - base_ > static_cast<Cycle>(kHorizon)) {
        for (auto& bank : used_) bank.fill(0);
        base_ = at;
      }
    }
  }

  std::uint8_t& used(int bank, int offset) {
    return used_[static_cast<std::size_t>(bank)]
                [static_cast<std::size_t>(base_ + offset) % kHorizon];
  }

  bool fits(const std::array<std::uint8_t, kMaxBanks>& need) {
    for (int b = 0; b < banks_; ++b) {
      const int n = need[static_cast<std::size_t>(b)];
      if (n == 0) continue;
      if (n == 1) {
        if (first_free(b) >= window_) return false;
        continue;
      }
      int left = n;
      for (int i = 0; left > 0; ++i) {
        const int room = ports_ - used(b, i);
        if (room <= 0) return false;
        left -= room;
      }
    }
    return true;
  }

  int first_free(int bank) {
    int i = 0;
    while (i < window_ && used(bank, i) >= ports_) ++i;
    return i;
  }

  void reserve(int bank, int reads) {
    for (int i = 0; reads > 0; ++i) {
      const int room = std::min(ports_ - used(bank, i), reads);
      if (room <= 0) continue;
      used(bank, i) = static_cast<std::uint8_t>(used(bank, i) + room);
      reads -= room;
    }
  }

  int banks_;
  int ports_;
  int window_;
  ReuseCache reuse_;
  Cycle next_ = 0;
  Cycle base_ = 0;
  std::array<std::array<std::uint8_t, kHorizon>, kMaxBanks> used_{};
  std::array<std::uint64_t, kMaxBanks> total_{};
};

}  // namespace smsim
