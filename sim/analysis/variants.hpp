// SPDX-License-Identifier: MIT
// Variants: the same loop with one limit taken away, as another architecture, other control words
// or other warps. The cycle loop knows nothing of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "block/prepare.hpp"
#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"

namespace smsim::analysis {

/// What a variant is run with, at first as in the base.
struct VariantInput {
  Arch arch;
  Function function;
  int warps = 0;
};

struct Variant {
  std::string name;  ///< no_reuse
  std::string what;  ///< in words
  std::function<void(VariantInput&)> change;
};

/// The limits that this loop meets on this architecture, each taken away alone.
std::vector<Variant> limits_taken_away(const CompiledLoop& loop, const Arch& arch, int warps);

/// Runs a variant of a prepared loop.
Expected<Result> simulate_variant(const Prepared& base, const VariantInput& input,
                                  const SimulateOptions& options);

}  // namespace smsim::analysis
