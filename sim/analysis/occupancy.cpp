// SPDX-License-Identifier: MIT
// Occupancy: the loop with 1 to as many warps as an SM holds, and where more of them stop helping.
#include <algorithm>
#include <mutex>
#include <optional>

#include "block/prepare.hpp"
#include "core/parallel.hpp"
#include "smsim/analysis.hpp"

namespace smsim {
namespace {

using OnPoint = std::function<void(std::size_t)>;

/// Simulates every number of warps, on all cores: they share nothing but what is read.
std::vector<std::optional<Expected<Result>>> simulate_all(const Prepared& prepared,
                                                          const Arch& arch,
                                                          const SimulateOptions& options,
                                                          std::size_t most,
                                                          const OnPoint& on_point) {
  std::vector<std::optional<Expected<Result>>> results(most);
  std::mutex one_at_a_time;
  std::size_t done = 0;
  in_parallel(results.size(), 0, [&](std::size_t i) {
    SimulateOptions one = options;
    one.warps = static_cast<int>(i) + 1;
    results[i] = simulate(prepared, arch, one);
    const std::lock_guard lock(one_at_a_time);
    ++done;
    if (on_point) on_point(done);
  });
  return results;
}

int knee_of(const Occupancy& curve) {
  const double best = curve.best_rate();
  int knee = 1;
  while (curve.rate(knee) < kKneeShare * best) ++knee;
  return knee;
}

}  // namespace

double Occupancy::best_rate() const {
  double best = 0;
  for (int w = 1; w <= static_cast<int>(points.size()); ++w) best = std::max(best, rate(w));
  return best;
}

Expected<Occupancy> occupancy(const Program& program, const Arch& arch,
                              const SimulateOptions& options, int most, const OnPoint& on_point) {
  const auto count = static_cast<std::size_t>(most > 0 ? most : arch.max_warps);
  auto prepared = prepare(program, arch, options);
  if (!prepared) return tl::unexpected(prepared.error());
  Occupancy curve;
  for (auto& result : simulate_all(*prepared, arch, options, count, on_point)) {
    if (!*result) return tl::unexpected(result->error());
    curve.points.push_back(std::move(**result));
  }
  curve.knee = knee_of(curve);
  return curve;
}

}  // namespace smsim
