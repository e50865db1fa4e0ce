// SPDX-License-Identifier: MIT
// Dependency mode: control words for code that came without, as a compiler would write them.

#include "block/dependency_mode.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <unordered_map>
#include <vector>

#include "block/timing_table.hpp"
#include "execute/sync_barrier.hpp"
#include "isa/accesses.hpp"
#include "isa/control_word.hpp"
#include "isa/opcode.hpp"

namespace smsim {
namespace {

using isa::kBarriers;
using isa::OpClass;

constexpr std::size_t kUniform = 256;
constexpr std::size_t kPredicates = 512;
constexpr std::size_t kUniformPredicates = 520;
constexpr std::size_t kCarry = 528;
constexpr std::size_t kThings = 529;
/// Registers, uniform registers, predicates and the carry, by number.
using Things = std::bitset<kThings>;

constexpr int kNoUse = 1 << 20;      ///< nobody uses it within sight
constexpr std::size_t kSight = 512;  ///< instructions that a look ahead takes
constexpr int kPasses = 6;           ///< until what comes in over branches changes nothing
/// Compilers give branches so much.
constexpr std::uint8_t kBranchStall = 5;

void set_range(Things& things, std::size_t base, const isa::RegisterAccess& access) {
  for (std::size_t r = access.first; r < std::size_t{access.first} + access.count && r < 255; ++r)
    things.set(base + r);
}

void set_bits(Things& things, std::size_t base, std::uint8_t mask) {
  for (std::size_t p = 0; p < 7; ++p)
    if ((mask >> p & 1) != 0) things.set(base + p);
}

/// An instruction as this step sees it.
struct Node {
  Things reads;
  Things writes;
  int latency = 1;          ///< fixed: issue to the first user's issue
  bool variable = false;    ///< its result needs a barrier
  bool late_reads = false;  ///< its sources may not be overwritten before a barrier says so
  bool branch = false;
  bool joins = false;            ///< BAR.SYNC
  bool held = false;             ///< waits behind one
  std::size_t target = 0;        ///< of a branch: position; its own: none
  int first_use = kNoUse;        ///< instructions to the first user of its result
  int first_overwrite = kNoUse;  ///< and to the first that overwrites a source
  int write_barrier = kNoBarrier;
  int read_barrier = kNoBarrier;
  std::uint8_t wait = 0;
};

/// What the six barriers stand for at some place.
struct Pending {
  std::array<Things, kBarriers> results;
  std::array<Things, kBarriers> sources;
  std::array<int, kBarriers> wanted{};  ///< position of the first one to wait for it

  bool is_free(int barrier) const {
    const auto b = static_cast<std::size_t>(barrier);
    return results[b].none() && sources[b].none();
  }
  void clear(int barrier) {
    const auto b = static_cast<std::size_t>(barrier);
    results[b].reset();
    sources[b].reset();
  }
  /// Adds what `other` holds; true if that was new.
  bool merge(const Pending& other) {
    bool changed = false;
    for (std::size_t b = 0; b < kBarriers; ++b) {
      changed = changed || (other.results[b] & ~results[b]).any() ||
                (other.sources[b] & ~sources[b]).any();
      results[b] |= other.results[b];
      sources[b] |= other.sources[b];
    }
    return changed;
  }
};

class Scheduler {
 public:
  Scheduler(Function& function, const Arch& arch)
      : function_(function),
        arch_(arch),
        by_barriers_(arch.scheduler.dependencies == "barriers"),
        timings_(arch) {}

  void run() {
    make_nodes();
    if (by_barriers_) {
      for (std::size_t i = 0; i < nodes_.size(); ++i) look_ahead(i);
      for (int pass = 0; pass < kPasses; ++pass)
        if (!assign_barriers(pass == 0)) break;
    }
    assign_stalls();
    for (std::size_t i = 0; i < nodes_.size(); ++i) write_back(i);
  }

 private:
  void make_nodes() {
    std::unordered_map<std::uint64_t, std::size_t> at;
    const auto& all = function_.instructions;
    for (std::size_t i = 0; i < all.size(); ++i) at.emplace(all[i].address, i);
    for (std::size_t i = 0; i < all.size(); ++i) {
      Node& node = nodes_.emplace_back(make_node(all[i]));
      const auto found = all[i].target ? at.find(*all[i].target) : at.end();
      node.target = found != at.end() && node.branch ? found->second : i;
    }
    stalls_.assign(nodes_.size(), 1);
    incoming_.clear();
  }

  Node make_node(const Instruction& in) const {
    Node node;
    const isa::OpcodeRow* row = isa::find_opcode(in.opcode, in.control.format);
    const isa::Accesses accesses = isa::accesses(row, in);
    for (const auto& one : accesses.reads) set_range(node.reads, 0, one);
    for (const auto& one : accesses.writes) set_range(node.writes, 0, one);
    for (const auto& one : accesses.uniform_reads) set_range(node.reads, kUniform, one);
    for (const auto& one : accesses.uniform_writes) set_range(node.writes, kUniform, one);
    set_bits(node.reads, kPredicates, accesses.predicate_reads);
    set_bits(node.writes, kPredicates, accesses.predicate_writes);
    set_bits(node.reads, kUniformPredicates, accesses.uniform_predicate_reads);
    set_bits(node.writes, kUniformPredicates, accesses.uniform_predicate_writes);
    node.reads.set(kCarry, accesses.reads_carry);
    node.writes.set(kCarry, accesses.writes_carry);
    if (row == nullptr) return node;
    node.branch = isa::is_branch(row->op_class) || row->op_class == OpClass::exit;
    const InstructionTiming* timing = timings_.find(isa::class_of(*row, in));
    if (timing == nullptr) return node;
    node.latency = std::max(1, timing->latency_cycles);
    node.variable = timing->variable_latency;
    node.joins = row->op_class == OpClass::bar;
    node.held = waits_for_sync(isa::class_of(*row, in), route_of(arch_.pipes[timing->pipe]));
    node.late_reads = node.variable && timing->read_release_cycles > 0;
    return node;
  }

  /// The position behind `i` in the order in which the loop around `start` runs; the end: none.
  std::size_t follow(std::size_t i, std::size_t start) const {
    const Node& node = nodes_[i];
    return node.branch && node.target <= start && node.target <= i && node.target != i ? node.target
                                                                                       : i + 1;
  }

  /// Finds who uses the result of a variable-latency instruction first, and who overwrites a source
  /// before that.
  void look_ahead(std::size_t start) {
    Node& node = nodes_[start];
    if (!node.variable) return;
    std::size_t i = follow(start, start);
    for (std::size_t step = 1; step < kSight && i < nodes_.size(); ++step, i = follow(i, start)) {
      const Node& user = nodes_[i];
      if (((user.reads | user.writes) & node.writes).any()) {
        node.first_use = static_cast<int>(step);
        return;
      }
      if (node.first_overwrite == kNoUse && node.late_reads && (user.writes & node.reads).any())
        node.first_overwrite = static_cast<int>(step);
      if (i == start) return;
    }
  }

  /// One pass in the order of addresses; true if something came in over a branch that was not
  /// known.
  bool assign_barriers(bool chooses) {
    bool changed = false;
    Pending pending;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (const auto found = incoming_.find(i); found != incoming_.end())
        pending.merge(found->second);
      Node& node = nodes_[i];
      wait_for(node, pending);
      if (node.variable) raise(i, chooses, pending);
      if (node.branch && node.target != i)
        changed = incoming_[node.target].merge(pending) || changed;
    }
    return changed;
  }

  static void wait_for(Node& node, Pending& pending) {
    for (int b = 0; b < kBarriers; ++b) {
      const auto at = static_cast<std::size_t>(b);
      const bool waits = ((node.reads | node.writes) & pending.results[at]).any() ||
                         (node.writes & pending.sources[at]).any();
      if (!waits && (node.wait >> b & 1) == 0) continue;
      node.wait = static_cast<std::uint8_t>(node.wait | 1U << b);
      pending.clear(b);
    }
  }

  void raise(std::size_t i, bool chooses, Pending& pending) {
    Node& node = nodes_[i];
    const int at = static_cast<int>(i);
    if (chooses && node.writes.any()) node.write_barrier = choose(pending, at + node.first_use);
    if (node.write_barrier != kNoBarrier) {
      const auto b = static_cast<std::size_t>(node.write_barrier);
      if (pending.is_free(node.write_barrier)) pending.wanted[b] = at + node.first_use;
      pending.results[b] |= node.writes;
    }
    if (chooses && node.first_overwrite != kNoUse)
      node.read_barrier = choose(pending, at + node.first_overwrite);
    if (node.read_barrier != kNoBarrier) {
      const auto b = static_cast<std::size_t>(node.read_barrier);
      if (pending.is_free(node.read_barrier)) pending.wanted[b] = at + node.first_overwrite;
      pending.sources[b] |= node.reads;
    }
  }

  /// One that the same instruction waits for, else a free one, else the one that is wanted next to
  /// that time.
  static int choose(const Pending& pending, int wanted) {
    int best = 0;
    int best_distance = kNoUse * 4;
    for (int b = 0; b < kBarriers; ++b) {
      const bool is_free = pending.is_free(b);
      const int apart = std::abs(pending.wanted[static_cast<std::size_t>(b)] - wanted);
      const int distance = is_free ? 0 : apart == 0 ? -1 : apart;
      if (distance >= best_distance) continue;
      best = b;
      best_distance = distance;
    }
    return best;
  }

  // Stall counts.

  /// In the order of addresses, then once more over each loop's seam.
  void assign_stalls() {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].branch) stalls_[i] = kBranchStall;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < nodes_.size(); ++i) order.push_back(i);
    keep_distances(order);
    constexpr std::size_t kSeam = 24;  // no fixed latency reaches further
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t target = nodes_[i].target;
      if (!nodes_[i].branch || target >= i) continue;
      order.clear();
      for (std::size_t j = std::max(target, i - std::min(i, kSeam)); j <= i; ++j)
        order.push_back(j);
      for (std::size_t j = target; j < std::min(i, target + kSeam); ++j) order.push_back(j);
      keep_distances(order);
    }
  }

  struct Ready {
    long at = 0;           ///< on the clock of this order
    std::size_t step = 0;  ///< of the order, of who makes it
  };

  void keep_distances(const std::vector<std::size_t>& order) {
    std::vector<Ready> ready(kThings);
    std::array<Ready, kBarriers> visible{};
    Ready sync;
    long now = 0;
    for (std::size_t step = 0; step < order.size(); ++step) {
      const Node& node = nodes_[order[step]];
      Ready wanted{now, step};
      const auto want = [&](const Ready& one, long slack) {
        if (one.at - slack > wanted.at) wanted = {one.at - slack, one.step};
      };
      for_each(node.reads, [&](std::size_t thing) { want(ready[thing], 0); });
      for_each(node.writes, [&](std::size_t thing) { want(ready[thing], node.latency - 1); });
      for (std::size_t b = 0; b < kBarriers; ++b)
        if ((node.wait >> b & 1) != 0) want(visible[b], 0);
      if (node.held) want(sync, 0);
      now += lengthen(order, wanted.step, step, wanted.at - now);
      if (!node.variable)
        for_each(node.writes, [&](std::size_t thing) {
          ready[thing] = {now + node.latency, step};
        });
      if (node.joins) sync = {now + SyncBarrier::kHeldAfter, step};
      for (const int b : {node.write_barrier, node.read_barrier})
        if (b < kBarriers)
          visible[static_cast<std::size_t>(b)] = {now + arch_.scheduler.barrier_visible_cycles,
                                                  step};
      now += stalls_[order[step]];
    }
  }

  template <typename Visit>
  static void for_each(const Things& things, Visit visit) {
    if (things.none()) return;
    for (std::size_t t = 0; t < kThings; ++t)
      if (things[t]) visit(t);
  }

  /// Adds `missing` cycles to the instructions in front of `user`, the nearest first, back to
  /// `producer`; returns how many found room.
  long lengthen(const std::vector<std::size_t>& order, std::size_t producer, std::size_t user,
                long missing) {
    const int longest = by_barriers_ ? 15 : 32;
    long added = 0;
    for (std::size_t s = user; s-- > producer && missing > 0;) {
      std::uint8_t& stall = stalls_[order[s]];
      const long more = std::min<long>(missing, longest - stall);
      stall = static_cast<std::uint8_t>(stall + more);
      missing -= more;
      added += more;
    }
    return added;
  }

  void write_back(std::size_t i) {
    const Node& node = nodes_[i];
    ControlWord& control = function_.instructions[i].control;
    control.stall = stalls_[i];
    control.yield = stalls_[i] > isa::kLongestPlainStall && control.format != ControlFormat::kepler;
    control.write_barrier = static_cast<std::uint8_t>(node.write_barrier);
    control.read_barrier = static_cast<std::uint8_t>(node.read_barrier);
    control.wait_mask = node.wait;
  }

  Function& function_;
  const Arch& arch_;
  bool by_barriers_;
  TimingTable timings_;
  std::vector<Node> nodes_;
  std::vector<std::uint8_t> stalls_;
  std::unordered_map<std::size_t, Pending> incoming_;  ///< over branches, by position
};

}  // namespace

void assign_control_words(Function& function, const Arch& arch) { Scheduler(function, arch).run(); }

}  // namespace smsim
