// SPDX-License-Identifier: MIT
// Looks opcodes up: exact base, most suffixes in common.
#include "isa/opcode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/nearest.hpp"

namespace smsim::isa {
namespace {

std::string_view base_of(std::string_view opcode) { return opcode.substr(0, opcode.find('.')); }

/// Calls `visit` with each suffix, until it says no; whether it always said yes.
template <typename Visit>
bool every_suffix(std::string_view opcode, Visit visit) {
  std::size_t dot = opcode.find('.');
  while (dot != std::string_view::npos) {
    const std::size_t next = opcode.find('.', dot + 1);
    if (!visit(opcode.substr(dot + 1, next - dot - 1))) return false;
    dot = next;
  }
  return true;
}

std::ptrdiff_t suffix_count(std::string_view opcode) {
  return std::count(opcode.begin(), opcode.end(), '.');
}

using Index = std::unordered_map<std::string_view, std::vector<OpcodeRow>>;

/// Rows by base opcode, those with most suffixes first.
Index build_index(const std::vector<OpcodeRow>& all) {
  Index index;
  for (const OpcodeRow& row : all) index[base_of(row.name)].push_back(row);
  for (auto& [base, rows] : index) {
    std::stable_sort(rows.begin(), rows.end(), [](const OpcodeRow& left, const OpcodeRow& right) {
      return suffix_count(left.name) > suffix_count(right.name);
    });
  }
  return index;
}

const Index& opcode_index() {
  static const Index index = build_index(all_opcodes());
  return index;
}

const Index& older_index() {
  static const Index index = [] {
    std::vector<OpcodeRow> all = all_opcodes();
    // Of rows of one name the first counts.
    const auto changed = older_roles();
    all.insert(all.begin(), changed.begin(), changed.end());
    return build_index(all);
  }();
  return index;
}

const OpcodeRow* find_in(const Index& index, std::string_view opcode) {
  const auto found = index.find(base_of(opcode));
  if (found == index.end()) return nullptr;
  for (const OpcodeRow& row : found->second) {
    const bool fits = every_suffix(
        row.name, [opcode](std::string_view suffix) { return has_suffix(opcode, suffix); });
    if (fits) return &row;
  }
  return nullptr;
}

}  // namespace

bool has_suffix(std::string_view opcode, std::string_view suffix) {
  return !every_suffix(opcode, [suffix](std::string_view one) { return one != suffix; });
}

const OpcodeRow* find_opcode(std::string_view opcode) { return find_in(opcode_index(), opcode); }

const OpcodeRow* find_opcode(std::string_view opcode, ControlFormat format) {
  return find_in(format == ControlFormat::volta ? opcode_index() : older_index(), opcode);
}

std::vector<OpcodeRow> all_opcodes() {
  std::vector<OpcodeRow> all;
  for (const auto part : {float_opcodes(), integer_opcodes(), matrix_opcodes(), memory_opcodes(),
                          uniform_opcodes(), control_opcodes(), older_opcodes()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

Diagnostic unknown_opcode(const Program& program, const Instruction& instruction) {
  std::vector<std::string_view> known;
  for (const auto& [base, rows] : opcode_index()) known.push_back(base);
  std::sort(known.begin(), known.end());
  const std::string near = nearest_name(base_of(instruction.opcode), known);

  Diagnostic diagnostic;
  diagnostic.message = "unknown opcode '" + instruction.opcode + "'";
  if (instruction.line == 0) diagnostic.message += fmt::format(" at 0x{:04x}", instruction.address);
  diagnostic.where = {program.source, instruction.line, instruction.column};
  if (instruction.line > 0 && instruction.line <= program.lines.size()) {
    diagnostic.excerpt = program.lines[instruction.line - 1];
  }
  if (!near.empty()) diagnostic.hint = "did you mean " + near + "? ";
  diagnostic.hint += "--unknown assume:<pipe> runs it on that pipe and marks the report incomplete";
  return diagnostic;
}

OpClass class_of(const OpcodeRow& row, const Instruction& in) {
  if (row.op_class != OpClass::ldc) return row.op_class;
  const bool indexed =
      std::any_of(in.operands.begin(), in.operands.end(), [](const Operand& operand) {
        return operand.kind == OperandKind::constant && operand.index >= 0 && operand.index < kRZ;
      });
  return indexed ? OpClass::ldc : OpClass::ldc_immediate;
}

}  // namespace smsim::isa
