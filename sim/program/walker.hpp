// SPDX-License-Identifier: MIT
// Follows control from instruction to instruction and notes what it had to assume.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "program/flow.hpp"
#include "program/path.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"

namespace smsim::program {

/// Between which instructions, indices into Function::instructions.
struct Route {
  std::size_t start = 0;
  std::size_t closing = kNowhere;  ///< the branch that ends an iteration
  std::size_t last = kNowhere;     ///< wraps: behind it comes the start
  bool is_loop = false;
};

/// Walks until it is back at the start, or has left the function.
class Walker {
 public:
  Walker(const Function& function, const Flow& flow, const LoopRequest& request, Route route);

  Expected<Path> walk();

 private:
  /// Where a step goes.
  struct Step {
    std::size_t next = kNowhere;
    bool taken = false;
    bool ends = false;  ///< the pass is over
  };

  Expected<Step> decide(std::size_t index);
  Expected<Step> decide_branch(std::size_t index);
  Expected<Step> decide_call(std::size_t index);
  Expected<Step> decide_leave(std::size_t index);
  Expected<Step> decide_indirect(std::size_t index);
  Expected<Step> jump(std::size_t index);
  Expected<Step> go_on(std::size_t index);
  Expected<Step> stop(std::size_t index);

  /// What the request says of it: 1 taken, 0 not, -1 nothing.
  int choice(std::size_t index) const;
  bool takes_by_default(std::size_t index);
  void find_body();
  void assume(std::size_t index, const std::string& what);
  tl::unexpected<Diagnostics> error(std::size_t index, std::string message, std::string hint) const;
  std::string place(std::size_t index) const;

  const Function& function_;
  const Flow& flow_;
  const LoopRequest& request_;
  Route route_;
  std::vector<bool> in_body_;       ///< leads to the closing branch without passing the start
  std::vector<bool> assumed_;       ///< an assumption has been noted
  std::vector<std::size_t> calls_;  ///< of the calls being followed, innermost last
  Path path_;
};

}  // namespace smsim::program
