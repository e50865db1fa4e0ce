// SPDX-License-Identifier: MIT
// Remap, the plan: all that is known of a function before the search begins.
#pragma once

#include <memory>
#include <vector>

#include "optimize/remap_apply.hpp"
#include "optimize/remap_names.hpp"
#include "optimize/remap_zeros.hpp"

namespace smsim::optimize {

class Plan {
 public:
  /// `order`: the loop's instructions as a warp issues them; `warps` share a processing block.
  /// Values in the registers `fixed` keep them.
  Plan(const Function& function, const Arch& arch, const std::vector<std::size_t>& order, int warps,
       const std::vector<int>& fixed = {});

  const Liveness& live() const { return live_; }
  const ReadModel& loop() const { return *loop_; }
  const Names& old_names() const { return old_names_; }
  const Flags& old_flags() const { return old_flags_; }

  /// The names as they are; R0 to R(limit-1) may be used.
  Assignment assignment(int limit) const { return {live_, graph_, limit}; }

  /// In the loop the flags that save reads; elsewhere those that were there, as far as they do.
  Flags flags(const Names& names) const;

 private:
  Liveness live_;
  InterferenceGraph graph_;
  std::vector<std::size_t> order_;
  std::unique_ptr<ReadModel> loop_;
  std::unique_ptr<ReadModel> all_;
  Names old_names_;
  Flags old_flags_;
};

}  // namespace smsim::optimize
