// SPDX-License-Identifier: MIT
// The loop in the text report: one line an instruction, with its control word and the slots lost
// before it.
#pragma once

#include <iosfwd>

#include "report/layout.hpp"
#include "smsim/report.hpp"

namespace smsim::report {

/// Never wider than options.width: the instruction and the reasons are shortened to fit.
void write_loop_table(std::ostream& out, const Result& result, const TextOptions& options);

}  // namespace smsim::report
