// SPDX-License-Identifier: MIT
// Where instructions and control words lie in the code of an architecture.
#pragma once

#include <cstdint>

#include "smsim/program.hpp"

namespace smsim::isa {

/// Instructions of 128 bits carry their own control word. Those of 64 bits lie in bundles: a
/// control word, then the instructions that it is for.
struct CodeLayout {
  ControlFormat format = ControlFormat::volta;
  std::uint64_t instruction_bytes = 16;
  std::uint64_t bundle_bytes = 0;  ///< control word included; 0: no bundles

  bool has_bundles() const { return bundle_bytes != 0; }
  /// Whether a control word, and no instruction, belongs at the address.
  bool is_control_slot(std::uint64_t address) const {
    return has_bundles() && address % bundle_bytes == 0;
  }
  /// Where an instruction may lie first, from the address on.
  std::uint64_t instruction_at(std::uint64_t address) const {
    return is_control_slot(address) ? address + instruction_bytes : address;
  }
  std::uint64_t next_instruction(std::uint64_t address) const {
    return instruction_at(address + instruction_bytes);
  }
  /// Whether control passes from one instruction to the other without a jump. Code that is never
  /// reached may lack its control word, and lies in its place.
  bool follows(std::uint64_t address, std::uint64_t behind) const {
    return behind == address + instruction_bytes || behind == next_instruction(address);
  }
};

/// The oldest architecture with a layout that we know.
inline constexpr int kOldestSm = 30;

/// sm_30 to sm_37: seven instructions a bundle; sm_50 to sm_62: three; later ones, and 0 for one
/// that nobody names: no bundles.
constexpr CodeLayout code_layout(int sm) {
  if (sm != 0 && sm < 50) return {ControlFormat::kepler, 8, 64};
  if (sm != 0 && sm < 70) return {ControlFormat::maxwell, 8, 32};
  return {};
}

}  // namespace smsim::isa
