// SPDX-License-Identifier: MIT
// Compile, the last pass: a loop's last iteration and what its warps go on with.

#include "block/last_pass.hpp"

#include <utility>

#include "block/compile.hpp"

namespace smsim {
namespace {

constexpr std::uint64_t kInstructionBytes = 16;

/// The branch back and what is behind it, as they lie in memory.
Function tail_of(const Instruction& branch, const Function& behind) {
  Function tail = behind;
  tail.instructions.insert(tail.instructions.begin(), branch);
  std::uint64_t address = branch.address;
  for (Instruction& in : tail.instructions) {
    in.address = address;
    address += kInstructionBytes;
  }
  return tail;
}

Path straight_through(const Function& function) {
  Path path;
  for (std::size_t i = 0; i < function.instructions.size(); ++i) path.steps.push_back({.index = i});
  return path;
}

}  // namespace

Expected<void> add_last_pass(const Prepared& prepared, const Function& behind, const Arch& arch,
                             const SimulateOptions& options, CompiledLoop& loop) {
  const auto& code = prepared.function->instructions;
  const Function tail = tail_of(code[prepared.path.steps.back().index], behind);
  SimulateOptions of_tail = options;
  of_tail.allow_unset_waits = true;  // it waits for whatever the loop may have set
  auto compiled = compile(*prepared.program, tail, straight_through(tail), arch, of_tail);
  if (!compiled) return tl::unexpected(std::move(compiled.error()));
  // all but the branch is as in every iteration
  const std::vector<StaticInst> iteration(
      loop.code.begin(), loop.code.begin() + static_cast<std::ptrdiff_t>(loop.length));
  StaticInst& branch = compiled->loop.code.front();
  branch.line_first = iteration.back().line_first;
  branch.next_line = iteration.back().next_line;
  loop.last_pass = loop.code.size();
  loop.code.insert(loop.code.end(), iteration.begin(), iteration.end() - 1);
  loop.code.insert(loop.code.end(), compiled->loop.code.begin(), compiled->loop.code.end());
  loop.uses_shared_unit = loop.uses_shared_unit || compiled->loop.uses_shared_unit;
  return {};
}

}  // namespace smsim
