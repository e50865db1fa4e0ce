// SPDX-License-Identifier: MIT
// Recent results: which instruction wrote a register last, and when it left the read pipeline.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"

namespace smsim {

/// What decides how a source can be read: results younger than a few cycles come by forwarding, not
/// from the bank.
class RecentResults {
 public:
  using Id = std::uint32_t;

  explicit RecentResults(std::size_t warps) : writers_(warps) {}

  /// The last instruction of this warp that wrote the register; 0: none that matters.
  Id writer(std::uint32_t warp, int reg) const {
    return writers_[warp][static_cast<std::size_t>(reg)];
  }

  /// An instruction issues at the front end's `time` and will write its registers.
  Id issue(std::uint32_t warp, const StaticInst& inst, Cycle time) {
    const Id id = next_++;
    records_[id % kKept] = {&inst, warp, time, kNever, 0};
    for (int r = 0; r < inst.write_count; ++r)
      writers_[warp][static_cast<std::size_t>(inst.write_first + r)] = id;
    return id;
  }

  /// Forgets, for may_be_younger, the oldest results of `age` and more at `now`.
  void forget(Cycle now, Cycle age) {
    while (first_ < next_ && this->age(first_, now) >= age) ++first_;
  }
  /// False only of results that were forgotten.
  bool may_be_younger(Id id) const { return id >= first_; }

  /// Its instruction leaves the pipeline at the end of cycle `at`, and its result takes its way
  /// `delay` cycles later.
  void leaves(Id id, Cycle at, Cycle delay) {
    if (id + kKept <= next_) return;
    records_[id % kKept].gone = at;
    records_[id % kKept].delay = delay;
  }

  /// Cycles since the result left, as a read at `now` sees it; negative while its instruction is in
  /// the pipeline.
  Cycle age(Id id, Cycle now) const {
    if (id == 0 || id + kKept <= next_) return kOld;
    const Record& r = records_[id % kKept];
    return now <= r.gone ? kInFlight : now - r.gone - r.delay;
  }

  /// At what age the reader finds the result on its bypass; before, it takes what the bank still
  /// holds. Source: H200, 5460 loops of two fresh sources of all units, 2807 of 18 opcodes.
  Cycle forwarded_from(Id id, const StaticInst& reader) const {
    if (id == 0 || id + kKept <= next_) return 0;
    const StaticInst& writer = *records_[id % kKept].inst;
    if (writer.own_latches) return kFromSlowUnit;
    return writer.result_unit == reader.reader_unit ? kFromOwnUnit : kFromOtherUnit;
  }

  template <typename Writer>
  void save(const StaticInst* code, Cycle time, Cycle now, Writer& out) const {
    for (Id back = 1; back < kKept && back < next_; ++back) {
      const Record& r = records_[(next_ - back) % kKept];
      if (time - r.issued > kMatters) break;
      out.put(r.inst - code);
      out.put(r.warp);
      out.put(time - r.issued);
      out.put(r.gone >= now ? 0 : now - r.gone - r.delay + 8);
    }
    out.put(254);
  }

 private:
  struct Record {
    const StaticInst* inst = nullptr;
    std::uint32_t warp = 0;
    Cycle issued = 0;
    Cycle gone = 0;   ///< its last cycle in the pipeline, as far as is known
    Cycle delay = 0;  ///< from then to the result's way
  };

  static constexpr Cycle kFromOwnUnit = 4;
  static constexpr Cycle kFromOtherUnit = 5;
  static constexpr Cycle kFromSlowUnit = 6;  ///< FP64 and HFMA2.MMA, on top of their write delay
  static constexpr Id kKept = 64;  ///< at one issue a cycle, older ones have long been written
  static constexpr Cycle kMatters =
      20;  ///< cycles after which nothing depends on a record any more
  static constexpr Cycle kOld = 1 << 20;
  static constexpr Cycle kInFlight = -kOld;

  std::vector<std::array<Id, 256>> writers_ = {};
  std::array<Record, kKept> records_{};
  Id next_ = 1;
  Id first_ = 1;  ///< all before it are older than anybody cares
};

}  // namespace smsim
