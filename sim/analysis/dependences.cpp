// SPDX-License-Identifier: MIT
// Dependences of an iteration: which instruction needs which other one's register, predicate or
// barrier, and how long after it that lets it issue.
#include "analysis/dependences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "block/timing_table.hpp"
#include "isa/accesses.hpp"
#include "program/writers.hpp"

namespace smsim::analysis {
namespace {

using program::Writers;

constexpr std::size_t kPredicates = 8;

/// Walks the iteration twice, so that the second time every value that the loop carries is known.
class Finder {
 public:
  Finder(const Prepared& prepared, const Arch& arch, const WarpPath& path)
      : prepared_(prepared), path_(path), timings_(arch), length_(prepared.path.steps.size()) {}

  std::vector<DependenceEdge> run() {
    for (std::size_t i = 0; i < length_; ++i) {
      const Instruction& in = instruction(i);
      const isa::OpcodeRow* row = isa::find_opcode(in.opcode);
      accesses_.push_back(isa::accesses(row, in));
      latency_.push_back(latency_of(i, row));
    }
    const std::size_t rounds = prepared_.path.is_loop ? 2 : 1;
    for (std::size_t at = 0; at < rounds * length_; ++at)
      visit(at, at + length_ >= rounds * length_);
    add_barriers();
    std::vector<DependenceEdge> edges;
    for (auto& [place, edge] : edges_) edges.push_back(std::move(edge));
    return edges;
  }

 private:
  using Place = std::tuple<std::size_t, std::size_t, int>;  ///< to, from, distance

  const Instruction& instruction(std::size_t i) const {
    return prepared_.function->instructions[prepared_.path.steps[i].index];
  }

  int latency_of(std::size_t i, const isa::OpcodeRow* row) const {
    if (path_.write_latency(i) > 0) return path_.write_latency(i);
    const InstructionTiming* timing = row != nullptr ? timings_.find(row->op_class) : nullptr;
    return timing != nullptr ? timing->latency_cycles : 1;
  }

  void visit(std::size_t at, bool count) {
    const std::size_t i = at % length_;
    const isa::Accesses& a = accesses_[i];
    if (count) {
      read(at, registers_, a.reads, EdgeKind::register_value, "R");
      read(at, predicates_, a.predicate_reads, EdgeKind::predicate, "P");
      read(at, uniforms_, a.uniform_reads, EdgeKind::uniform_register, "UR");
      read(at, uniform_predicates_, a.uniform_predicate_reads, EdgeKind::uniform_predicate, "UP");
    }
    if (prepared_.path.steps[i].predicated_off) return;
    const bool always = instruction(i).guard.index == kPT;
    write(at, registers_, a.writes, always);
    write(at, predicates_, a.predicate_writes, always);
    write(at, uniforms_, a.uniform_writes, always);
    write(at, uniform_predicates_, a.uniform_predicate_writes, always);
  }

  void read(std::size_t at, const Writers& file, const std::vector<isa::RegisterAccess>& list,
            EdgeKind kind, const char* letter) {
    for (const isa::RegisterAccess& access : list)
      for (std::size_t r = access.first; r < std::size_t{access.first} + access.count; ++r)
        add(at, file, r, kind, letter);
  }

  void read(std::size_t at, const Writers& file, std::uint8_t mask, EdgeKind kind,
            const char* letter) {
    for (std::size_t p = 0; p < kPredicates; ++p)
      if (((mask >> p) & 1U) != 0) add(at, file, p, kind, letter);
  }

  static void write(std::size_t at, Writers& file, const std::vector<isa::RegisterAccess>& list,
                    bool always) {
    for (const isa::RegisterAccess& access : list)
      for (std::size_t r = access.first; r < std::size_t{access.first} + access.count; ++r)
        file.write(r, at, always);
  }

  static void write(std::size_t at, Writers& file, std::uint8_t mask, bool always) {
    for (std::size_t p = 0; p < kPredicates; ++p)
      if (((mask >> p) & 1U) != 0) file.write(p, at, always);
  }

  void add(std::size_t at, const Writers& file, std::size_t name, EdgeKind kind,
           const char* letter) {
    for (const std::size_t writer : file.of(name)) {
      const auto distance = static_cast<int>(at / length_ - writer / length_);
      const std::size_t from = writer % length_;
      const std::size_t to = at % length_;
      const int latency = latency_[from];
      const int cycles = std::min(latency, path_.enforced(from, to, distance));
      join({from, to, distance, kind, fmt::format("{}{}", letter, name), latency, cycles, false});
    }
  }

  void add_barriers() {
    for (const BarrierEdge& b : path_.barriers())
      join({b.from, b.to, b.distance, b.write ? EdgeKind::write_barrier : EdgeKind::read_barrier,
            fmt::format("B{}", b.barrier), b.cycles, b.cycles, false});
  }

  /// One edge for each pair and distance: the longest, with the names of all.
  void join(DependenceEdge edge) {
    const auto [at, fresh] = edges_.try_emplace({edge.to, edge.from, edge.distance}, edge);
    DependenceEdge& known = at->second;
    if (fresh) return;
    if (!names(known.what, edge.what)) known.what += " " + edge.what;
    known.latency = std::max(known.latency, edge.latency);
    if (edge.cycles > known.cycles) {
      known.cycles = edge.cycles;
      known.kind = edge.kind;
    }
  }

  static bool names(const std::string& all, const std::string& one) {
    return (" " + all + " ").find(" " + one + " ") != std::string::npos;
  }

  const Prepared& prepared_;
  const WarpPath& path_;
  TimingTable timings_;
  std::size_t length_;
  std::vector<isa::Accesses> accesses_;
  std::vector<int> latency_;
  Writers registers_;
  Writers predicates_;
  Writers uniforms_;
  Writers uniform_predicates_;
  std::map<Place, DependenceEdge> edges_;
};

}  // namespace

std::vector<DependenceEdge> find_dependences(const Prepared& prepared, const Arch& arch,
                                             const WarpPath& path) {
  return Finder(prepared, arch, path).run();
}

std::vector<DependenceEdge> issue_order(std::size_t length, bool is_loop, const WarpPath& path) {
  std::vector<DependenceEdge> edges;
  for (std::size_t i = 0; i < length; ++i) {
    const bool last = i + 1 == length;
    if (last && !is_loop) break;
    const int cycles = path.control_cycles(i);
    edges.push_back(
        {i, last ? 0 : i + 1, last ? 1 : 0, EdgeKind::issue_order, "", cycles, cycles, false});
  }
  for (const BarrierEdge& sync : path.syncs())
    edges.push_back({sync.from, sync.to, sync.distance, EdgeKind::issue_order, "BAR.SYNC",
                     sync.cycles, sync.cycles, false});
  for (const BarrierEdge& fetch : path.fetches())
    edges.push_back({fetch.from, fetch.to, fetch.distance, EdgeKind::issue_order, "code line",
                     fetch.cycles, fetch.cycles, false});
  return edges;
}

std::vector<RatioEdge> ratio_edges(const std::vector<DependenceEdge>& edges) {
  std::vector<RatioEdge> result;
  for (const DependenceEdge& e : edges) result.push_back({e.from, e.to, e.cycles, e.distance});
  return result;
}

}  // namespace smsim::analysis
