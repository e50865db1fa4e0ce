// SPDX-License-Identifier: MIT
// Joins control words by address: from a cubin or a dump to code that came without.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/nearest.hpp"
#include "smsim/read.hpp"

namespace smsim {
namespace {

using Wrong = tl::unexpected<Diagnostics>;

Wrong wrong(const Program& program, const Instruction& at, std::string message,
            const Program& control) {
  return fail(ErrorKind::bad_input, std::move(message), {program.source, at.line, 0},
              fmt::format("is {} the code that this was made from?", control.source), at.text);
}

std::string_view base_of(const Instruction& one) {
  return one.opcode.substr(0, one.opcode.find("."));
}

/// The function of that name; launches behind the first of a kernelslist are numbered.
const Function* find_function(const Program& control, const Function& wanted) {
  const std::string name =
      wanted.trace ? wanted.name.substr(0, wanted.name.find(".launch")) : wanted.name;
  for (const Function& one : control.functions) {
    const bool fits = wanted.sm == 0 || one.sm == 0 || one.sm == wanted.sm;
    if (one.name == name && fits) return &one;
  }
  return nullptr;
}

Expected<void> check(const Program& program, const Function& from, const Program& control) {
  if (from.has_control_words) return {};
  return fail(ErrorKind::bad_input,
              fmt::format("'{}' has no control words there either", from.name),
              {control.source, from.line, 0},
              fmt::format("{} needs the cubin, or text of nvdisasm -hex or cuobjdump -sass",
                          program.source));
}

/// For each instruction of `to` the one at its address; the opcodes must be the same.
Expected<std::vector<std::size_t>> match(const Program& program, const Function& to,
                                         const Program& control, const Function& from) {
  std::vector<std::size_t> at;
  for (const Instruction& one : to.instructions) {
    const auto& all = from.instructions;
    const auto found = std::lower_bound(
        all.begin(), all.end(), one.address,
        [](const Instruction& i, std::uint64_t address) { return i.address < address; });
    if (found == all.end() || found->address != one.address) {
      return wrong(program, one,
                   fmt::format("'{}' in {} has no instruction at 0x{:04x}", to.name, control.source,
                               one.address),
                   control);
    }
    if (base_of(*found) != base_of(one)) {
      return wrong(program, one,
                   fmt::format("0x{:04x} is {} here, but {} in {}", one.address, one.opcode,
                               found->opcode, control.source),
                   control);
    }
    at.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  return at;
}

/// A trace names but some of the operands: the code takes the place of what it shows.
void replace_code(Function& to, const Function& from, const std::vector<std::size_t>& at) {
  auto trace = std::make_shared<Trace>(*to.trace);
  for (WarpTrace& warp : trace->warps) {
    for (TraceStep& step : warp.steps) step.index = static_cast<std::uint32_t>(at[step.index]);
  }
  to.trace = std::move(trace);
  to.instructions = from.instructions;
  for (Instruction& one : to.instructions) one.line = one.column = 0;
}

Expected<void> join(const Program& program, Function& to, const Program& control) {
  const Function* from = find_function(control, to);
  if (from == nullptr) {
    std::vector<std::string_view> names;
    for (const Function& one : control.functions) names.push_back(one.name);
    const std::string near = nearest_name(to.name, names);
    return fail(ErrorKind::bad_input,
                fmt::format("{} has no function '{}'{}", control.source, to.name,
                            to.sm == 0 ? "" : fmt::format(" for sm_{}", to.sm)),
                {program.source, to.line, 0},
                near.empty() || near == to.name ? "" : fmt::format("is '{}' the same one?", near));
  }
  if (auto good = check(program, *from, control); !good) return good;
  const auto at = match(program, to, control, *from);
  if (!at) return tl::make_unexpected(at.error());
  if (to.sm == 0) to.sm = from->sm;
  to.registers = from->registers != 0 ? from->registers : to.registers;
  to.has_control_words = true;
  if (to.trace) {
    replace_code(to, *from, *at);
    return {};
  }
  for (std::size_t i = 0; i < to.instructions.size(); ++i) {
    to.instructions[i].control = from->instructions[(*at)[i]].control;
    to.instructions[i].encoding = from->instructions[(*at)[i]].encoding;
  }
  return {};
}

}  // namespace

Expected<void> join_control(Program& program, const Program& control) {
  for (Function& function : program.functions) {
    if (function.has_control_words) continue;
    if (auto joined = join(program, function, control); !joined) return joined;
  }
  return {};
}

}  // namespace smsim
