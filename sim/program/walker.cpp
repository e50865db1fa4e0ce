// SPDX-License-Identifier: MIT
// Follows control from instruction to instruction and notes what it had to assume.
#include "program/walker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace smsim::program {
namespace {

/// A path that is longer goes in circles: each choice depends on the address alone.
constexpr std::size_t kMostSteps = 1'000'000;
constexpr const char* kChoiceHint = "--branch 0xADDR=taken|not decides a branch";

}  // namespace

Walker::Walker(const Function& function, const Flow& flow, const LoopRequest& request, Route route)
    : function_(function),
      flow_(flow),
      request_(request),
      route_(route),
      assumed_(flow.size(), false) {
  find_body();
}

/// Backwards from the closing branch. Calls come back, so their callee is not looked into.
void Walker::find_body() {
  in_body_.assign(flow_.size(), false);
  if (route_.closing == kNowhere) return;
  std::vector<std::vector<std::size_t>> before(flow_.size());
  for (std::size_t i = 0; i < flow_.size(); ++i) {
    const FlowNode& node = flow_[i];
    const bool stays = node.conditional || node.transfer == Transfer::next ||
                       node.transfer == Transfer::call || node.transfer == Transfer::indirect;
    if (stays && node.next != kNowhere) before[node.next].push_back(i);
    if (node.transfer == Transfer::branch && !node.never && node.target != kNowhere) {
      before[node.target].push_back(i);
    }
  }
  std::vector<std::size_t> open = {route_.closing};
  in_body_[route_.closing] = true;
  in_body_[route_.start] = true;
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (node == route_.start) continue;
    for (const std::size_t from : before[node]) {
      if (in_body_[from]) continue;
      in_body_[from] = true;
      open.push_back(from);
    }
  }
}

std::string Walker::place(std::size_t index) const {
  return fmt::format("0x{:04x}", function_.instructions[index].address);
}

void Walker::assume(std::size_t index, const std::string& what) {
  if (assumed_[index]) return;
  assumed_[index] = true;
  path_.assumptions.push_back(
      fmt::format("{} {}: {}", place(index), function_.instructions[index].text, what));
}

tl::unexpected<Diagnostics> Walker::error(std::size_t index, std::string message,
                                          std::string hint) const {
  const Instruction& instruction = function_.instructions[index];
  return fail(ErrorKind::bad_input, std::move(message), {"", instruction.line, instruction.column},
              std::move(hint));
}

int Walker::choice(std::size_t index) const {
  const auto found = request_.branches.find(function_.instructions[index].address);
  if (found == request_.branches.end()) return -1;
  return found->second ? 1 : 0;
}

Expected<Walker::Step> Walker::jump(std::size_t index) {
  const std::size_t target = flow_[index].target;
  if (target == kNowhere) {
    return error(
        index,
        fmt::format("the target of {} is not in function '{}'", place(index), function_.name),
        kChoiceHint);
  }
  return Step{target, true, false};
}

Expected<Walker::Step> Walker::go_on(std::size_t index) {
  if (index == route_.last && calls_.empty()) return Step{route_.start, false, false};
  if (flow_[index].next != kNowhere) return Step{flow_[index].next, false, false};
  const bool at_end = index + 1 == function_.instructions.size();
  if (at_end && !route_.is_loop) return Step{kNowhere, false, true};
  return error(index,
               at_end ? fmt::format("the path runs out of function '{}' behind {}", function_.name,
                                    place(index))
                      : fmt::format("the instruction behind {} is missing", place(index)),
               at_end ? kChoiceHint : "the listing has a gap here");
}

Expected<Walker::Step> Walker::stop(std::size_t index) {
  if (!route_.is_loop) return Step{kNowhere, true, true};
  return error(index,
               fmt::format("{} leaves the loop: the path does not come back to {}", place(index),
                           place(route_.start)),
               kChoiceHint);
}

bool Walker::takes_by_default(std::size_t index) {
  const FlowNode& node = flow_[index];
  if (index == route_.closing && calls_.empty()) return true;
  const bool backward = node.target != kNowhere && node.target <= index;
  if (backward) {
    assume(index, node.target == route_.start ? "assumed not taken, the iteration goes on"
                                              : "assumed not taken, the inner loop runs once");
    return false;
  }
  // The way out of a loop is not its iteration.
  const bool only_target_returns = route_.is_loop && calls_.empty() && node.target != kNowhere &&
                                   in_body_[node.target] &&
                                   (node.next == kNowhere || !in_body_[node.next]);
  assume(index, only_target_returns ? "assumed taken, the other way leaves the loop"
                                    : "assumed not taken");
  return only_target_returns;
}

Expected<Walker::Step> Walker::decide_branch(std::size_t index) {
  const int chosen = choice(index);
  if (chosen >= 0) return chosen == 1 ? jump(index) : go_on(index);
  if (flow_[index].never) return go_on(index);
  if (!flow_[index].conditional) return jump(index);
  return takes_by_default(index) ? jump(index) : go_on(index);
}

Expected<Walker::Step> Walker::decide_call(std::size_t index) {
  const int chosen = choice(index);
  if (chosen == 0 || flow_[index].never) return go_on(index);
  if (chosen < 0 && flow_[index].conditional) {
    assume(index, "assumed not taken");
    return go_on(index);
  }
  const std::size_t target = flow_[index].target;
  const bool recursive = std::any_of(
      calls_.begin(), calls_.end(), [&](std::size_t call) { return flow_[call].target == target; });
  if (recursive) {
    return error(index, fmt::format("{} calls {} recursively", place(index), place(target)),
                 fmt::format("--branch {}=not skips the call", place(index)));
  }
  calls_.push_back(index);
  return jump(index);
}

Expected<Walker::Step> Walker::decide_leave(std::size_t index) {
  const FlowNode& node = flow_[index];
  const int chosen = choice(index);
  if (chosen == 0 || node.never) return go_on(index);
  if (chosen < 0 && node.conditional) {
    assume(index, "assumed not taken");
    return go_on(index);
  }
  if (!node.is_return || calls_.empty()) return stop(index);
  const std::size_t call = calls_.back();
  calls_.pop_back();
  auto back = go_on(call);
  if (back) back->taken = true;
  return back;
}

Expected<Walker::Step> Walker::decide_indirect(std::size_t index) {
  const int chosen = choice(index);
  if (chosen == 0 || flow_[index].never) return go_on(index);
  if (chosen < 0 && flow_[index].conditional) {
    assume(index, "assumed not taken");
    return go_on(index);
  }
  return error(index, fmt::format("the target of {} is not known", place(index)),
               fmt::format("--branch {}=not goes on behind it", place(index)));
}

Expected<Walker::Step> Walker::decide(std::size_t index) {
  switch (flow_[index].transfer) {
    case Transfer::branch:
      return decide_branch(index);
    case Transfer::call:
      return decide_call(index);
    case Transfer::leave:
      return decide_leave(index);
    case Transfer::indirect:
      return decide_indirect(index);
    case Transfer::next:
      return go_on(index);
  }
  return go_on(index);
}

Expected<Path> Walker::walk() {
  path_.is_loop = route_.is_loop;
  std::size_t index = route_.start;
  while (path_.steps.size() < kMostSteps) {
    const auto step = decide(index);
    if (!step) return tl::make_unexpected(step.error());
    path_.steps.push_back({index, step->taken, flow_[index].never});
    const bool back = route_.is_loop && step->next == route_.start && calls_.empty();
    if (step->ends || back) return std::move(path_);
    index = step->next;
  }
  return error(route_.start,
               fmt::format("the path from {} never comes {}", place(route_.start),
                           route_.is_loop ? "back to it" : "to an EXIT"),
               kChoiceHint);
}

}  // namespace smsim::program
