// SPDX-License-Identifier: MIT
// Remap, the zeros: runs of instructions that set pairs of registers to zero, whose halves are all
// alike and so need not stay together.
#include "optimize/remap_zeros.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "block/timing_table.hpp"
#include "isa/opcode.hpp"
#include "optimize/interference.hpp"

namespace smsim::optimize {
namespace {

bool sets_zero(const Instruction& in) {
  return in.opcode.starts_with("CS2R") && in.operands.size() == 2 && in.operands[1].text == "SRZ" &&
         in.guard.index == kPT && !in.guard.negated && in.control.write_barrier == kNoBarrier;
}

class ZeroFinder {
 public:
  ZeroFinder(const Function& function, const Arch& arch, Liveness& live)
      : function_(function), live_(live), timings_(arch), enters_(live.successors.size(), false) {
    for (std::size_t i = 0; i < live.successors.size(); ++i)
      for (const std::size_t to : live.successors[i])
        if (to != i + 1) enters_[to] = true;
  }

  void run() {
    live_.run_of.assign(function_.instructions.size(), -1);
    std::size_t i = 0;
    while (i < function_.instructions.size())
      i = sets_zero(function_.instructions[i]) ? grow(i) : i + 1;
  }

 private:
  bool is_straight(std::size_t i) const {
    return live_.successors[i].size() == 1 && live_.successors[i].front() == i + 1 &&
           !live_.opaque[i] && !enters_[i + 1];
  }

  bool touches(std::size_t i, const std::set<int>& webs) const {
    for (const WebAccess& access : live_.accesses[i])
      for (const int web : access.webs)
        if (webs.contains(web)) return true;
    return false;
  }

  int latency(std::size_t i) const {
    const isa::OpcodeRow* row = isa::find_opcode(function_.instructions[i].opcode);
    const InstructionTiming* found =
        row == nullptr ? nullptr : timings_.find(isa::class_of(*row, function_.instructions[i]));
    return (found == nullptr ? 0 : found->latency_cycles) + kLatencyMargin;
  }

  /// Takes the longest run that begins at `first`; the place behind it.
  std::size_t grow(std::size_t first) {
    std::set<int> webs;
    std::vector<std::size_t> members;
    std::size_t i = first;
    for (;; ++i) {
      // Behind a wait a register may be free that was not before.
      if (i != first && function_.instructions[i].control.wait_mask != 0) break;
      if (sets_zero(function_.instructions[i])) {
        if (touches(i, webs)) break;  // sets one of them again
        members.push_back(i);
        for (const WebAccess& access : live_.accesses[i])
          webs.insert(access.webs.begin(), access.webs.end());
      } else if (touches(i, webs)) {
        break;
      }
      if (i + 1 >= function_.instructions.size() || !is_straight(i)) break;
    }
    const bool fresh =
        std::none_of(webs.begin(), webs.end(), [&](int w) { return taken_.contains(w); });
    if (members.size() > 1 && fresh && !is_shared(members, webs)) {
      taken_.insert(webs.begin(), webs.end());
      add(members, webs);
    }
    return members.back() + 1;
  }

  /// Whether another value is in one of the registers meanwhile.
  bool is_shared(const std::vector<std::size_t>& members, const std::set<int>& webs) const {
    std::set<int> registers;
    for (const int web : webs) registers.insert(reg_of(web));
    const auto meets = [&](int web) {
      return !webs.contains(web) && registers.contains(reg_of(web));
    };
    for (std::size_t i = members.front(); i <= members.back(); ++i) {
      if (std::any_of(live_.live_out[i].begin(), live_.live_out[i].end(), meets)) return true;
      if (accesses(i, meets)) return true;
    }
    return false;
  }

  template <typename Test>
  bool accesses(std::size_t i, const Test& test) const {
    return std::any_of(live_.accesses[i].begin(), live_.accesses[i].end(),
                       [&](const WebAccess& access) {
                         return std::any_of(access.webs.begin(), access.webs.end(), test);
                       });
  }

  int reg_of(int web) const { return live_.webs[static_cast<std::size_t>(web)].reg; }

  void add(const std::vector<std::size_t>& members, const std::set<int>& webs) {
    ZeroRun run{members.front(), members.back(), latency(members.back()), {}, {}};
    for (const int web : webs) run.first_use[web] = run.latency;
    find_uses(run);
    int age = 0;
    std::size_t next = members.size();
    for (std::size_t i = run.last + 1; i-- > run.first;) {
      if (i != run.last) age += least_cycles(function_.instructions[i].control);
      if (next == 0 || members[next - 1] != i) continue;
      --next;
      live_.run_of[i] = static_cast<int>(live_.zero_runs.size());
      for (const WebAccess& access : live_.accesses[i])
        for (const int web : access.webs) run.age[reg_of(web)] = age;
    }
    live_.zero_runs.push_back(std::move(run));
  }

  /// A use is also a later value in the same register: it may not come before the zero does.
  void find_uses(ZeroRun& run) const {
    std::map<int, int> web_of;  // by register
    for (const auto& [web, use] : run.first_use) web_of[reg_of(web)] = web;
    for (const auto& [at, since] : issued_within(function_, live_, run.last, run.latency))
      for (const WebAccess& access : live_.accesses[at])
        for (const int web : access.webs) {
          const auto known = web_of.find(reg_of(web));
          if (known == web_of.end()) continue;
          int& first = run.first_use[known->second];
          first = std::min(first, since);
        }
  }

  const Function& function_;
  Liveness& live_;
  TimingTable timings_;
  std::set<int> taken_;       ///< webs of the runs found so far; a web is in one of them
  std::vector<bool> enters_;  ///< control comes from elsewhere than the instruction in front
};

}  // namespace

void find_zero_runs(const Function& function, const Arch& arch, Liveness& live) {
  ZeroFinder(function, arch, live).run();
}

}  // namespace smsim::optimize
