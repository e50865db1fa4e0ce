// SPDX-License-Identifier: MIT
// Hazards that control codes have to keep apart and do not: results read too early, results and
// sources that nobody waits for.
#include "optimize/hazards.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>

#include "block/timing_table.hpp"
#include "optimize/hazards_latency.hpp"

namespace smsim::optimize {
namespace {

using isa::OpClass;

/// Longer than any fixed latency.
constexpr int kHorizon = 64;

bool raises(const ControlWord& control, int barrier) {
  return control.write_barrier == barrier || control.read_barrier == barrier;
}

/// Where a walk stands: what it has passed decides what still protects it.
struct State {
  int elapsed = 0;
  std::size_t at = 0;
  std::size_t before = 0;
  std::uint8_t covering = 0;   ///< barriers that tell that what the walk is about is over
  std::uint8_t later = 0;      ///< how often others raised the first of them since
  bool guard_changed = false;  ///< the guard of the walk's origin was written since
  bool taken = false;

  bool operator>(const State& other) const {
    return std::tie(elapsed, at, covering) > std::tie(other.elapsed, other.at, other.covering);
  }
};

std::uint8_t bit(int barrier) {
  return static_cast<std::uint8_t>(barrier < kNoBarrier ? 1U << barrier : 0U);
}

/// Barriers that DEPBAR.LE lets pass only once they are down, or nearly.
struct PartialWait {
  int barrier = -1;
  int left = 0;           ///< how many may still be under way
  std::uint8_t zero = 0;  ///< others that have to be down
};

PartialWait partial_wait(const Node& node) {
  PartialWait wait;
  if (node.op_class != OpClass::depbar) return wait;
  for (const Operand& operand : node.in->operands) {
    if (operand.kind == OperandKind::scoreboard && wait.barrier < 0)
      wait.barrier = operand.index;
    else if (operand.kind == OperandKind::immediate)
      wait.left = static_cast<int>(operand.value);
    else
      for (const char c : operand.text)
        if (c >= '0' && c <= '5')
          wait.zero = static_cast<std::uint8_t>(wait.zero | 1U << (c - '0'));
  }
  return wait;
}

/// Follows every way on from an instruction until it is over with what the walk is about.
class Walk {
 public:
  enum class Next : std::uint8_t { go_on, stop };
  using Visit = std::function<Next(const State&)>;
  using Cover = std::function<std::uint8_t(std::size_t later)>;

  Walk(const HazardInput& input, std::size_t from, int horizon)
      : input_(input), from_(from), horizon_(horizon) {}

  void run(std::uint8_t covering, const Cover& covers, const Visit& visit) {
    covering_ = covering;
    push_next({0, from_, from_, covering, 0, false, false});
    while (!queue_.empty()) {
      State state = queue_.top();
      queue_.pop();
      if (state.elapsed > horizon_ || seen(state)) continue;
      if (is_covered(state) || visit(state) == Next::stop) continue;
      pass(state, covers);
      push_next(state);
    }
  }

 private:
  /// A barrier counts here even where its rise is not yet seen: that is a finding of its own.
  bool is_covered(const State& state) const {
    const Node& node = input_.code[state.at];
    if ((node.in->control.wait_mask & state.covering) != 0) return true;
    const PartialWait wait = partial_wait(node);
    if ((wait.zero & state.covering) != 0) return true;
    if (wait.barrier < 0 || (bit(wait.barrier) & state.covering) == 0) return false;
    return state.later >= wait.left;
  }

  void pass(State& state, const Cover& covers) const {
    const Node& node = input_.code[state.at];
    state.covering = static_cast<std::uint8_t>(state.covering | covers(state.at));
    for (int b = 0; b < 6; ++b)
      if ((covering_ & bit(b)) != 0 && raises(node.in->control, b) && state.later < 63)
        ++state.later;
    const Guard& guard = input_.code[from_].in->guard;
    const Place asked = {guard.uniform ? Space::uniform_predicate : Space::predicate,
                         static_cast<std::uint8_t>(guard.index)};
    state.guard_changed = state.guard_changed || node.writes_place(asked);
  }

  void push_next(const State& state) {
    const int cycles = std::min(state.elapsed + held_cycles(input_, state.at), kHorizon);
    for (const Step& step : input_.code[state.at].next) {
      State next = state;
      next.elapsed = cycles;
      next.before = state.at;
      next.at = step.to;
      next.taken = state.taken || step.taken;
      queue_.push(next);
    }
  }

  /// Whether it was here before with no more to protect it. States come by ascending time.
  bool seen(const State& state) {
    auto& been = been_[state.at];
    const int key = state.covering | (state.guard_changed ? 0 : 0x80);
    for (const int other : been)
      if ((other & key) == other) return true;
    been.push_back(key);
    return false;
  }

  const HazardInput& input_;
  std::size_t from_;
  int horizon_;
  std::uint8_t covering_ = 0;
  std::map<std::size_t, std::vector<int>> been_;
  std::priority_queue<State, std::vector<State>, std::greater<>> queue_;
};

class Finder {
 public:
  explicit Finder(const HazardInput& input) : input_(input) {}

  std::vector<Hazard> all() {
    const bool scoreboard = has_scoreboard(input_);
    for (std::size_t i = 0; i < input_.code.size(); ++i) {
      find_early_waits(i);
      find_early_behind(i);
      if (!is_variable(input_, i)) {
        find_early(i);
      } else if (!scoreboard) {
        for (const PlaceWrite& write : input_.code[i].writes) find_unwaited(i, write.place);
        find_overwritten_sources(i);
      }
    }
    return sorted();
  }

  std::vector<Hazard> of_stalls() {
    for (std::size_t i = 0; i < input_.code.size(); ++i) {
      find_early_waits(i);
      find_early_behind(i);
      if (!is_variable(input_, i)) find_early(i);
    }
    return sorted();
  }

  std::vector<Hazard> of_stalls(const std::vector<std::size_t>& writers) {
    for (const std::size_t i : writers)
      if (!is_variable(input_, i)) find_early(i);
    return sorted();
  }

 private:
  std::vector<Hazard> sorted() {
    std::sort(found_.begin(), found_.end(), [](const Hazard& a, const Hazard& b) {
      return std::tie(a.to, a.from, a.kind, a.place.space, a.place.index) <
             std::tie(b.to, b.from, b.kind, b.place.space, b.place.index);
    });
    return std::move(found_);
  }

  /// What comes too close behind BAR.SYNC is not held by it.
  void find_early_behind(std::size_t i) {
    const OpClass op_class = isa::general_class(node(i).op_class);
    if (op_class != OpClass::bar && op_class != OpClass::membar && op_class != OpClass::depbar)
      return;
    constexpr int kLongestHold = 8;
    Walk walk(input_, i, kLongestHold);
    walk.run(
        0, [](std::size_t) { return std::uint8_t{0}; },
        [&](const State& state) {
          const Latency latency = distance_behind(input_.sm, op_class, node(state.at).op_class);
          if (latency.cycles > state.elapsed) add(HazardKind::early_behind, i, state, {}, latency);
          return Walk::Next::go_on;
        });
  }

  void find_early(std::size_t i) {
    for (const PlaceWrite& write : input_.code[i].writes) find_early_reads(i, write);
    find_early_writes(i);
  }

  const Node& node(std::size_t i) const { return input_.code[i]; }

  void add(HazardKind kind, std::size_t from, const State& state, Place place, Latency latency) {
    found_.push_back({kind, from, state.at, state.before, place, state.elapsed, latency.cycles,
                      latency.source, state.taken});
  }

  bool apart(std::size_t from, const State& state) const {
    return !state.guard_changed && exclusive(node(from).in->guard, node(state.at).in->guard);
  }

  /// The rise of a barrier is seen from the second cycle on.
  void find_early_waits(std::size_t i) {
    const ControlWord& control = node(i).in->control;
    const auto raised =
        static_cast<std::uint8_t>(bit(control.write_barrier) | bit(control.read_barrier));
    // A yield at a stall count of 1 costs a cycle more.
    const int held =
        held_cycles(input_, i) +
        (control.yield && control.stall == 1 ? input_.arch.scheduler.yield_bubble_cycles : 0);
    const int visible = input_.arch.scheduler.barrier_visible_cycles;
    if (raised == 0 || held >= visible) return;
    for (const Step& step : node(i).next) {
      if ((node(step.to).in->control.wait_mask & raised) == 0) continue;
      found_.push_back({HazardKind::wait_too_soon,
                        i,
                        step.to,
                        i,
                        {},
                        held,
                        visible,
                        "measured on an H200, published for Maxwell and Ampere",
                        step.taken});
    }
  }

  void find_early_reads(std::size_t i, const PlaceWrite& write) {
    Walk walk(input_, i, kHorizon - 1);
    const auto none = [](std::size_t) { return std::uint8_t{0}; };
    walk.run(bit(node(i).in->control.write_barrier), none, [&](const State& state) {
      const Node& reader = node(state.at);
      const bool together = !apart(i, state);
      for (const PlaceRead& read : reader.reads) {
        if (read.place != write.place || !(together || read.use == Use::guard)) continue;
        const Latency latency = latency_of(i, write, reader, read);
        if (latency.cycles <= state.elapsed) continue;
        add(HazardKind::early_read, i, state, write.place, latency);
        break;
      }
      if (together) find_early_overwrite(i, state, write);
      return ends(i, state, write.place) ? Walk::Next::stop : Walk::Next::go_on;
    });
  }

  /// Of two results for one place the later one has to come later.
  void find_early_overwrite(std::size_t i, const State& state, const PlaceWrite& write) {
    for (const PlaceWrite& other : node(state.at).writes) {
      if (other.place != write.place) continue;
      const Latency needed = distance_between(i, write, state.at, other);
      if (needed.cycles > state.elapsed)
        add(HazardKind::early_overwrite, i, state, write.place, needed);
    }
  }

  /// Cycles that have to lie between them.
  Latency distance_between(std::size_t i, const PlaceWrite& write, std::size_t later,
                           const PlaceWrite& other) const {
    const Latency known =
        distance_after_write(input_.sm, write.place.space, node(i).op_class, node(later).op_class);
    if (known.cycles > 0 || is_variable(input_, later)) return known;
    const Latency first = result_latency(input_.sm, node(i), write);
    const Latency second = result_latency(input_.sm, node(later), other);
    if (second.cycles == 0) return {};
    return {first.cycles - second.cycles, first.source};
  }

  /// A queue's result, or a uniform move, that overtakes a reading.
  void find_early_writes(std::size_t i) {
    constexpr int kLongestReading = 3;
    std::vector<Place> done;
    for (const PlaceRead& read : node(i).reads) {
      const bool counted = read.place.space == Space::reg || read.place.space == Space::uniform_reg;
      if (!counted || std::find(done.begin(), done.end(), read.place) != done.end()) continue;
      done.push_back(read.place);
      Walk walk(input_, i, kLongestReading);
      walk.run(
          0, [](std::size_t) { return std::uint8_t{0}; },
          [&](const State& state) {
            if (!node(state.at).writes_place(read.place) || apart(i, state))
              return Walk::Next::go_on;
            const Latency needed = distance_after_read(input_.sm, read.place.space,
                                                       node(i).op_class, node(state.at).op_class);
            if (needed.cycles > state.elapsed)
              add(HazardKind::early_write, i, state, read.place, needed);
            return Walk::Next::stop;
          });
    }
  }

  Latency latency_of(std::size_t i, const PlaceWrite& write, const Node& reader,
                     const PlaceRead& read) const {
    const Latency latency = read_latency(input_.sm, node(i), write, reader, read);
    if (latency.cycles > 0) return latency;
    const InstructionTiming* timing = input_.timings[i];
    if (timing == nullptr) return {};
    return {timing->latency_cycles, "the architecture's config"};
  }

  /// Whether the place holds another value from here on.
  bool ends(std::size_t i, const State& state, Place place) const {
    const Node& writer = node(state.at);
    return writer.writes_place(place) &&
           (covers(writer.in->guard, node(i).in->guard) && !state.guard_changed
                ? true
                : writer.in->guard.index == kPT);
  }

  void find_unwaited(std::size_t i, Place place) {
    Walk walk(input_, i, kHorizon);
    const auto covers = [&](std::size_t later) {
      if (!ends_in_order(input_, i, later)) return std::uint8_t{0};
      return bit(node(later).in->control.write_barrier);
    };
    walk.run(bit(node(i).in->control.write_barrier), covers, [&](const State& state) {
      const Node& other = node(state.at);
      const bool together = !apart(i, state);
      if (together && other.reads_place(place)) {
        add(HazardKind::result_not_waited, i, state, place, {});
        return Walk::Next::stop;
      }
      if (!other.writes_place(place)) return Walk::Next::go_on;
      const bool ordered = is_variable(input_, state.at) && ends_in_order(input_, i, state.at);
      if (together && !ordered) add(HazardKind::result_overwritten, i, state, place, {});
      return together ? Walk::Next::stop : Walk::Next::go_on;
    });
  }

  void find_overwritten_sources(std::size_t i) {
    const ControlWord& control = node(i).in->control;
    for (const PlaceRead& read : node(i).reads) {
      if (read.place.space != Space::reg || node(i).writes_place(read.place)) continue;
      Walk walk(input_, i, kHorizon);
      const auto covers = [&](std::size_t later) {
        if (!reads_in_order(input_, i, later)) return std::uint8_t{0};
        const ControlWord& other = node(later).in->control;
        return static_cast<std::uint8_t>(bit(other.write_barrier) | bit(other.read_barrier));
      };
      const auto own =
          static_cast<std::uint8_t>(bit(control.write_barrier) | bit(control.read_barrier));
      walk.run(own, covers, [&](const State& state) {
        if (!node(state.at).writes_place(read.place) || apart(i, state)) return Walk::Next::go_on;
        const bool ordered = is_variable(input_, state.at) && reads_in_order(input_, i, state.at);
        if (!ordered) add(HazardKind::source_overwritten, i, state, read.place, {});
        return Walk::Next::stop;
      });
    }
  }

  const HazardInput& input_;
  std::vector<Hazard> found_;
};

}  // namespace

HazardInput hazard_input(const Function& function, const Arch& arch) {
  int sm = function.sm;
  if (sm == 0 && !arch.compute_capabilities.empty()) sm = arch.compute_capabilities.front();
  HazardInput input{function, arch, build_code(function), sm, {}};
  const TimingTable timings(arch);
  for (const Node& node : input.code)
    input.timings.push_back(node.row == nullptr ? nullptr : timings.find(node.op_class));
  return input;
}

int held_cycles(const HazardInput& input, std::size_t index) {
  const Node& node = input.code[index];
  const ControlWord& control = node.in->control;
  const SchedulerSpec& scheduler = input.arch.scheduler;
  if (control.format != ControlFormat::volta) return control.stall;
  constexpr int kLongest = 11;
  if (control.stall > kLongest && !control.yield && scheduler.overlong_stall_cycles > 0)
    return scheduler.overlong_stall_cycles;
  if (control.stall == 0)
    return control.yield ? std::max(1, scheduler.yielded_zero_stall_cycles) : 1;
  return control.stall;
}

bool is_variable(const HazardInput& input, std::size_t index) {
  const InstructionTiming* timing = input.timings[index];
  if (timing == nullptr) return false;
  const Protection protection = protection_of(input.sm, input.code[index].op_class);
  if (protection != Protection::as_config) return protection == Protection::waited;
  return timing->variable_latency;
}

bool reads_in_order(const HazardInput& input, std::size_t earlier, std::size_t later) {
  const Queue queue = queue_order(input.sm, input.code[earlier].op_class).queue;
  return queue != Queue::none && queue == queue_order(input.sm, input.code[later].op_class).queue;
}

bool ends_in_order(const HazardInput& input, std::size_t earlier, std::size_t later) {
  return reads_in_order(input, earlier, later) &&
         queue_order(input.sm, input.code[earlier].op_class).results &&
         queue_order(input.sm, input.code[later].op_class).results;
}

bool has_scoreboard(const HazardInput& input) {
  return input.arch.scheduler.dependencies == "scoreboard";
}

std::vector<Hazard> find_hazards(const HazardInput& input) { return Finder(input).all(); }

std::vector<Hazard> find_stall_hazards(const HazardInput& input) {
  return Finder(input).of_stalls();
}

std::vector<Hazard> find_stall_hazards(const HazardInput& input,
                                       const std::vector<std::size_t>& writers) {
  return Finder(input).of_stalls(writers);
}

}  // namespace smsim::optimize
