// SPDX-License-Identifier: MIT
// A suite of measured loops: JSON Lines to the code of each loop and what was measured with how
// many warps.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "smsim/diagnostic.hpp"
#include "validate/stamps.hpp"

namespace smsim::validate {

/// Cycles in which every resident warp completes one iteration, as measured.
struct Measurement {
  int warps = 0;
  double cycles = 0;
  double lo = 0;  ///< smallest of several runs; `cycles` if the suite does not say
  double hi = 0;  ///< largest
  bool has_interval = false;
};

/// One line of a suite.
struct SuiteLoop {
  std::string id;
  std::string arch;           ///< sm_90; empty if the suite does not say
  std::string device;         ///< the GPU that was measured; empty if the suite does not say
  std::string code;           ///< the `sass` field
  std::string loop;           ///< 0xSTART-0xEND in a whole function; empty: the loop of the listing
  bool is_bare_body = false;  ///< the listing is the loop's body alone, without counter and branch
  bool in_published_kernel = false;  ///< and was measured in that of published_kernel.hpp
  bool has_many_runs =
      false;  ///< measured with several numbers of warps, which the id does not name
  std::map<int, int> lane_stride_bytes;
  std::vector<Measurement> runs;
  std::optional<TimedPart> timed;   ///< if it is no loop
  std::vector<StampRecord> stamps;  ///< empty if none were taken
  std::uint32_t line = 0;
};

/// Parses the text of a suite. Errors: bad_input, each with file, line and column; at most the
/// first twenty.
Expected<std::vector<SuiteLoop>> parse_suite(std::string_view text, const std::string& source);

}  // namespace smsim::validate
