// SPDX-License-Identifier: MIT
// The fields of a control word, each with what its value means.
#pragma once

#include <string>
#include <vector>

#include "smsim/program.hpp"

namespace smsim::view {

struct ControlField {
  std::string text;  ///< its part of the notation, with the separator behind it
  std::string help;  ///< what it asks for, in a sentence
  bool set = false;  ///< it asks for something
};

/// Joined, the texts are report::control_notation().
std::vector<ControlField> control_fields(const ControlWord& control);

/// What the reuse flags of the operands ask for; empty if none is set.
std::string reuse_help(const ControlWord& control);

}  // namespace smsim::view
