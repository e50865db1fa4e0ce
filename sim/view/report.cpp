// SPDX-License-Identifier: MIT
// What a report page shows: a recording, and what every analysis says of the same loop.
#include "smsim/report.hpp"

#include <algorithm>

namespace smsim {
namespace {

/// Of the function that was simulated; nothing if its control words were made up.
std::vector<LintFinding> findings_of(const Program& program, const Arch& arch,
                                     const Result& result) {
  const auto named = std::find_if(program.functions.begin(), program.functions.end(),
                                  [&](const Function& f) { return f.name == result.function; });
  if (named == program.functions.end() || result.dependency_mode) return {};
  return lint(*named, arch, LintHints::loops);
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
  auto curve = occupancy(program, arch, options);
  if (!curve) return tl::unexpected(std::move(curve.error()));
  auto findings = findings_of(program, arch, recording->result);
  return LoopReport{std::move(*recording), std::move(*limits), std::move(*variants),
                    std::move(*graph),     std::move(*curve),  std::move(findings)};
}

}  // namespace smsim
