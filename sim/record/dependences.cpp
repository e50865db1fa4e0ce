// SPDX-License-Identifier: MIT
// Dependences of a recorded iteration: which step needs what from which earlier one.
#include "record/dependences.hpp"

#include <array>
#include <optional>

#include "isa/accesses.hpp"
#include "isa/control_word.hpp"
#include "program/writers.hpp"

namespace smsim {
namespace {

constexpr std::size_t kPredicates = 8;

/// Where something was set last: a step of this iteration or of the one before.
struct Place {
  std::uint32_t step = 0;
  std::uint32_t iteration = 0;
};

/// Follows a path and remembers what set what.
class Follower {
 public:
  Follower(const Function& function, const Path& path) : function_(function), path_(path) {}

  /// One time round; with `out` the dependences of each step are written down.
  void walk(std::uint32_t iteration, Recording* out) {
    for (std::size_t i = 0; i < path_.steps.size(); ++i) {
      const Instruction& in = function_.instructions[path_.steps[i].index];
      const isa::Accesses seen = isa::accesses(isa::find_opcode(in.opcode), in);
      const Place here{static_cast<std::uint32_t>(i), iteration};
      if (out != nullptr) add(in, seen, here, *out);
      set_barriers(in, here);
      if (!path_.steps[i].predicated_off) write(in, seen, position(here));
    }
  }

 private:
  void add(const Instruction& in, const isa::Accesses& seen, Place here, Recording& out) {
    RecordedStep& step = out.steps[here.step];
    step.first_dependence = static_cast<std::uint32_t>(out.dependences.size());
    for (const isa::RegisterAccess& read : seen.reads)
      for (std::size_t r = read.first; r < std::size_t{read.first} + read.count; ++r)
        for (const std::size_t from : registers_.of(r))
          note(place(from), here, DependenceKind::reg, r, out);
    for (std::size_t p = 0; p < kPredicates; ++p)
      if (((seen.predicate_reads >> p) & 1U) != 0)
        for (const std::size_t from : predicates_.of(p))
          note(place(from), here, DependenceKind::predicate, p, out);
    for (std::size_t b = 0; b < isa::kBarriers; ++b) {
      if (((in.control.wait_mask >> b) & 1U) == 0) continue;
      note(write_barriers_[b], here, DependenceKind::write_barrier, b, out);
      note(read_barriers_[b], here, DependenceKind::read_barrier, b, out);
    }
    step.dependence_count =
        static_cast<std::uint32_t>(out.dependences.size()) - step.first_dependence;
  }

  static void note(const std::optional<Place>& from, Place here, DependenceKind kind,
                   std::size_t index, Recording& out) {
    if (!from) return;
    const RecordedDependence one{from->step, here.iteration - from->iteration, kind,
                                 static_cast<std::uint8_t>(index)};
    const RecordedStep& step = out.steps[here.step];
    for (std::size_t i = step.first_dependence; i < out.dependences.size(); ++i)
      if (out.dependences[i].step == one.step && out.dependences[i].distance == one.distance &&
          out.dependences[i].kind == kind && kind == DependenceKind::reg)
        return;  // a pair of registers is named once
    out.dependences.push_back(one);
  }

  std::size_t position(Place place) const {
    return place.iteration * path_.steps.size() + place.step;
  }
  Place place(std::size_t position) const {
    const std::size_t length = path_.steps.size();
    return {static_cast<std::uint32_t>(position % length),
            static_cast<std::uint32_t>(position / length)};
  }

  void write(const Instruction& in, const isa::Accesses& seen, std::size_t at) {
    const bool always = in.guard.index == kPT;
    for (const isa::RegisterAccess& write : seen.writes)
      for (std::size_t r = write.first; r < std::size_t{write.first} + write.count; ++r)
        registers_.write(r, at, always);
    for (std::size_t p = 0; p < kPredicates; ++p)
      if (((seen.predicate_writes >> p) & 1U) != 0) predicates_.write(p, at, always);
  }

  void set_barriers(const Instruction& in, Place here) {
    if (in.control.write_barrier < isa::kBarriers) write_barriers_[in.control.write_barrier] = here;
    if (in.control.read_barrier < isa::kBarriers) read_barriers_[in.control.read_barrier] = here;
  }

  const Function& function_;
  const Path& path_;
  program::Writers registers_;
  program::Writers predicates_;
  std::array<std::optional<Place>, isa::kBarriers> write_barriers_{};
  std::array<std::optional<Place>, isa::kBarriers> read_barriers_{};
};

}  // namespace

void add_steps(const Function& function, const Path& path, Recording& out) {
  for (const PathStep& step : path.steps) {
    const Instruction& in = function.instructions[step.index];
    RecordedStep row;
    row.address = in.address;
    row.text = in.text;
    row.control = in.control;
    out.steps.push_back(std::move(row));
  }
  Follower follower(function, path);
  if (path.is_loop) follower.walk(0, nullptr);
  follower.walk(1, &out);
}

}  // namespace smsim
