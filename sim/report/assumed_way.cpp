// SPDX-License-Identifier: MIT
// Whether an iteration's way rests on branches that nobody decided and leads through a call, as
// compilers put rare slow paths.
#include "report/assumed_way.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "report/layout.hpp"

namespace smsim::report {
namespace {

bool is_branch_note(const std::string& note) {
  return note.starts_with("0x") && note.find(": assumed ") != std::string::npos;
}

bool is_call(const InstructionRow& row) {
  const std::size_t opcode = row.text.starts_with('@') ? row.text.find(' ') + 1 : 0;
  return row.text.compare(opcode, 4, "CALL") == 0;
}

}  // namespace

std::string assumed_way(const Result& result) {
  const auto call = std::find_if(result.instructions.begin(), result.instructions.end(), is_call);
  if (call == result.instructions.end()) return {};
  std::uint64_t last = 0;  // the branch that was passed by right before the call
  for (const std::string& note : result.assumptions) {
    if (!is_branch_note(note) || note.find("not taken") == std::string::npos) continue;
    const std::uint64_t address = std::strtoull(note.c_str(), nullptr, 16);
    if (address < call->address) last = std::max(last, address);
  }
  if (last == 0) return {};
  return fmt::format(
      "the iteration goes through the call at {}, where compilers put rare cases (division, square "
      "roots), since nobody decided the branch at {}: --branch {}=taken leaves it out",
      hex_address(call->address), hex_address(last), hex_address(last));
}

}  // namespace smsim::report
