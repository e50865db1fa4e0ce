// SPDX-License-Identifier: MIT
// Compile, the fetch part: which instructions come late because their code line does.

#include "block/code_lines.hpp"

#include "isa/code_layout.hpp"

namespace smsim {

void mark_lines(const Function& function, const Path& path, const InstructionCacheSpec& cache,
                std::vector<StaticInst>& code) {
  const std::size_t n = path.steps.size();
  const auto address = [&](std::size_t step) {
    return function.instructions[path.steps[step % n].index].address;
  };
  const auto line_of = [&](std::uint64_t at) {
    return at / static_cast<std::uint64_t>(cache.line_bytes);
  };
  const auto line = [&](std::size_t step) { return line_of(address(step)); };
  if (code.size() != n) return;
  for (std::size_t i = 0; i < n; ++i) {
    if (!path.steps[i].taken) continue;
    std::size_t next = i + 1;
    while (next < i + 1 + n && line(next) == line(i + 1)) ++next;
    if (line(next) == line(i + 1) + 1) code[next % n].next_line = true;
  }
  for (std::size_t i = 1; i < n; ++i)
    if (!path.steps[i - 1].taken && line(i) != line(i - 1))
      code[i].line_first = code[i - 1].line_last = true;
  const isa::CodeLayout layout = isa::code_layout(function.sm);
  for (std::size_t i = 0; i < n; ++i)
    if (path.steps[i].taken)
      code[i].line_last = line_of(address(i)) != line_of(layout.next_instruction(address(i)));
  const int capacity = cache.l0_instructions;
  code.back().slow_fetch = capacity > 0 && n > static_cast<std::size_t>(capacity);
}

}  // namespace smsim
