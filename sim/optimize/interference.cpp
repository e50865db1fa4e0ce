// SPDX-License-Identifier: MIT
// Interference: which webs may not share a register, since both are needed, or one of them is still
// being written or read by an instruction under way.
#include "optimize/interference.hpp"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <deque>
#include <map>

#include "block/timing_table.hpp"
#include "isa/opcode.hpp"

namespace smsim::optimize {

std::map<std::size_t, int> issued_within(const Function& function, const Liveness& live,
                                         std::size_t from, int cycles) {
  std::map<std::size_t, int> reached;
  std::vector<std::pair<std::size_t, int>> work = {{from, 0}};
  while (!work.empty()) {
    const auto [at, since] = work.back();
    work.pop_back();
    const int then = since + least_cycles(function.instructions[at].control);
    if (then >= cycles) continue;
    for (const std::size_t to : live.successors[at]) {
      const auto [known, fresh] = reached.try_emplace(to, then);
      if (!fresh && known->second <= then) continue;
      known->second = then;
      work.emplace_back(to, then);
    }
  }
  return reached;
}
namespace {

using Bits = boost::dynamic_bitset<>;

/// Registers of an instruction that stay taken until one of these barriers is waited for.
struct Pending {
  std::size_t instruction = 0;
  unsigned barriers = 0;  ///< none: for good
  std::vector<int> webs;
};

unsigned bit(int barrier) { return barrier < kNoBarrier ? 1U << barrier : 0U; }

class Builder {
 public:
  Builder(const Function& function, const Arch& arch, Liveness& live)
      : function_(function), live_(live), timings_(arch), size_(function.instructions.size()) {}

  InterferenceGraph run() {
    neighbours_.assign(live_.webs.size(), Bits(live_.webs.size()));
    find_pending();
    propagate();
    for (std::size_t i = 0; i < size_; ++i) add_definitions(i);
    for (std::size_t i = 0; i < size_; ++i) add_fixed_latency(i);
    for (const ZeroRun& run : live_.zero_runs) add_run(run);
    pin_at_calls();
    return graph();
  }

 private:
  std::vector<int> webs_of(std::size_t i, bool write) const {
    std::vector<int> webs;
    for (const WebAccess& access : live_.accesses[i])
      if (access.write == write) webs.insert(webs.end(), access.webs.begin(), access.webs.end());
    return webs;
  }

  const InstructionTiming* timing(std::size_t i) const {
    const Instruction& in = function_.instructions[i];
    const isa::OpcodeRow* row = isa::find_opcode(in.opcode, in.control.format);
    return row == nullptr ? nullptr : timings_.find(isa::class_of(*row, in));
  }

  /// Anything with a barrier takes as long as it likes, whatever the config says of its class.
  bool is_fixed(std::size_t i) const {
    const ControlWord& control = function_.instructions[i].control;
    const InstructionTiming* found = timing(i);
    return found != nullptr && !found->variable_latency && control.write_barrier == kNoBarrier &&
           control.read_barrier == kNoBarrier;
  }

  void find_pending() {
    for (std::size_t i = 0; i < size_; ++i) {
      if (is_fixed(i)) continue;
      const ControlWord& control = function_.instructions[i].control;
      const unsigned written = bit(control.write_barrier);
      auto add = [&](std::vector<int> webs, unsigned barriers) {
        if (!webs.empty()) pending_.push_back({i, barriers, std::move(webs)});
      };
      add(webs_of(i, true), written);
      // Who has the result has read the sources.
      add(webs_of(i, false), written | bit(control.read_barrier));
    }
  }

  /// What is under way when an instruction issues, its own waits done.
  void propagate() {
    std::array<Bits, 64> ended;
    for (std::size_t mask = 0; mask < ended.size(); ++mask) {
      ended[mask] = Bits(pending_.size());
      for (std::size_t e = 0; e < pending_.size(); ++e)
        ended[mask][e] = (pending_[e].barriers & mask) != 0;
    }
    std::vector<Bits> started(size_, Bits(pending_.size()));
    for (std::size_t e = 0; e < pending_.size(); ++e) started[pending_[e].instruction].set(e);
    under_way_.assign(size_, Bits(pending_.size()));
    std::vector<bool> queued(size_, true);
    std::deque<std::size_t> work;
    for (std::size_t i = 0; i < size_; ++i) work.push_back(i);
    while (!work.empty()) {
      const std::size_t i = work.front();
      work.pop_front();
      queued[i] = false;
      const Bits out = under_way_[i] | started[i];
      for (const std::size_t to : live_.successors[i]) {
        const std::size_t mask = function_.instructions[to].control.wait_mask & 63U;
        const Bits in = under_way_[to] | (out - ended[mask]);
        if (in == under_way_[to]) continue;
        under_way_[to] = in;
        if (!queued[to]) work.push_back(to);
        queued[to] = true;
      }
    }
  }

  void connect(int a, int b) {
    if (a == b) return;
    neighbours_[static_cast<std::size_t>(a)].set(static_cast<std::size_t>(b));
    neighbours_[static_cast<std::size_t>(b)].set(static_cast<std::size_t>(a));
  }

  /// Every overlap of two webs begins with a definition of one of them.
  void add_definitions(std::size_t i) {
    const std::vector<int> defined = webs_of(i, true);
    for (const int web : defined) {
      for (const int other : defined) connect(web, other);
      add_overlap(web, i);
    }
  }

  void add_overlap(int web, std::size_t i) {
    for (const int other : live_.live_out[i]) connect(web, other);
    for (std::size_t e = under_way_[i].find_first(); e != Bits::npos;
         e = under_way_[i].find_next(e))
      for (const int other : pending_[e].webs) connect(web, other);
  }

  /// Any of a run's webs may be set by any of its instructions: they are taken all the time.
  void add_run(const ZeroRun& run) {
    for (const auto& [web, use] : run.first_use) {
      for (const auto& [other, its_use] : run.first_use) connect(web, other);
      for (std::size_t i = run.first; i <= run.last; ++i) {
        add_overlap(web, i);
        for (const int other : webs_of(i, true)) connect(web, other);
      }
    }
  }

  /// Matrix units read their sources for as long as they work.
  bool keeps_sources(std::size_t i) const {
    const isa::OpcodeRow* row = isa::find_opcode(function_.instructions[i].opcode,
                                                 function_.instructions[i].control.format);
    return row != nullptr && row->width == isa::Width::tile;
  }

  /// Nothing else is written to a register from an issue until its result is there.
  void add_fixed_latency(std::size_t i) {
    if (!is_fixed(i)) return;
    std::vector<int> taken = webs_of(i, true);
    if (live_.run_of[i] >= 0) {
      taken.clear();
      for (const auto& [web, use] :
           live_.zero_runs[static_cast<std::size_t>(live_.run_of[i])].first_use)
        taken.push_back(web);
    }
    if (keeps_sources(i)) {
      const std::vector<int> sources = webs_of(i, false);
      taken.insert(taken.end(), sources.begin(), sources.end());
    }
    if (taken.empty()) return;
    const int latency = timing(i)->latency_cycles + kLatencyMargin;
    for (const auto& [at, since] : issued_within(function_, live_, i, latency))
      for (const int web : webs_of(at, true))
        for (const int other : taken) connect(web, other);
  }

  void pin_at_calls() {
    for (std::size_t i = 0; i < size_; ++i) {
      if (!live_.opaque[i]) continue;
      for (std::size_t e = under_way_[i].find_first(); e != Bits::npos;
           e = under_way_[i].find_next(e))
        for (const int web : pending_[e].webs)
          live_.webs[static_cast<std::size_t>(web)].pinned = true;
    }
  }

  InterferenceGraph graph() const {
    InterferenceGraph graph(neighbours_.size());
    for (std::size_t a = 0; a < neighbours_.size(); ++a)
      for (std::size_t b = neighbours_[a].find_next(a); b != Bits::npos;
           b = neighbours_[a].find_next(b))
        boost::add_edge(a, b, graph);
    return graph;
  }

  const Function& function_;
  Liveness& live_;
  TimingTable timings_;
  std::size_t size_;
  std::vector<Pending> pending_;
  std::vector<Bits> under_way_;  ///< by instruction: which of pending_
  std::vector<Bits> neighbours_;
};

}  // namespace

InterferenceGraph find_interference(const Function& function, const Arch& arch, Liveness& live) {
  return Builder(function, arch, live).run();
}

}  // namespace smsim::optimize
