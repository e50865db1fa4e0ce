// SPDX-License-Identifier: MIT
// Which part of a file is meant: line numbers, a label, or markers in comments.
#pragma once

#include <string>

#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"

namespace smsim::cli {

/// A function and what of it, as --function and --loop would say it. Both empty: nothing was said.
struct Region {
  std::string function;
  std::string loop;
  std::string note;  ///< where it came from
};

/// `lines` is the word of --lines, such as 120-180, or empty: then a pair of comments smsim-begin
/// and smsim-end counts. The largest loop that lies within is meant. Errors: usage, where there is
/// none, or an end without a begin.
Expected<Region> find_region(const Program& program, const std::string& lines);

/// The loop that begins at a label of the text, as `.L_x_3` or without the dot; of several that
/// begin there the innermost. `function`: the exact name or glob of --function, or empty. Errors:
/// usage.
Expected<Region> find_label(const Program& program, const std::string& label,
                            const std::string& function);

}  // namespace smsim::cli
