// SPDX-License-Identifier: MIT
// A Result as text, JSON or CSV, and a Recording as a timeline. Each writes the same bytes for the
// same input.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "smsim/record.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

struct TextOptions {
  bool color = false;  ///< ANSI colours; the command line sets it on terminals only
  int width = 100;     ///< columns
};

/// Summary, issue-slot breakdown, the loop a line an instruction, pipes and banks, assumptions.
void write_text(std::ostream& out, const Result& result, const TextOptions& options = {});

/// One JSON document as docs/predict.schema.json describes.
void write_json(std::ostream& out, const Result& result);

/// A header and one row an instruction.
void write_csv(std::ostream& out, const Result& result);

struct TimelineOptions {
  bool color = false;       ///< ANSI colours; the command line sets it on terminals only
  int width = 100;          ///< columns
  int block = 0;            ///< processing block; -1: all
  std::int64_t cycles = 0;  ///< at most so many; 0: all
};

/// A row an instruction, a column a cycle: waits with their reasons, issue, operand reads with
/// their banks, execution, write-back. Wrapped into panels that fit the width.
void write_timeline(std::ostream& out, const Recording& recording,
                    const TimelineOptions& options = {});

}  // namespace smsim
