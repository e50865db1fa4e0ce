// SPDX-License-Identifier: MIT
// What a report page shows: a recording, and what every analysis says of the same loop.
#include "smsim/report.hpp"

#include <algorithm>

namespace smsim {
namespace {

constexpr int kCurveIterations = 40;

/// Of the function that was simulated; nothing if its control words were made up.
std::vector<LintFinding> findings_of(const Program& program, const Arch& arch,
                                     const Result& result) {
  const auto named = std::find_if(program.functions.begin(), program.functions.end(),
                                  [&](const Function& f) { return f.name == result.function; });
  if (named == program.functions.end() || result.dependency_mode) return {};
  return lint(*named, arch, LintHints::loops);
}

/// A curve is looked at, not read: where the rhythm does not repeat, a few iterations give the
/// height of a point. The point of the report itself is the report's.
Expected<Occupancy> quick_occupancy(const Program& program, const Arch& arch,
                                    SimulateOptions options, const Result& own) {
  options.max_iterations = std::min(options.max_iterations, kCurveIterations);
  auto curve = occupancy(program, arch, options);
  if (!curve || own.warps > static_cast<int>(curve->points.size())) return curve;
  curve->points[static_cast<std::size_t>(own.warps - 1)] = own;
  return curve;
}

}  // namespace

Expected<LoopReport> make_report(const Program& program, const Arch& arch,
                                 const SimulateOptions& options, const RecordOptions& window) {
  auto recording = record(program, arch, options, window);
  if (!recording) return tl::unexpected(std::move(recording.error()));
  auto limits = bounds(program, arch, options);
  if (!limits) return tl::unexpected(std::move(limits.error()));
  auto variants = what_if(program, arch, options);
  if (!variants) return tl::unexpected(std::move(variants.error()));
  auto graph = dependency_graph(program, arch, options);
  if (!graph) return tl::unexpected(std::move(graph.error()));
  auto curve = quick_occupancy(program, arch, options, recording->result);
  if (!curve) return tl::unexpected(std::move(curve.error()));
  auto findings = findings_of(program, arch, recording->result);
  return LoopReport{std::move(*recording), std::move(*limits), std::move(*variants),
                    std::move(*graph),     std::move(*curve),  std::move(findings)};
}

}  // namespace smsim
