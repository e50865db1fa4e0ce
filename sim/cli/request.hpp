// SPDX-License-Identifier: MIT
// The words that sub-commands on one loop share: which file, function and loop, on which device.
#pragma once

#include <string>
#include <vector>

#include "smsim/arch.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

namespace CLI {
class App;
}

namespace smsim::cli {

inline constexpr int kDefaultWarps = 4;

struct RequestWords {
  std::string file;
  std::string input_format;
  std::string arch;
  std::string function;
  std::string loop;
  std::string lines;
  std::string label;
  std::string control;
  int warps = kDefaultWarps;
  std::vector<std::string> overrides;
  std::vector<std::string> branches;
  std::vector<std::string> lane_strides;
  std::string unknown;
  bool allow_unset_waits = false;
  bool any_warps = false;       ///< --warps has no default: a note on it would say nothing
  CLI::App* command = nullptr;  ///< which was given these words
};

/// FILE, --arch, --function, --loop, and what changes the model: --warps, --set, --branch, ...
void add_request_options(CLI::App& app, RequestWords& words);

/// The words with a grammar of their own, without reading anything. Errors: usage.
Expected<SimulateOptions> simulate_options(const RequestWords& words);

/// What the words ask for, read and checked.
struct Request {
  Program program;
  Arch arch;
  SimulateOptions options;
  std::vector<std::string>
      notes;  ///< what was decided without being asked; assumptions of a result
};

/// Errors: usage, bad_input, no_file, bad_config. The words with a grammar of their own come before
/// the file.
Expected<Request> read_request(const RequestWords& words);

/// Puts the notes in front of the result's assumptions.
Result with_notes(Result result, const std::vector<std::string>& notes);

}  // namespace smsim::cli
