// SPDX-License-Identifier: MIT
// Remap, the plan: all that is known of a function before the search begins.
#include "optimize/remap_plan.hpp"

#include <algorithm>
#include <numeric>

namespace smsim::optimize {

Plan::Plan(const Function& function, const Arch& arch, const std::vector<std::size_t>& order,
           int warps, const std::vector<int>& fixed)
    : live_(find_webs(function)), order_(order) {
  find_zero_runs(function, arch, live_);
  graph_ = find_interference(function, arch, live_);
  for (Web& web : live_.webs)
    web.pinned = web.pinned || std::find(fixed.begin(), fixed.end(), int{web.reg}) != fixed.end();
  std::vector<std::size_t> everything(function.instructions.size());
  std::iota(everything.begin(), everything.end(), std::size_t{0});
  loop_ = std::make_unique<ReadModel>(function, arch, live_, order_, warps);
  all_ = std::make_unique<ReadModel>(function, arch, live_, everything, warps);
  for (const Web& web : live_.webs) old_names_.push_back(web.reg);
  for (const Instruction& in : function.instructions) old_flags_.push_back(in.control.reuse);
}

Flags Plan::flags(const Names& names) const {
  Flags flags = old_flags_;
  if (names != old_names_) {
    const auto kept = all_->best_flags(names);
    for (std::size_t i = 0; i < flags.size(); ++i)
      flags[i] = static_cast<std::uint8_t>(flags[i] & kept[i]);
  }
  const auto best = loop_->best_flags(names);
  for (std::size_t s = 0; s < best.size(); ++s) flags[order_[s]] = best[s];
  return flags;
}

}  // namespace smsim::optimize
