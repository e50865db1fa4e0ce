// SPDX-License-Identifier: MIT
// A validated suite, divided: by number of warps, by family of loops, and what is not counted.
#pragma once

#include <string>
#include <vector>

#include "accuracy/notes.hpp"
#include "validate/validate.hpp"

namespace smsim::accuracy {

/// Up to four warps stand alone on their processing blocks; up to sixteen is what kernels of
/// ordinary size hold.
struct WarpClass {
  const char* name;
  int from;
  int to;
};

inline constexpr WarpClass kWarpClasses[] = {
    {"1 to 4 warps", 1, 4}, {"5 to 16 warps", 5, 16}, {"17 and more", 17, 1 << 20}};

/// A part of a suite and what it says of the model.
struct Part {
  std::string name;
  validate::Summary summary;
};

/// Rows that one note takes out of the count.
struct SetAside {
  std::string known;
  std::vector<std::string> loops;  ///< ids without the number of warps
  std::size_t rows = 0;
};

struct SuiteAccuracy {
  std::string name;                 ///< h200/random
  std::string devices;              ///< what was measured, as the suite says it
  std::string archs;                ///< configs that were used
  std::vector<validate::Row> rows;  ///< those that count
  std::vector<SetAside> aside;
};

/// `h200/random` of `traces/suites/h200/random.jsonl.gz`: what follows `suites/`, else the last
/// folder and the file, without endings.
std::string suite_name(const std::string& path);

/// The id without the number of warps at its end: `kernel.nbody` of `kernel.nbody.w16`.
std::string loop_of(const std::string& id);

/// Divides the rows of a suite into those that count and those that a note sets aside.
SuiteAccuracy divide(std::string name, const std::vector<validate::Row>& rows, const Notes& notes);

/// The classes of warps that the suite has rows of.
std::vector<Part> by_warps(const std::vector<validate::Row>& rows);

/// "time stamps, 8 warps" and so on, with Summary::stamps alone; none if the suite has no stamps.
std::vector<Part> stamp_parts(const std::vector<validate::Row>& rows);

/// The rows with so many warps.
std::vector<validate::Row> of_class(const std::vector<validate::Row>& rows, const WarpClass& which);

/// Families in the order of their names: the first part of the ids, or the first two if all rows
/// share the first.
std::vector<Part> by_family(const std::vector<validate::Row>& rows);

/// One row of a suite that is far off.
struct Outlier {
  std::string suite;
  validate::Row row;
};

/// The `most` loops that are furthest off, each at its worst number of warps. Ties are in the order
/// of suites and rows.
std::vector<Outlier> furthest_off(const std::vector<SuiteAccuracy>& suites, std::size_t most);

}  // namespace smsim::accuracy
