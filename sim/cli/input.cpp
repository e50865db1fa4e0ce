// SPDX-License-Identifier: MIT
// The code that a command works on: a file, and another one for control words that it lacks.
#include "cli/input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output.hpp"
#include "isa/opcode.hpp"
#include "smsim/read.hpp"

namespace smsim::cli {

std::optional<std::string> cut_off(const Program& program) {
  const bool listing = program.format == "cuobjdump" || program.format == "nvdisasm";
  if (!listing || program.functions.empty()) return std::nullopt;
  const Function& last = program.functions.back();
  if (last.trace || last.instructions.empty()) return std::nullopt;
  const Instruction& in = last.instructions.back();
  const isa::OpcodeRow* row = isa::find_opcode(in.opcode);
  if (row == nullptr) return std::nullopt;
  const bool guarded = in.guard.index != kPT || in.guard.negated;
  const bool leaves = row->op_class == isa::OpClass::exit || isa::is_branch(row->op_class);
  const bool back = in.target && *in.target <= in.address;
  const bool fills = row->op_class == isa::OpClass::nop;
  if ((leaves && !guarded) || back || fills) return std::nullopt;
  return fmt::format("the listing of '{}' ends at 0x{:04x} with {}, which goes on: is it cut off?",
                     last.name, in.address, in.opcode);
}

Expected<Program> read_input(const std::string& file, const std::string& format,
                             const std::string& control) {
  auto program = read_program(file, format);
  if (program)
    if (const auto cut = cut_off(*program)) warn(program->source, *cut);
  if (!program || control.empty()) return program;
  if (std::all_of(program->functions.begin(), program->functions.end(),
                  [](const Function& one) { return one.has_control_words; })) {
    return fail(ErrorKind::usage, "--control: " + program->source + " has control words itself", {},
                "it is for nvdisasm without -hex, nvdisasm -json, and traces");
  }
  const auto source = read_program(control);
  if (!source) return tl::make_unexpected(source.error());
  if (auto joined = join_control(*program, *source); !joined) {
    return tl::make_unexpected(std::move(joined.error()));
  }
  return program;
}

}  // namespace smsim::cli
