// SPDX-License-Identifier: MIT
// Page data: a recording in the short form that the script of a report page reads.
#pragma once

#include <nlohmann/json.hpp>

#include "smsim/record.hpp"

namespace smsim::view {

/// The warps of the fullest processing block, as many as fit a page. What was left out is counted.
struct PageData {
  nlohmann::ordered_json json;
  std::size_t warps = 0;     ///< that are in it
  std::size_t left_out = 0;  ///< of the same block
  int block = 0;
};

PageData page_data(const Recording& recording);

}  // namespace smsim::view
