// SPDX-License-Identifier: MIT
// Bounds: each limit of a loop taken alone, beside the simulation.
#include <algorithm>
#include <functional>

#include "analysis/dependences.hpp"
#include "block/compile.hpp"
#include "block/resources.hpp"

namespace smsim {
namespace {

using namespace analysis;

/// Limits of one warp: they are there whatever the other warps do.
class WarpLimits {
 public:
  WarpLimits(const Prepared& prepared, const CompiledLoop& loop, const Arch& arch, int warps)
      : is_loop_(loop.is_loop), length_(loop.length), path_(loop, arch, warps) {
    dependences_ = find_dependences(prepared, arch, path_);
  }

  std::vector<Bound> all() const {
    std::vector<Bound> bounds;
    bounds.push_back({"loop_carried", "values that an iteration hands to the next one",
                      limit(ratio_edges(dependences_))});
    bounds.push_back({"stall_counts", "stall counts, yields and taken branches of one warp",
                      limit(chain([this](std::size_t i) { return path_.control_cycles(i); }))});
    add_waits(bounds);
    add_sync(bounds);
    auto everything = chain([this](std::size_t i) { return path_.control_cycles(i); });
    add(path_.barriers(), everything);
    add(path_.syncs(), everything);
    add(path_.fetches(), everything);
    bounds.push_back({"one_warp", "what holds one warp back, each operation as fast as alone",
                      limit(everything)});
    return bounds;
  }

 private:
  void add_waits(std::vector<Bound>& bounds) const {
    if (path_.barriers().empty()) return;
    auto waits = chain([this](std::size_t i) { return slot_cycles(i); });
    add(path_.barriers(), waits);
    bounds.push_back(
        {"dependency_barriers", "waits of one warp on its dependency barriers", limit(waits)});
  }

  void add_sync(std::vector<Bound>& bounds) const {
    if (path_.syncs().empty()) return;
    auto syncs = chain([this](std::size_t i) { return slot_cycles(i); });
    add(path_.syncs(), syncs);
    bounds.push_back(
        {"bar_sync", "BAR.SYNC, with all warps there as soon as they can", limit(syncs)});
  }

  /// Least distance of an instruction to the next one of its warp: none if both may issue together.
  int slot_cycles(std::size_t i) const { return std::min(1, path_.control_cycles(i)); }

  std::vector<RatioEdge> chain(const std::function<int(std::size_t)>& cycles) const {
    std::vector<RatioEdge> edges;
    for (std::size_t i = 0; i + 1 < length_; ++i) edges.push_back({i, i + 1, cycles(i), 0});
    if (is_loop_ && length_ > 0) edges.push_back({length_ - 1, 0, cycles(length_ - 1), 1});
    return edges;
  }

  static void add(const std::vector<BarrierEdge>& more, std::vector<RatioEdge>& edges) {
    for (const BarrierEdge& b : more) edges.push_back({b.from, b.to, b.cycles, b.distance});
  }

  /// Cycles per iteration that the edges leave at least; of a pass, until its last instruction has
  /// issued.
  double limit(const std::vector<RatioEdge>& edges) const {
    if (!is_loop_) return static_cast<double>(longest_path(length_, edges).cycles + 1);
    const auto critical = maximum_cycle_ratio(length_, edges);
    return critical ? critical->ratio() : 0;
  }

  bool is_loop_;
  std::size_t length_;
  WarpPath path_;
  std::vector<DependenceEdge> dependences_;
};

ResourceUse describe_use(const ResourceMatrix& matrix, int warps, const Arch& arch) {
  const int on_block = (warps + arch.processing_blocks - 1) / arch.processing_blocks;
  ResourceUse use;
  for (const Resource& r : matrix.resources) {
    use.resources.push_back(r.name);
    use.warps.push_back(r.of_sm ? warps : on_block);
  }
  for (Eigen::Index i = 0; i < matrix.use.rows(); ++i) {
    use.rows.emplace_back();
    for (Eigen::Index r = 0; r < matrix.use.cols(); ++r)
      use.rows.back().push_back(matrix.use(i, r));
  }
  return use;
}

void add_resource_bounds(const ResourceMatrix& matrix, const Eigen::VectorXd& cycles,
                         std::vector<Bound>& bounds) {
  for (std::size_t r = 0; r < matrix.resources.size(); ++r)
    bounds.push_back({matrix.resources[r].name, std::string(matrix.resources[r].help),
                      cycles[static_cast<Eigen::Index>(r)]});
}

}  // namespace

Expected<Bounds> bounds(const Program& program, const Arch& arch, const SimulateOptions& options) {
  auto prepared = prepare(program, arch, options);
  if (!prepared) return tl::unexpected(prepared.error());
  auto simulated = simulate(*prepared, arch, options);
  if (!simulated) return tl::unexpected(simulated.error());
  const auto compiled = compile(program, *prepared->function, prepared->path, arch, options);
  if (!compiled) return tl::unexpected(compiled.error());

  Bounds result;
  const CompiledLoop& loop = compiled->loop;
  const ResourceMatrix matrix = resource_use(loop, arch);
  result.bounds = WarpLimits(*prepared, loop, arch, options.warps).all();
  add_resource_bounds(matrix, busy_cycles(matrix, loop.is_loop, options.warps, arch),
                      result.bounds);
  std::erase_if(result.bounds, [](const Bound& b) { return b.cycles <= 0; });
  std::stable_sort(result.bounds.begin(), result.bounds.end(),
                   [](const Bound& a, const Bound& b) { return a.cycles > b.cycles; });
  for (Bound& b : result.bounds)
    b.tight = b.cycles >= (1 - kTightShare) * simulated->cycles_per_iteration;
  result.use = describe_use(matrix, options.warps, arch);
  result.simulated = std::move(*simulated);
  return result;
}

}  // namespace smsim
