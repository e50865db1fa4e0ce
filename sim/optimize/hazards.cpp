// SPDX-License-Identifier: MIT
// Hazards that control codes have to keep apart and do not: results read too early, results and
// sources that nobody waits for.
#include "optimize/hazards.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "block/timing_table.hpp"
#include "optimize/hazards_latency.hpp"
#include "optimize/hazards_walk.hpp"

namespace smsim::optimize {
namespace {

using isa::OpClass;

class HazardFinder {
 public:
  explicit HazardFinder(const HazardInput& input) : input_(input) {}

  std::vector<Hazard> all() {
    for (std::size_t i = 0; i < input_.code.size(); ++i) {
      find_of_stalls(i);
      find_of_waits(i);
    }
    return sorted();
  }

  std::vector<Hazard> of_stalls() {
    for (std::size_t i = 0; i < input_.code.size(); ++i) find_of_stalls(i);
    return sorted();
  }

  std::vector<Hazard> of_stalls(const std::vector<std::size_t>& from) {
    for (const std::size_t i : from) find_of_stalls(i);
    return sorted();
  }

  std::vector<Hazard> of_waits(const std::vector<std::size_t>& from) {
    for (const std::size_t i : from) find_of_waits(i);
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

  void find_of_stalls(std::size_t i) {
    find_early_waits(i);
    find_early_behind(i);
    if (!is_variable(input_, i)) find_early(i);
  }

  void find_of_waits(std::size_t i) {
    if (!is_variable(input_, i) || has_scoreboard(input_)) return;
    for (const PlaceWrite& write : node(i).writes) find_unwaited(i, write.place);
    find_overwritten_sources(i);
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
    const InstructionTiming* timing = input_.timings[i];
    const int unknown = timing == nullptr ? 0 : timing->latency_cycles;
    const int longest = std::max(longest_latency(input_.sm, node(i), write), unknown);
    Walk walk(input_, i, std::min(longest, kHorizon - 1));
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
  HazardInput input{function, arch, build_code(function), sm, {}, {}};
  input.previous.resize(input.code.size());
  for (std::size_t i = 0; i < input.code.size(); ++i)
    for (const Step& step : input.code[i].next) input.previous[step.to].push_back(i);
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
  if (isa::is_overlong(control) && scheduler.overlong_stall_cycles > 0)
    return isa::overlong_cycles(control, scheduler.overlong_stall_cycles);
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

std::vector<Hazard> find_hazards(const HazardInput& input) { return HazardFinder(input).all(); }

std::vector<Hazard> find_stall_hazards(const HazardInput& input) {
  return HazardFinder(input).of_stalls();
}

std::vector<Hazard> find_stall_hazards(const HazardInput& input,
                                       const std::vector<std::size_t>& from) {
  return HazardFinder(input).of_stalls(from);
}

std::vector<Hazard> find_wait_hazards(const HazardInput& input,
                                      const std::vector<std::size_t>& from) {
  return HazardFinder(input).of_waits(from);
}

std::vector<std::size_t> near_before(const HazardInput& input, std::size_t index) {
  std::map<std::size_t, int> nearest = {{index, 0}};
  std::vector<std::size_t> open = {index};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (const std::size_t before : input.previous[at]) {
      const int cycles = nearest[at] + held_cycles(input, before);
      if (cycles >= kHorizon) continue;
      const auto [known, fresh] = nearest.emplace(before, cycles);
      if (!fresh && known->second <= cycles) continue;
      known->second = cycles;
      open.push_back(before);
    }
  }
  std::vector<std::size_t> all;
  for (const auto& [at, cycles] : nearest) all.push_back(at);
  return all;
}

std::vector<std::size_t> unwaited_before(const HazardInput& input, std::size_t index, int barrier) {
  std::set<std::size_t> seen;
  std::vector<std::size_t> open = {index};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (const std::size_t before : input.previous[at]) {
      if (!seen.insert(before).second) continue;
      if (((input.code[before].in->control.wait_mask >> barrier) & 1) == 0) open.push_back(before);
    }
  }
  return {seen.begin(), seen.end()};
}

}  // namespace smsim::optimize
