// SPDX-License-Identifier: MIT
// Load/store unit of the SM: shared memory, L1 hits and shuffles of all processing blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/cycle.hpp"
#include "core/ring.hpp"
#include "execute/memory_path.hpp"
#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// What the unit has to know of an instruction beyond what it is.
struct UnitOrder {
  Cycle not_before = 0;  ///< of its arrival
  bool misses = false;   ///< L1
};

/// A load whose data goes back to its block.
struct LoadReturn {
  const StaticInst* inst;
  std::uint32_t warp;
  int block;
  Cycle at;             ///< first cycle at which it may write registers
  bool misses = false;  ///< L1
};

/// Starts at most one instruction a cycle, the one that arrived first, of several the one whose
/// block was served longest ago, in one of `unit_slots` slots, for `wavefront_interval_cycles` a
/// wavefront; a block's instructions never run in both slots.
/// Global memory has slots of its own, beside those of shared memory and shuffles.
/// Results return one pass a cycle. At most `unit_credits` instructions are on the way to it; a
/// credit comes back some cycles after the start. Source: H200, 45 lane patterns of six operations,
/// bursts on 1 to 4 blocks; suite `pipe.lds*`, `pipe.ldg*`, `lat.*`. The order: pairs of loads and
/// stores of every width on four blocks, whose completions were read back of each block
/// (`n1.pair`): all 108; going round the blocks 92.
class LoadStoreUnit {
 public:
  static constexpr std::size_t kMaxBlocks = 16;

  explicit LoadStoreUnit(const Arch& arch)
      : spec_(arch.memory),
        blocks_(arch.processing_blocks),
        slots_(static_cast<std::size_t>(arch.memory.unit_slots)),
        global_slots_(slots_.size()) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  bool has_credit() const { return in_flight_ < spec_.unit_credits; }
  void take_credit() { ++in_flight_; }

  void arrive(int block, const StaticInst& inst, std::uint32_t warp, Cycle at, bool misses) {
    waiting_[static_cast<std::size_t>(block)].push_back({&inst, warp, block, at, misses});
    ++waiting_count_;
    if (inst.memory.returns) ++owed_[static_cast<std::size_t>(block)];
  }

  /// Reads of special registers that are not yet begun are limited.
  bool special_has_room(Cycle now) const {
    return special_free_ - now <=
           static_cast<Cycle>(spec_.special_entries) * spec_.special_interval_cycles;
  }

  /// A special register: the SM reads one each `special_interval_cycles`.
  void read_special(Cycle now, int block, const StaticInst& inst, std::uint32_t warp) {
    const Cycle start = std::max(now, special_free_);
    special_free_ = start + spec_.special_interval_cycles;
    done_.push_back({&inst, warp, block, start + inst.memory.return_extra});
  }

  template <typename Sink>
  void tick(Cycle now, Sink& sink) {
    while (!credits_.empty() && credits_.front() <= now + 1) {
      credits_.pop_front();
      --in_flight_;
    }
    if (waiting_count_ > 0) start(now, sink);
    while (!returning_.empty() && return_free_ <= now && give_back(now)) {
    }
  }

  /// Whether nothing is on its way.
  bool idle() const {
    return waiting_count_ == 0 && returning_.empty() && credits_.empty() && done_.empty();
  }

  /// Whether anything of the block's is still to come back, as far as it is not in done().
  bool owes(std::size_t block) const { return owed_[block] > 0; }

  /// Loads whose return has been settled since the last call.
  std::vector<LoadReturn>& done() { return done_; }

  Cycle next_after(Cycle now, Cycle best) const {
    if (waiting_count_ > 0) return now + 1;
    if (!credits_.empty()) best = std::min(best, std::max(now + 1, credits_.front() - 1));
    for (const LoadReturn& r : returning_)
      best = std::min(best, std::max({now + 1, r.at, return_free_}));
    return best;
  }

  template <typename Writer>
  void save(const StaticInst* code, Cycle now, Writer& out) const {
    auto put = [&](const LoadReturn& r) {
      out.put(r.inst - code);
      out.put(r.warp);
      out.put(r.block);
      out.time(r.at, now);
      out.put(r.misses ? 1 : 0);
    };
    for (const auto& queue : waiting_) {
      out.put(queue.size());
      for (const LoadReturn& r : queue) {
        put(r);
        out.put(std::max<Cycle>(0, now - r.at));  // the oldest goes first
      }
    }
    for (const auto* slots : {&slots_, &global_slots_}) {
      for (const Slot& s : *slots) {
        out.time(s.free_at, now);
        out.put(s.free_at > now ? s.block + 1 : 0);
      }
    }
    out.put(returning_.size());
    for (const LoadReturn& r : returning_) put(r);
    out.time(return_free_, now);
    out.time(special_free_, now);
    out.put(in_flight_);
    out.put(credits_.size());
    for (const Cycle c : credits_) out.time(c, now);
    for (std::size_t k = 0; k < static_cast<std::size_t>(blocks_); ++k) out.put(order_[k]);
  }

 private:
  struct Slot {
    Cycle free_at = 0;
    int block = -1;
  };

  template <typename Sink>
  void start(Cycle now, Sink& sink) {
    Slot* slot = nullptr;
    int best = -1;
    for (std::size_t k = 0; k < static_cast<std::size_t>(blocks_); ++k) {
      const int block = order_[k];
      const auto& queue = waiting_[static_cast<std::size_t>(block)];
      if (queue.empty() || queue.front().at > now) continue;
      if (best >= 0 && queue.front().at >= front(best).at) continue;
      const bool global = queue.front().inst->memory.global;
      Slot* free = free_slot(now, block, global ? global_slots_ : slots_);
      if (free == nullptr) continue;
      slot = free;
      best = block;
    }
    if (best < 0) return;
    const LoadReturn request = front(best);
    waiting_[static_cast<std::size_t>(best)].pop_front();
    --waiting_count_;
    run(now, request, *slot);
    served_last(best);
    sink.started(now, best, request.warp, *request.inst);
  }

  const LoadReturn& front(int block) const {
    return waiting_[static_cast<std::size_t>(block)].front();
  }

  void served_last(int block) {
    const auto end = order_.begin() + blocks_;
    const auto at = std::find(order_.begin(), end, block);
    std::rotate(at, at + 1, end);
  }

  static Slot* free_slot(Cycle now, int block, std::vector<Slot>& slots) {
    Slot* free = nullptr;
    for (Slot& s : slots) {
      if (s.free_at > now && s.block == block) return nullptr;
      if (s.free_at <= now && free == nullptr) free = &s;
    }
    return free;
  }

  void run(Cycle now, const LoadReturn& request, Slot& slot) {
    const MemoryOp& op = request.inst->memory;
    const Cycle wavefronts = spec_.wavefront_interval_cycles * op.wavefronts;
    slot.free_at = now + std::max<Cycle>(wavefronts, op.tag_cycles);
    slot.block = request.block;
    credits_.push_back(now + spec_.unit_credit_return_cycles);
    if (!op.returns) return;
    const Cycle last = now + spec_.wavefront_interval_cycles * (op.wavefronts - 1) +
                       std::max(0, op.tag_cycles - 1);
    const Cycle hit = last + memory_path::kUnitToReturn + op.return_extra;
    const Cycle back = request.misses ? std::max(hit, now + spec_.miss_return_cycles) : hit;
    returning_.push_back({request.inst, request.warp, request.block, back});
  }

  bool give_back(Cycle now) {
    auto best = returning_.end();
    for (auto it = returning_.begin(); it != returning_.end(); ++it)
      if (it->at <= now && (best == returning_.end() || it->at < best->at)) best = it;
    if (best == returning_.end()) return false;
    LoadReturn r = *best;
    returning_.erase(best);
    return_free_ = now + r.inst->memory.passes;
    r.at = return_free_ + memory_path::kReturnToWrite;
    done_.push_back(r);
    --owed_[static_cast<std::size_t>(r.block)];
    return true;
  }

  MemorySpec spec_;
  int blocks_;
  std::array<Ring<LoadReturn>, kMaxBlocks> waiting_;
  int waiting_count_ = 0;
  std::array<int, kMaxBlocks> owed_{};  ///< results, by block
  std::vector<Slot> slots_;
  std::vector<Slot> global_slots_;  ///< accesses to global memory do not wait for shared ones
  std::vector<LoadReturn> returning_;
  std::vector<LoadReturn> done_;
  Cycle return_free_ = 0;
  Cycle special_free_ = 0;
  int in_flight_ = 0;
  Ring<Cycle> credits_;
  std::array<int, kMaxBlocks> order_{};  ///< of the blocks: whose last start is longest ago first
};

}  // namespace smsim
