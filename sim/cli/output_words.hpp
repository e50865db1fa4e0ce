// SPDX-License-Identifier: MIT
// The words on output that analyses share: --format, -o, --color.
#pragma once

#include <string>
#include <vector>

#include "smsim/report.hpp"

namespace CLI {
class App;
}

namespace smsim::cli {

struct OutputWords {
  std::string format = "text";
  std::string out;
  std::string color = "auto";
};

/// The first of the formats is the default.
void add_output_options(CLI::App& app, OutputWords& words, const std::vector<std::string>& formats);

/// Colours and width for where the output goes.
TextOptions text_options(const OutputWords& words);

}  // namespace smsim::cli
