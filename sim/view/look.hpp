// SPDX-License-Identifier: MIT
// Looks: the class of a cell's colour in pictures and pages, and what it means.
#pragma once

#include <string>
#include <string_view>

#include "view/cells.hpp"

namespace smsim::view {

struct Look {
  const char* name;     ///< class in the style sheet
  const char* meaning;  ///< in a legend
};

Look look_of_wait(StallReason reason);
Look look_of(const Cell& cell);

}  // namespace smsim::view
