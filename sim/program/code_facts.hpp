// SPDX-License-Identifier: MIT
// Code facts: what follows from a function's instructions whatever their control words and the
// architecture are, found once and kept with the function.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "program/lane_addresses.hpp"
#include "program/path.hpp"
#include "smsim/program.hpp"

namespace smsim::program {

/// Where a member takes a function, that is one with the code of which the facts are. May be used
/// by several threads.
class CodeFacts {
 public:
  explicit CodeFacts(const Function& function);

  const std::vector<Loop>& loops() const { return loops_; }

  /// The lanes' addresses; inferred for the first who asks.
  std::shared_ptr<const LaneTable> lanes(const Function& function) const;

  /// As build_path(); the ways asked for last are kept.
  Expected<Path> path(const Program& program, const Function& function,
                      const LoopRequest& request) const;

 private:
  static constexpr std::size_t kMostPaths = 8;

  std::vector<Loop> loops_;   ///< not the flow: of a long dump all functions are asked for loops
  mutable std::mutex mutex_;  ///< of what follows
  mutable std::shared_ptr<const LaneTable> lanes_;
  mutable std::vector<std::pair<LoopRequest, std::shared_ptr<const Path>>>
      paths_;  ///< oldest first
};

/// Of the function as it is now: the kept ones if the code is still the same, else new ones, which
/// are kept.
std::shared_ptr<const CodeFacts> code_facts(const Function& function);

}  // namespace smsim::program
