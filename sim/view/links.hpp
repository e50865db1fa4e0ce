// SPDX-License-Identifier: MIT
// Links: from a recorded instruction to the recorded ones that it depends on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "smsim/record.hpp"

namespace smsim::view {

/// Finds instances of steps: the dependences of a recording are between steps.
class Links {
 public:
  explicit Links(const Recording& recording) {
    for (std::size_t i = 0; i < recording.instructions.size(); ++i) {
      const RecordedInstruction& one = recording.instructions[i];
      places_[{one.warp, one.iteration, one.step}] = static_cast<std::uint32_t>(i);
    }
  }

  /// The instance that `one` depends on; none if it was not recorded.
  std::optional<std::uint32_t> source(const RecordedInstruction& one,
                                      const RecordedDependence& dependence) const {
    const auto place =
        places_.find({one.warp, one.iteration - dependence.distance, dependence.step});
    if (place == places_.end()) return std::nullopt;
    return place->second;
  }

 private:
  std::map<std::tuple<std::uint16_t, std::uint64_t, std::uint32_t>, std::uint32_t> places_;
};

/// Whether it is a wait on a dependency barrier.
inline bool is_barrier(DependenceKind kind) {
  return kind == DependenceKind::write_barrier || kind == DependenceKind::read_barrier;
}

/// First cycle behind everything that an instruction does.
std::int64_t end_of(const Recording& recording, const RecordedInstruction& one);

/// `0x0280 FMUL R7, R7, 0.5`, without control characters.
std::string title_of(const Recording& recording, const RecordedInstruction& one);

}  // namespace smsim::view
