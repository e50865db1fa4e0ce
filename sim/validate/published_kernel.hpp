// SPDX-License-Identifier: MIT
// Published kernel: bodies of a loop that were measured inside somebody else's kernel, whose own
// cost the suite has taken out.
#pragma once

#include <string>
#include <string_view>

#include "smsim/arch.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/simulate.hpp"

namespace smsim::validate {

/// Whether a row of this source was measured in it.
inline bool is_published_kernel(std::string_view source) {
  return source.starts_with("YKTian-x2b/AmpereArchViaMicroBenchMark regBank");
}

/// The figure that the suite would have for the body. The kernel is that of
/// YKTian-x2b/AmpereArchViaMicroBenchMark, regBank: a counter, a comparison and two branches around
/// 256 FFMA, 256 iterations; 1800 thread blocks of four warps on 30 SMs, 60 to each.
/// Errors: those of `simulate`.
Expected<double> published_figure(const std::string& body, const std::string& source,
                                  const Arch& arch, const SimulateOptions& options);

}  // namespace smsim::validate
