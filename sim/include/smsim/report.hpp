// SPDX-License-Identifier: MIT
// A Result as text, JSON or CSV. Each writes the same bytes for the same result.
#pragma once

#include <iosfwd>

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

}  // namespace smsim
