// SPDX-License-Identifier: MIT
// The fields of a control word, each with what its value means.
#include "view/control_fields.hpp"

#include <fmt/format.h>

#include "isa/control_word.hpp"
#include "report/breakdown.hpp"
#include "report/layout.hpp"

namespace smsim::view {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

ControlField wait_field(const ControlWord& control, const std::string& text) {
  std::vector<std::string> barriers;
  for (int b = 0; b < isa::kBarriers; ++b)
    if (((control.wait_mask >> b) & 1U) != 0) barriers.push_back(std::to_string(b));
  if (barriers.empty()) return {text, "Wait mask: it waits for no dependency barrier.", false};
  return {text,
          fmt::format("Wait mask: it does not issue before dependency barrier{} {} {} down.",
                      barriers.size() == 1 ? "" : "s", joined(barriers),
                      barriers.size() == 1 ? "is" : "are all"),
          true};
}

ControlField barrier_field(std::uint8_t barrier, const std::string& text, const char* name,
                           const char* when) {
  if (barrier == kNoBarrier) return {text, fmt::format("{}: it sets none.", name), false};
  return {
      text,
      fmt::format("{}: it raises dependency barrier {}, which goes down {}.", name, barrier, when),
      true};
}

ControlField stall_field(const ControlWord& control, const std::string& text) {
  if (control.dual_issue())
    return {text, "Stall count 0: the warp's next instruction may issue in the same cycle.", true};
  return {text,
          fmt::format("Stall count: the warp's next instruction issues {} later at the earliest. "
                      "Nothing else protects results of fixed latency.",
                      report::counted(control.stall, "cycle")),
          control.stall > 1};
}

}  // namespace

std::vector<ControlField> control_fields(const ControlWord& control) {
  const std::string notation = report::control_notation(control);
  if (control.format == ControlFormat::kepler) {
    ControlField field = stall_field(control, notation);
    return {field};
  }
  // B------:R-:W-:-:S01
  return {wait_field(control, notation.substr(0, 8)),
          barrier_field(control.read_barrier, notation.substr(8, 3), "Read barrier",
                        "when its sources have been read"),
          barrier_field(control.write_barrier, notation.substr(11, 3), "Write barrier",
                        "when its result is there"),
          {notation.substr(14, 2),
           control.yield ? "Yield: other warps of the processing block go first."
                         : "Yield: not asked for; the scheduler may stay on this warp.",
           control.yield},
          stall_field(control, notation.substr(16))};
}

std::string reuse_help(const ControlWord& control) {
  std::vector<std::string> slots;
  for (int s = 0; s < 4; ++s)
    if (((control.reuse >> s) & 1U) != 0) slots.emplace_back(1, static_cast<char>('a' + s));
  if (slots.empty()) return {};
  return fmt::format(
      "Reuse: the operand of source slot {} stays in the reuse cache, where the next instruction "
      "that "
      "reads the same register through the same slot finds it without reading its bank.",
      joined(slots));
}

}  // namespace smsim::view
