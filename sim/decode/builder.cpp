// SPDX-License-Identifier: MIT
// Gathers functions, instructions and labels while the lines of a text are read.
#include "decode/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "core/nearest.hpp"
#include "decode/operand_text.hpp"
#include "decode/reconvergence.hpp"
#include "decode/text.hpp"
#include "isa/roles.hpp"

namespace smsim::decode {
namespace {

using isa::OpClass;

/// A printed absolute address of 0 is one that the linker was to fill in.
bool is_unlinked(std::string_view opcode, const Operand& operand) {
  return operand.value == 0 && !operand.text.starts_with("`") && isa::has_suffix(opcode, "ABS");
}

/// A jump to a control word goes on behind it; a bundle without one begins with an instruction.
std::uint64_t behind_control_word(const Function& function, std::uint64_t address) {
  const isa::CodeLayout layout = isa::code_layout(function.sm);
  if (!layout.is_control_slot(address)) return address;
  const auto& all = function.instructions;
  const auto at = std::lower_bound(
      all.begin(), all.end(), address,
      [](const Instruction& one, std::uint64_t wanted) { return one.address < wanted; });
  if (at != all.end() && at->address == address) return address;
  return layout.instruction_at(address);
}

/// The address of a label operand: a label of the function, or the function itself. A printed
/// number is an address already.
std::optional<std::uint64_t> find_label(
    const Function& function, const std::unordered_map<std::string, std::uint64_t>& labels,
    const Operand& operand) {
  const auto reference = parse_label(operand.text);
  if (!reference) return behind_control_word(function, static_cast<std::uint64_t>(operand.value));
  const auto found = labels.find(reference->name);
  if (found == labels.end() && reference->name != function.name) return std::nullopt;
  const std::uint64_t base =
      found != labels.end() ? found->second : function.instructions.front().address;
  return base + static_cast<std::uint64_t>(reference->offset);
}

}  // namespace

Builder::Builder(std::string source) { program_.source = std::move(source); }

void Builder::error(const Line& line, std::size_t column, std::string message, std::string hint) {
  Diagnostic one;
  one.message = std::move(message);
  one.where = {program_.source, line.number, static_cast<std::uint32_t>(column)};
  one.excerpt = std::string(line.text);
  one.hint = std::move(hint);
  errors_.push_back(std::move(one));
}

bool Builder::is_full() const { return errors_.size() >= kMostErrors; }

void Builder::set_sm(int sm, const Line& line) {
  sm_ = sm;
  if (sm < isa::kOldestSm) {
    skipped_sm_ = sm;
    skipped_line_ = line;
  }
  if (!program_.functions.empty() && program_.functions.back().instructions.empty()) {
    program_.functions.back().sm = sm;
  }
}

bool Builder::skips() const { return sm_ != 0 && sm_ < isa::kOldestSm; }

void Builder::begin_function(std::string_view name, const Line& line) {
  end_function();
  Function function;
  function.name = std::string(name);
  function.sm = sm_;
  function.line = line.number;
  program_.functions.push_back(std::move(function));
  labels_.emplace_back();
}

/// Long texts have millions of instructions: they take what they need.
void Builder::end_function() {
  if (program_.functions.empty()) return;
  place_labels(next_address());
  program_.functions.back().instructions.shrink_to_fit();
}

void Builder::set_registers(int count) {
  if (!program_.functions.empty()) program_.functions.back().registers = count;
}

void Builder::name_function(std::string_view name, const Line& line) {
  const bool known = !program_.functions.empty() && program_.functions.back().name == name;
  if (!known) begin_function(name, line);
}

Function& Builder::current(const Line& line) {
  if (program_.functions.empty()) begin_function("unnamed", line);
  return program_.functions.back();
}

void Builder::add_label(std::string_view name, const Line& line) {
  if (program_.functions.empty()) begin_function(name.starts_with('.') ? "unnamed" : name, line);
  labels_.back().pending.emplace_back(name);
}

void Builder::place_labels(std::uint64_t address) {
  Labels& labels = labels_.back();
  for (std::string& name : labels.pending)
    labels.address.insert_or_assign(std::move(name), address);
  labels.pending.clear();
}

std::uint64_t Builder::next_address() const {
  if (program_.functions.empty() || program_.functions.back().instructions.empty()) {
    return layout().instruction_at(0);
  }
  return layout().next_instruction(program_.functions.back().instructions.back().address);
}

void Builder::add_instruction(Instruction instruction, bool reuse_is_stated, const Line& line) {
  Function& function = current(line);
  instruction.line = line.number;
  if (!function.instructions.empty() &&
      instruction.address <= function.instructions.back().address) {
    return error(line, 0,
                 fmt::format("address 0x{:04x} does not follow 0x{:04x}", instruction.address,
                             function.instructions.back().address),
                 "each function needs a line that names it, as cuobjdump and nvdisasm print it");
  }
  // Disassemblers print every instruction; what people write may have left some out.
  if (!function.instructions.empty() && instruction.encoding) {
    const std::uint64_t next = layout().next_instruction(function.instructions.back().address);
    if (instruction.address > next)
      error(line, 0,
            fmt::format("the instruction at 0x{:04x} is missing in front of 0x{:04x}", next,
                        instruction.address),
            "the dump has lost a line; print it again, or name the cubin");
  }
  instruction.control.format = layout().format;
  isa::assign_reuse(reuse_is_stated, instruction);
  place_labels(instruction.address);
  function.instructions.push_back(std::move(instruction));
}

void Builder::add_without_control(Instruction instruction, const Line& line) {
  current(line).has_control_words = false;
  add_instruction(std::move(instruction), false, line);
}

bool Builder::lacks_control() const {
  return !program_.functions.empty() && !program_.functions.back().has_control_words;
}

void Builder::resolve(const Function& function, const Labels& labels, Instruction& instruction) {
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.kind != OperandKind::label) continue;
    const auto address = find_label(function, labels.address, operand);
    const auto value = static_cast<std::int64_t>(address.value_or(0));
    if (address && value != operand.value) instruction.operands.edit()[i].value = value;
    if (i + 1 == instruction.operands.size()) {
      set_target(function, labels, address.has_value(), instruction);
    }
  }
}

void Builder::set_target(const Function& function, const Labels& labels, bool found,
                         Instruction& instruction) {
  const isa::OpcodeRow* row = isa::find_opcode(instruction.opcode);
  const Operand& last = instruction.operands.back();
  if (row == nullptr) return;
  if (!isa::is_branch(row->op_class) && row->op_class != OpClass::call) return;
  if (found && !is_unlinked(instruction.opcode, last)) {
    instruction.target = static_cast<std::uint64_t>(last.value);
    return;
  }
  if (row->op_class != OpClass::bra) return;
  // The lines of very long texts are not kept.
  const bool kept = instruction.line <= program_.lines.size();
  const Line line{
      kept ? std::string_view(program_.lines[instruction.line - 1]) : instruction.text.view(),
      instruction.line};
  const std::size_t column = kept ? instruction.column : 0;
  const auto label = parse_label(last.text);
  if (!label)
    return error(line, column,
                 fmt::format("the target of {} was left to the linker", instruction.opcode),
                 "read the linked cubin, or name a label");
  std::vector<std::string_view> names;
  for (const auto& [name, address] : labels.address) names.push_back(name);
  std::sort(names.begin(), names.end());
  const std::string near = nearest_name(label->name, names);
  error(line, column, fmt::format("label '{}' is not in function '{}'", label->name, function.name),
        near.empty() ? "" : fmt::format("did you mean {}?", near));
}

void Builder::keep_labels(const Labels& labels, Function& function) {
  function.labels.assign(labels.address.begin(), labels.address.end());
  std::sort(function.labels.begin(), function.labels.end(), [](const auto& a, const auto& b) {
    return std::tie(a.second, a.first) < std::tie(b.second, b.first);
  });
}

void Builder::resolve_all() {
  for (std::size_t f = 0; f < program_.functions.size(); ++f) {
    Function& function = program_.functions[f];
    for (Instruction& instruction : function.instructions) {
      if (is_full()) return;
      resolve(function, labels_[f], instruction);
    }
    resolve_reconvergence(function);
    keep_labels(labels_[f], function);
  }
}

void Builder::report_nothing() {
  if (skipped_sm_ != 0) {
    return error(skipped_line_, 1, fmt::format("sm_{} is not supported", skipped_sm_),
                 "code of Kepler and later can be read: sm_30 to sm_120");
  }
  error({"", 1}, 1, std::string(kNothingFound),
        "expected text of cuobjdump -sass or nvdisasm -hex, or lines such as "
        "'[B------:R-:W-:-:S04] FFMA R0, R1, R2, R0 ;'");
}

Expected<Program> Builder::finish(std::string_view format, std::vector<std::string> lines) {
  program_.format = std::string(format);
  program_.lines = std::move(lines);
  end_function();
  resolve_all();
  std::erase_if(program_.functions,
                [](const Function& function) { return function.instructions.empty(); });
  if (program_.functions.empty() && errors_.empty()) report_nothing();
  if (!errors_.empty()) return tl::make_unexpected(std::move(errors_));
  return std::move(program_);
}

}  // namespace smsim::decode
