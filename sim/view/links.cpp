// SPDX-License-Identifier: MIT
// Links: from a recorded instruction to the recorded ones that it depends on.
#include "view/links.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/layout.hpp"

namespace smsim::view {

std::int64_t end_of(const Recording& recording, const RecordedInstruction& one) {
  std::int64_t end = std::max({one.issue, one.left, one.execute_begin, one.write_end}) + 1;
  for (std::uint32_t i = one.first_read; i < one.first_read + one.read_count; ++i)
    end = std::max(end, recording.reads[i].at + 1);
  return end;
}

std::string title_of(const Recording& recording, const RecordedInstruction& one) {
  const RecordedStep& step = recording.steps[one.step];
  return fmt::format("{} {}", report::hex_address(step.address), report::printable(step.text));
}

}  // namespace smsim::view
