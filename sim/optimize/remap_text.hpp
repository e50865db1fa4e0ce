// SPDX-License-Identifier: MIT
// Remap, the text: the input again, with the rewritten instructions in their places.
#pragma once

#include <optional>
#include <string>

#include "smsim/remap.hpp"

namespace smsim::optimize {

/// The lines of the input with what changed: instructions, and where the listing has them,
/// encodings and control words. Nullopt if the input's text is not at hand, or does not show an
/// instruction the way it is known here (named registers).
std::optional<std::string> edit_lines(const Program& program, const Remapped& remapped);

}  // namespace smsim::optimize
